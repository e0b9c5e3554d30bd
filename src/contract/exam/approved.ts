import type { TransactionType } from '../statuses.ts'
import type { Situation, SituationGroup } from './situation.ts'

export const learnsResult = 'Get the result from a notification that you acknowledge, or from a query.'

const approved = (type: TransactionType, title: string, how: string): Situation => ({
  title,
  advice: learnsResult,
  how,
  seen: { result: { type, status: 'SUCCESS' } },
})

const sale = 'tillbox sale --amount 10.00'
const auth = 'tillbox auth --amount 10.00'

/** Payments and follow-ups that are approved: what a drive does by itself. */
export const approvedSituations = {
  title: 'Approved',
  laws: ['approved-known', 'amount-charged', 'totals-agree'],
  situations: {
    'sale-approved': approved('SALE', 'A sale is approved', sale),
    'auth-approved': approved('AUTH', 'A pre-authorisation is approved', auth),
    'increment-approved': approved(
      'INCREMENTAL',
      'A pre-authorised amount is increased',
      `${auth} && tillbox incremental-auth @last --amount 5.00`,
    ),
    'capture-approved': approved(
      'POST_AUTH',
      'A capture is approved',
      `${auth} && tillbox post-auth @last --amount 10.00`,
    ),
    'forced-auth-approved': approved(
      'FORCED_AUTH',
      'A forced authorisation is approved',
      'tillbox forced-auth --amount 10.00',
    ),
    'refund-approved': approved(
      'REFUND',
      'A refund is approved',
      `${sale} && tillbox refund @last --amount 10.00`,
    ),
    'void-approved': approved('VOID', 'A void is approved', `${sale} && tillbox void @last`),
    'refund-in-part': {
      title: 'A payment is refunded in part',
      advice: learnsResult,
      how: `${sale} && tillbox refund @last --amount 4.00`,
      seen: { result: { type: 'REFUND', status: 'SUCCESS', isPart: true } },
    },
    'online-approved': {
      title: 'A payment on the hosted page is approved',
      advice: learnsResult,
      how: 'tillbox checkout pay $(tillbox checkout create --amount 10.00 --fields sessionId --output csv | tail -1)',
      seen: { result: { type: 'SALE', status: 'SUCCESS', page: 'paid' } },
    },
    'tip-adjusted': {
      title: 'A tip is adjusted',
      advice: 'Adjust the tip with a request that the service accepts.',
      how: `${sale} && tillbox tip-adjust @last --tip-amount 2.00`,
      seen: { accepted: 'tip-adjust' },
    },
  },
} as const satisfies SituationGroup

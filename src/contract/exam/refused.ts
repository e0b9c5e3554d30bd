import type { ErrorCode } from '../errors.ts'
import type { OperationName } from '../operations.ts'
import type { Situation, SituationGroup } from './situation.ts'

const refusal = (title: string, how: string, code: ErrorCode, operation?: OperationName): Situation => ({
  title,
  advice: 'Do not send the same request again unchanged.',
  how,
  seen: { refusal: code, ...(operation !== undefined && { operation }) },
})

const sale = 'tillbox sale --amount 10.00'
const auth = 'tillbox auth --amount 10.00'

/** Requests that a rule of the service refuses. */
export const refusedSituations = {
  title: 'Refused requests',
  laws: ['refunds-agree', 'totals-agree'],
  situations: {
    'refund-not-allowed': refusal(
      'You refund a payment that is not approved, or that was voided',
      `${sale} --outcome do-not-honor; tillbox refund @last:declined --amount 10.00`,
      'SBX_NOT_ALLOWED',
      'refund',
    ),
    'refund-too-much': refusal(
      'You refund more than was paid',
      `${sale} && tillbox refund @last --amount 99.00`,
      'SBX_OVER_REFUND',
    ),
    'refund-no-balance': {
      ...refusal(
        'You refund more than the balance of the merchant',
        'tillbox refund --reference-order-id ORDER-1 --amount 900000.00 --price-currency USD',
        'SBX_NO_BALANCE',
      ),
      advice: 'Send the refund again after the balance of the merchant has grown.',
    },
    'refunded-already': refusal(
      'You refund a payment that was refunded in full',
      `${sale} && tillbox refund @last:sale --amount 10.00 && tillbox refund @last:sale --amount 10.00`,
      'SBX_REFUNDED',
    ),
    'refund-too-late': refusal(
      'You refund a payment after the last day for refunds',
      `${sale} && tillbox sandbox clock --advance 400d && tillbox refund @last:sale --amount 10.00`,
      'SBX_REFUND_LATE',
    ),
    'void-too-late': refusal(
      'You void a payment of an earlier day',
      `${sale} && tillbox sandbox clock --advance 1d && tillbox void @last:sale`,
      'SBX_VOID_LATE',
    ),
    'void-after-close': refusal(
      'You void a payment whose batch was closed',
      `${sale} && tillbox batch close --yes && tillbox void @last:sale`,
      'SBX_BATCH_CLOSED',
      'void',
    ),
    'capture-too-much': refusal(
      'You capture more than was authorised',
      `${auth} && tillbox post-auth @last --amount 99.00`,
      'SBX_OVER_CAPTURE',
    ),
    'auth-expired': refusal(
      'You capture an authorisation that has expired',
      `${auth} && tillbox sandbox clock --advance 31d && tillbox post-auth @last:auth --amount 10.00`,
      'SBX_AUTH_EXPIRED',
    ),
    'other-currency': refusal(
      'You send a follow-up in a currency other than that of the payment',
      `${sale} && tillbox refund @last --amount 5.00 --price-currency EUR`,
      'SBX_CURRENCY',
    ),
    'wrong-parameter': refusal('A field of the request is wrong', 'tillbox sale --minor 0', 'C17'),
    'unknown-transaction': refusal(
      'The request names a transaction that does not exist',
      'tillbox void 1',
      'SBX_TXN_UNKNOWN',
    ),
  },
} as const satisfies SituationGroup

import { exponentOf } from '../../contract/currencies.ts'
import type { TransactionType } from '../../contract/statuses.ts'
import { hasMoment } from '../../domain/model/timeline.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import {
  accepted,
  acknowledged,
  busyTerminals,
  corrections,
  learned,
  type Meet,
  notified,
  refusals,
  refused,
  refusedOrAcknowledged,
  results,
  settledInPart,
  spoiltAnswers,
} from './meetings.ts'

/** Groups of situations, in the order of a report. */
export const situationGroups = {
  approved: 'Approved',
  declined: 'Declined',
  unpaid: 'Late, cancelled and expired',
  refused: 'Refused requests',
  lost: 'Lost and broken answers',
  webhooks: 'Webhooks',
  identity: 'Ids, keys and clocks',
  settlement: 'Settlement',
  money: 'Amounts',
} as const

/** A situation that the code of a merchant meets sooner or later. */
export interface Situation {
  readonly group: keyof typeof situationGroups
  readonly title: string
  /** What sound code does then, as a sentence. */
  readonly sound: string
  /** A command that makes it happen. */
  readonly how: string
  readonly meet: Meet
}

/** A row of its own in a group: title, sound, how and meet. */
const inGroup =
  (group: Situation['group']) =>
  (title: string, sound: string, how: string, meet: Meet): Situation => ({ group, title, sound, how, meet })

const ended = inGroup('unpaid')
const webhook = inGroup('webhooks')
const settled = inGroup('settlement')

const learnsResult = 'It learns the result from a notification that it acknowledges, or by a query.'

const approved = (type: TransactionType, title: string, how: string): Situation => ({
  group: 'approved',
  title,
  sound: learnsResult,
  how,
  meet: results((transaction) => transaction.type === type && transaction.status === 'SUCCESS'),
})

const declined = (title: string, name: string, ...others: readonly string[]): Situation => ({
  group: 'declined',
  title,
  sound: 'It learns that the payment failed, and acts on it no more.',
  how: `tillbox sale --amount 10.00 --outcome ${name}`,
  meet: results(
    ({ outcome, type }) => type !== 'REFUND' && [name, ...others].some((each) => each === outcome),
  ),
})

const refusal = (title: string, how: string, ...which: Parameters<typeof refusals>): Situation => ({
  group: 'refused',
  title,
  sound: 'It takes the refusal as final, and does not send the same request again.',
  how,
  meet: refusals(...which),
})

const spoilt = (title: string, fault: string): Situation => ({
  group: 'lost',
  title,
  sound:
    'It asks what became of the request, sends it again with the same transactionRequestId or takes it back, before it pays with another one.',
  how: `tillbox sandbox fault ${fault} --operation sale`,
  meet: spoiltAnswers((written) => written.split('=')[0] === fault.split('=')[0]),
})

/** Notifications with an attempt that a fault of that name changed. */
const withFault = (name: string) => (attempt: { readonly fault: string | null }) =>
  attempt.fault?.includes(name) === true

const corrected = (title: string, how: string, code: Parameters<typeof corrections>[0]): Situation => ({
  group: 'identity',
  title,
  sound: 'It corrects the request, or asks what became of the first one.',
  how,
  meet: corrections(code),
})

const paid = (title: string, how: string, isMet: (transaction: Transaction) => boolean): Situation => ({
  group: 'money',
  title,
  sound: learnsResult,
  how,
  meet: results((transaction) => transaction.status === 'SUCCESS' && isMet(transaction)),
})

const currencyDecimals = ({ currency }: Transaction) => exponentOf(currency)

const isClosedBy =
  (reason: string) =>
  ({ status, timeline }: Transaction) =>
    status === 'CLOSED' && timeline.at(-1) === reason

/** Every situation, by its stable name. docs/coverage.md */
export const situations = {
  'sale-approved': approved('SALE', 'A sale', 'tillbox sale --amount 10.00'),
  'auth-approved': approved('AUTH', 'A pre-authorisation', 'tillbox auth --amount 10.00'),
  'increment-approved': approved(
    'INCREMENTAL',
    'More is pre-authorised',
    'tillbox incremental-auth @last --amount 5.00',
  ),
  'capture-approved': approved('POST_AUTH', 'A capture', 'tillbox post-auth @last --amount 10.00'),
  'forced-auth-approved': approved(
    'FORCED_AUTH',
    'A forced authorisation',
    'tillbox forced-auth --amount 10.00',
  ),
  'refund-approved': approved('REFUND', 'A refund', 'tillbox refund @last --amount 10.00'),
  'void-approved': approved('VOID', 'A void', 'tillbox void @last'),
  'refund-in-part': {
    group: 'approved',
    title: 'A refund of a part',
    sound: learnsResult,
    how: 'tillbox refund @last --amount 4.00',
    meet: results(
      (transaction, { transactions }) =>
        transaction.type === 'REFUND' &&
        transaction.status === 'SUCCESS' &&
        transactions.some(({ id, order }) => id === transaction.originalId && order > transaction.order),
    ),
  },
  'online-approved': {
    group: 'approved',
    title: 'A payment on the hosted page',
    sound: learnsResult,
    how: 'tillbox checkout pay <session-id>',
    meet: results(
      ({ online, type, status }) => online?.sessionId != null && type === 'SALE' && status === 'SUCCESS',
    ),
  },
  'tip-adjusted': {
    group: 'approved',
    title: 'A tip is adjusted',
    sound: 'Its request is accepted.',
    how: 'tillbox tip-adjust @last --tip-amount 2.00',
    meet: accepted('tip-adjust'),
  },

  'insufficient-funds': declined('No money on the account', 'insufficient-funds'),
  'do-not-honor': declined('The bank gives no reason', 'do-not-honor'),
  'expired-card': declined('The card has expired', 'expired-card'),
  'lost-or-stolen': declined('The card is lost or stolen', 'lost-card', 'stolen-card'),
  'suspected-fraud': declined('Suspected fraud', 'suspected-fraud'),
  'pin-tries-exceeded': declined('The PIN was wrong three times', 'pin-tries-exceeded', 'wrong-pin'),
  'issuer-unavailable': declined('The bank cannot be reached', 'issuer-unavailable'),
  'host-timeout': declined('The host does not answer in time', 'host-timeout'),
  'refund-declined': {
    group: 'declined',
    title: 'A refund is declined',
    sound: 'It learns that the money did not go back.',
    how: 'tillbox refund @last --amount 10.00 --outcome do-not-honor',
    meet: results(({ type, status }) => type === 'REFUND' && status === 'FAIL'),
  },
  'online-try-declined': {
    group: 'declined',
    title: 'A card is declined on the hosted page, which takes another one',
    sound: 'It waits for the result of the session.',
    how: 'tillbox checkout pay <session-id> --card visa-declined; tillbox checkout pay <session-id>',
    meet: results(({ online }) => (online?.tries ?? 0) > 0),
  },

  'late-approval': ended(
    'The approval comes a minute late',
    'It waits for the result, and does not take the payment again meanwhile.',
    'tillbox sale --amount 10.00 --outcome late-approval --no-wait && tillbox sandbox clock --advance 61s',
    results(({ outcome, status }) => outcome === 'late-approval' && status === 'SUCCESS'),
  ),
  'cancelled-at-terminal': ended(
    'The customer cancels at the terminal',
    'It learns that nothing was paid.',
    'tillbox terminal cancel TBX-ATTENDED-001',
    results(isClosedBy('cancel')),
  ),
  aborted: ended(
    'The merchant aborts in time',
    'It learns that nothing was paid.',
    'tillbox abort @last',
    results(isClosedBy('abort')),
  ),
  'aborted-too-late': ended(
    'The abort comes too late, and the result stands',
    'It learns the result all the same.',
    'tillbox sale --amount 10.00 --outcome late-approval --wait 2s; tillbox abort @last:pending && tillbox sandbox clock --advance 61s',
    results((transaction) => hasMoment(transaction, 'abort-too-late')),
  ),
  'expired-unpaid': ended(
    'Nobody pays, and the payment expires: an offline or busy terminal',
    'It learns that nothing was paid.',
    'tillbox sale --amount 10.00 --terminal TBX-OFFLINE-001 --no-wait && tillbox sandbox clock --advance 2d',
    results((transaction) => isClosedBy('expiry')(transaction) || isClosedBy('expired')(transaction)),
  ),
  'terminal-busy': ended(
    'The terminal is busy, and refuses',
    'It uses another terminal, or waits.',
    'tillbox sale --amount 10.00 --terminal TBX-BUSY-001',
    busyTerminals,
  ),

  'refund-not-allowed': refusal(
    'A refund of a payment that is not approved, or was voided',
    'tillbox refund @last:declined --amount 10.00',
    'SBX_NOT_ALLOWED',
    'refund',
  ),
  'refund-too-much': refusal(
    'A refund of more than was paid',
    'tillbox refund @last --amount 99.00',
    'SBX_OVER_REFUND',
  ),
  'refund-no-balance': refusal(
    'A refund beyond the balance of the merchant',
    'tillbox refund --reference-order-id ORDER-1 --amount 900000.00 --price-currency USD',
    'SBX_NO_BALANCE',
  ),
  'refunded-already': refusal(
    'A refund of what was refunded in full',
    'tillbox refund @last:sale --amount 10.00 && tillbox refund @last:sale --amount 10.00',
    'SBX_REFUNDED',
  ),
  'refund-too-late': refusal(
    'A refund after its period',
    'tillbox sandbox clock --advance 400d',
    'SBX_REFUND_LATE',
  ),
  'void-too-late': refusal('A void on another day', 'tillbox sandbox clock --advance 1d', 'SBX_VOID_LATE'),
  'void-after-close': refusal(
    'A void after its batch was closed',
    'tillbox batch close --yes',
    'SBX_BATCH_CLOSED',
  ),
  'capture-too-much': refusal(
    'A capture of more than was authorised',
    'tillbox post-auth @last --amount 99.00',
    'SBX_OVER_CAPTURE',
  ),
  'auth-expired': refusal(
    'A capture after the authorisation expired',
    'tillbox sandbox clock --advance 31d',
    'SBX_AUTH_EXPIRED',
  ),
  'other-currency': refusal(
    'A follow-up in another currency',
    'tillbox refund @last --amount 5.00 --price-currency EUR',
    'SBX_CURRENCY',
  ),
  'wrong-parameter': refusal('A parameter is wrong', 'tillbox sale --minor 0', 'C17'),
  'unknown-transaction': refusal('An unknown transaction', 'tillbox void 1', 'SBX_TXN_UNKNOWN', 'void'),

  'answer-lost': spoilt('The request is carried out, and its answer is lost', 'lost-answer'),
  'request-lost': spoilt('The request never arrives', 'lost-request'),
  'connection-reset': spoilt('The connection is reset', 'reset'),
  'answer-truncated': spoilt('The answer breaks off', 'truncated'),
  'answer-empty': spoilt('The answer is empty', 'empty'),
  'answer-not-json': spoilt('A proxy answers with a page', 'not-json'),
  'answer-late': spoilt('The answer comes after the timeout', 'latency=30s'),
  'error-500': spoilt('The service fails', 'http-500'),
  'error-503': spoilt('The service is overloaded', 'http-503'),
  'rate-limited': spoilt('Too many requests; Retry-After says how long to wait', 'http-429'),

  'webhook-twice': webhook(
    'A notification comes twice',
    'It acknowledges both.',
    'tillbox sandbox fault duplicate',
    notified(withFault('duplicate'), acknowledged),
  ),
  'webhook-resent': webhook(
    'A notification comes again, long after it was acknowledged',
    'It acknowledges it again.',
    'tillbox webhook resend --all',
    notified((_, { delivery }) => delivery.round !== undefined, acknowledged),
  ),
  'webhook-overtaken': webhook(
    'A notification is overtaken by a later one',
    'It acknowledges both, and keeps the last state.',
    'tillbox sandbox fault reorder=5',
    notified((_, { isOvertaken }) => isOvertaken, acknowledged),
  ),
  'webhook-late': webhook(
    'A notification comes late',
    'It learns the result.',
    'tillbox sandbox fault delay=30s',
    notified(withFault('delay'), learned),
  ),
  'webhook-lost': webhook(
    'A notification never comes',
    'It asks for the result after a while.',
    'tillbox sandbox fault drop',
    notified(withFault('drop'), learned),
  ),
  'webhook-forged': webhook(
    'Somebody else sends a notification',
    'It checks the signature over the raw body, and refuses it with 401.',
    'tillbox sandbox fault bad-signature',
    notified(withFault('bad-signature'), refused),
  ),
  'webhook-stale': webhook(
    'An old notification is played back',
    'It refuses the old notification, or changes nothing.',
    'tillbox sandbox fault stale',
    notified(withFault('stale'), refusedOrAcknowledged),
  ),
  'webhook-other-json': webhook(
    'A notification is written as another JSON library writes it',
    'It checks the signature over the body as it came, and acknowledges it.',
    'tillbox sandbox fault other-json',
    notified(withFault('other-json'), acknowledged),
  ),
  'webhook-retried': webhook(
    'The endpoint fails, and the notification comes again',
    'It acknowledges a later attempt, or asks for the result.',
    'tillbox webhook receive --status 500 --times 2',
    notified(({ last, fault }) => fault === null && last !== 200, learned),
  ),

  'request-id-reused': corrected(
    'An X-Client-Request-Id is used again',
    'tillbox sale --amount 10.00 --client-request-id <that of the request before>',
    'SBX_DUP_REQUEST',
  ),
  'transaction-request-id-reused': corrected(
    'A transactionRequestId is used again',
    'tillbox sale --amount 10.00 --transaction-request-id <that of the request before>',
    'SBX_DUP_TXN_ID',
  ),
  'clock-wrong': corrected(
    'The clock of the machine is wrong',
    'tillbox api post /v1/semi-integration/transaction/sale -H X-Timestamp:1000000000000',
    'SBX_TIME_SKEW',
  ),
  'key-unknown': corrected(
    'The API key is wrong',
    'tillbox sale --amount 10.00 --api-key wrong',
    'SBX_KEY_UNKNOWN',
  ),
  'key-expired': corrected(
    'The API key was replaced',
    'tillbox sandbox key rotate --overlap 0',
    'SBX_KEY_EXPIRED',
  ),

  'batch-closed': settled(
    'A batch is closed',
    'Its request is accepted.',
    'tillbox batch close --yes',
    accepted('batch-close'),
  ),
  'batch-empty': settled(
    'There is nothing to close',
    'It does not try again.',
    'tillbox batch close --yes && tillbox batch close --yes',
    refusals('SBX_BATCH_EMPTY'),
  ),
  'settlement-failed': settled(
    'The settlement fails',
    'It closes the batch again.',
    'tillbox sandbox fault settlement-failed',
    corrections('SBX_SETTLE_FAIL'),
  ),
  'settled-in-part': settled(
    'Only the batches of one channel are settled',
    'It closes the others later.',
    'tillbox sandbox fault partial-settlement',
    settledInPart,
  ),

  'no-decimals': paid(
    'A currency without decimals',
    'tillbox sale --amount 1000 --price-currency JPY',
    (transaction) => currencyDecimals(transaction) === 0,
  ),
  'three-decimals': paid(
    'A currency with three decimals',
    'tillbox sale --amount 1.000 --price-currency KWD',
    (transaction) => currencyDecimals(transaction) === 3,
  ),
  tip: paid('A tip', 'tillbox sale --amount 10.00 --tip-amount 2.00', ({ tip }) => tip > 0),
  tax: paid('Tax', 'tillbox sale --amount 10.00 --set taxAmount=1.00', ({ tax }) => tax > 0),
  surcharge: paid(
    'A surcharge',
    'tillbox sale --amount 10.00 --set surchargeAmount=0.50',
    ({ surcharge }) => surcharge > 0,
  ),
} as const satisfies Readonly<Record<string, Situation>>

/** Name of a situation. */
export type SituationName = keyof typeof situations

export const situationNames = Object.keys(situations) as readonly SituationName[]

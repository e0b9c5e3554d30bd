import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '../../contract/errors.ts'
import { isLookUp, isSettlement, type OperationName, operations } from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import {
  type AttemptResult,
  arrived,
  hasLearned,
  type Run,
  type RunNotification,
  type RunRequest,
} from './run.ts'

/** A situation that a run met. */
export interface Meeting {
  /** What the merchant's code left out; null: it did what sound code does. */
  readonly gap: string | null
  readonly transactionId: string | null
  /** Of the request in the log where it was met. */
  readonly traceId: string | null
}

/** Finds where a run met a situation, and what the merchant's code did then. */
export type Meet = (run: Run) => readonly Meeting[]

const ofTransaction = ({ id }: Transaction, gap: string | null): Meeting => ({
  gap,
  transactionId: id,
  traceId: null,
})

const ofRequest = ({ entry, transactionIds }: RunRequest, gap: string | null): Meeting => ({
  gap,
  transactionId: transactionIds[0] ?? null,
  traceId: entry.traceId,
})

const unlearned = 'it did not learn the result: no query after it, and no notification that it acknowledged'

/** Transactions with a result, which the merchant's code must learn; it must act on none that failed. */
export const results =
  (isMet: (transaction: Transaction, run: Run) => boolean): Meet =>
  (run) =>
    run.transactions
      .filter((transaction) => isFinal(transaction.status) && isMet(transaction, run))
      .filter((transaction) => !isSpoilt(run, transaction))
      .map((transaction) => ofTransaction(transaction, gapAfter(run, transaction)))

/** True where a fault kept the notification away: that is a situation of its own. */
const isSpoilt = ({ notifications }: Run, { id }: Transaction): boolean =>
  notifications.some(
    ({ delivery, attempts }) =>
      delivery.transactionId === id && !delivery.delivered && attempts.some(({ fault }) => fault !== null),
  )

function gapAfter(run: Run, transaction: Transaction): string | null {
  if (!hasLearned(run, transaction)) return unlearned
  const again = paidTwice(run, transaction)
  if (again !== undefined) return `the order was paid twice: ${again.id} is approved, too`
  const acted = run.requests.find(({ members, entry }) => {
    const { originalTransactionId: id, originalTransactionRequestId: requestId } = members
    const isOriginal = id === transaction.id || (id == null && requestId === transaction.transactionRequestId)
    return entry.code === 'SBX_NOT_ALLOWED' && isOriginal
  })
  if (transaction.status !== 'SUCCESS' && acted !== undefined)
    return `it acted on a payment that is not approved: ${acted.operation}`
  return null
}

/** Another approved sale of the same order and amount, begun before this one was final, which nothing took back. */
const paidTwice = ({ transactions }: Run, { id, orderId, type, order, status, ...one }: Transaction) =>
  type === 'SALE' && status === 'SUCCESS' && orderId !== null
    ? transactions.find(
        (other) =>
          other.id !== id &&
          other.orderId === orderId &&
          other.type === type &&
          other.order === order &&
          other.createdAt < (one.completedAt ?? 0) &&
          one.createdAt < (other.completedAt ?? 0) &&
          other.status === 'SUCCESS' &&
          other.followUps?.voided !== true &&
          other.followUps?.refunded == null,
      )
    : undefined

/** Requests with such a refusal. Sending the same again without a change is no answer to it. */
export const refusals =
  (code: ErrorCode, operation?: OperationName): Meet =>
  ({ requests }) =>
    requests.flatMap((request, index) => {
      if (request.entry.code !== code || (operation !== undefined && request.operation !== operation))
        return []
      const again = requests.slice(index + 1).find(({ entry }) => isSameBody(entry, request.entry))
      const isRepeated = again?.entry.code === code
      return [ofRequest(request, isRepeated ? 'it sent the same request again, without a change' : null)]
    })

type Entry = RunRequest['entry']

const isSameBody = (one: Entry, other: Entry): boolean =>
  one.operation === other.operation && other.body !== '' && one.body === other.body

/** Refused requests that a sound client corrects and sends again: with the right time, or with a new id. */
export const corrections =
  (code: ErrorCode): Meet =>
  ({ requests }) =>
    requests.flatMap((request, index) => {
      if (request.entry.code !== code) return []
      const corrected = requests
        .slice(index + 1)
        .some(
          ({ operation, entry }) =>
            entry.code === '0' && (operation === request.operation || isLookUp(operation)),
        )
      return [
        ofRequest(
          request,
          corrected ? null : 'no request after it was accepted: it was neither corrected nor asked for',
        ),
      ]
    })

/** Requests that change something and whose answer a fault spoilt: such as `lost-answer`. */
export const spoiltAnswers =
  (isFault: (fault: string) => boolean): Meet =>
  (run) =>
    run.requests.flatMap((request, index) => {
      const { fault } = request.entry
      const { transactionRequestId: id } = request.members
      if (isLookUp(request.operation) || typeof id !== 'string') return []
      if (fault === null || !isFault(fault)) return []
      return [ofRequest(request, gapAfterSpoilt(run, request, index))]
    })

/** Whether it was looked up, sent again with the same id or taken back, before anything was paid with another one. */
function gapAfterSpoilt(run: Run, request: RunRequest, index: number): string | null {
  const { transactionRequestId: id } = request.members
  const later = run.requests.slice(index + 1)
  const next = later.findIndex((each) => isResolvedBy(request, each))
  const other = later.findIndex(
    (each) => each.members.transactionRequestId !== id && hasSamePurpose(each, request),
  )
  if (other !== -1 && (next === -1 || other < next))
    return 'it paid again with another transactionRequestId, before it asked what became of the first one'
  if (next === -1) {
    const transaction = run.transactions.find(({ transactionRequestId }) => transactionRequestId === id)
    if (transaction !== undefined && hasLearned(run, transaction)) return null // by its notification
    return 'it neither asked what became of the request, nor sent it again with the same id, nor took it back'
  }
  const wait = retryAfterMs(request)
  const waited = (later[next]?.entry.at ?? 0) - request.entry.at
  return waited < wait ? `it did not wait for the ${wait / 1_000} s of Retry-After` : null
}

/** The same order, or the same original, amount and terminal; one of two orders is another purchase. */
function hasSamePurpose(one: RunRequest, other: RunRequest): boolean {
  const [{ referenceOrderId: order }, { referenceOrderId: otherOrder }] = [one.members, other.members]
  if (one.operation !== other.operation) return false
  if (order !== undefined && otherOrder !== undefined) return order === otherOrder
  const target = ({ members }: RunRequest) =>
    ['originalTransactionId', 'originalTransactionRequestId', 'amount', 'terminalSn'].map(
      (name) => members[name],
    )
  return isDeepStrictEqual(target(one), target(other))
}

/**
 * Whether a later request says what became of one: an answered look-up, the same again, or what takes it back. Of a close,
 * any look at batches, and the next close.
 */
function isResolvedBy({ operation, members, transactionIds }: RunRequest, later: RunRequest): boolean {
  if (isLookUp(later.operation) && !isAnswered(later)) return false
  if (isSettlement(operations[operation])) return isSettlement(operations[later.operation])
  const { transactionRequestId, originalTransactionRequestId } = later.members
  return (
    [transactionRequestId, originalTransactionRequestId].includes(members.transactionRequestId) ||
    (isLookUp(later.operation) && later.transactionIds.some((each) => transactionIds.includes(each)))
  )
}

/** Whether a look-up had an answer: the record, or that there is none. */
const isAnswered = ({ entry }: RunRequest): boolean =>
  (entry.code === '0' || entry.code === 'SBX_TXN_UNKNOWN') && arrived(entry)

/** What Retry-After asked for; 0 without one. Milliseconds. docs/faults.md#kinds */
function retryAfterMs({ entry: { fault } }: RunRequest): number {
  const [, status = '', seconds] = /^http-(\d+)(?:=(\d+))?/.exec(fault ?? '') ?? []
  return Number(seconds ?? (['429', '503'].includes(status) ? 1 : 0)) * 1_000
}

/** Notifications of which an attempt was as asked for; `judge` says what was left out after it. */
export const notified =
  (
    isMet: (attempt: AttemptResult, notification: RunNotification) => boolean,
    judge: (run: Run, notification: RunNotification) => string | null,
  ): Meet =>
  (run) =>
    run.notifications
      .filter((notification) => notification.attempts.some((attempt) => isMet(attempt, notification)))
      .map((notification) => ({
        gap: judge(run, notification),
        transactionId: notification.delivery.transactionId,
        traceId: null,
      }))

/** Every notification is acknowledged in the end. */
export const acknowledged = (_: Run, { delivery, attempts }: RunNotification): string | null =>
  delivery.delivered
    ? null
    : `its endpoint did not acknowledge it with 200: ${attempts.at(-1)?.last ?? 'no answer'}`

/** The result is known, by whichever way. */
export function learned(run: Run, { delivery }: RunNotification): string | null {
  const transaction = run.transactions.find(({ id }) => id === delivery.transactionId)
  return transaction === undefined || hasLearned(run, transaction) ? null : unlearned
}

/** What nobody sent is refused, with a status of the client's fault. */
export function refused(_: Run, { attempts }: RunNotification): string | null {
  const last = lastWithFault(attempts, 'bad-signature')
  if (last === 200) return 'its endpoint acknowledged it, so it did not check the signature'
  return isRefusal(last) ? null : `its endpoint must refuse it with a status such as 401; it answered ${last}`
}

/** What may be played back is refused for its time, or acknowledged: nothing is new in it. */
export function refusedOrAcknowledged(_: Run, { attempts }: RunNotification): string | null {
  const last = lastWithFault(attempts, 'stale')
  return last === 200 || isRefusal(last)
    ? null
    : `its endpoint must refuse it, or acknowledge it with 200; it answered ${last}`
}

const lastWithFault = (attempts: RunNotification['attempts'], fault: string) =>
  attempts.find((each) => each.fault?.includes(fault))?.last

const isRefusal = (last: unknown): boolean => typeof last === 'number' && last >= 400 && last < 500

/** Accepted requests of an operation. */
export const accepted =
  (operation: OperationName): Meet =>
  ({ requests }) =>
    requests
      .filter((request) => request.operation === operation && request.entry.code === '0')
      .map((request) => ofRequest(request, null))

/** Closes of which a fault settled only a part: the others stay open until they are closed. */
export const settledInPart: Meet = ({ requests }) =>
  requests.flatMap((request, index) => {
    if (request.entry.fault !== 'partial-settlement') return []
    const isClosedLater = requests.slice(index + 1).some(({ operation }) => closesBatches(operation))
    return [ofRequest(request, isClosedLater ? null : 'it did not close the batches that were left')]
  })

const closesBatches = (name: OperationName): boolean => isSettlement(operations[name]) && !isLookUp(name)

import { isDeepStrictEqual } from 'node:util'
import { drawDelay, isFault, readFault } from '../../contract/control/faults.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import {
  isLookUp,
  isSettlement,
  type OperationName,
  operationRow,
  operations,
} from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import {
  type AttemptResult,
  arrived,
  hasLearned,
  type Run,
  type RunNotification,
  type RunRequest,
  startOf,
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
  const acted = run.requests.find(({ members, entry, operation }, index) => {
    const { originalTransactionId: id, originalTransactionRequestId: requestId } = members
    const isOriginal = id === transaction.id || (id == null && requestId === transaction.transactionRequestId)
    const mayComeLate = () => takesBackUnknown(operation, transaction, run.requests.slice(0, index))
    return entry.code === 'SBX_NOT_ALLOWED' && isOriginal && !mayComeLate()
  })
  if (transaction.status !== 'SUCCESS' && acted !== undefined)
    return `it acted on a payment that is not approved: ${acted.operation}`
  return null
}

/**
 * True for what ends payments without a result, and for a void after a lost answer, until an answer tells the
 * end.
 */
function takesBackUnknown(
  operation: OperationName,
  transaction: Transaction,
  before: readonly RunRequest[],
): boolean {
  const { opens, ends } = operationRow(operation)
  if (opens !== 'VOID') return ends === true
  const isLost = before.some(
    ({ members, entry }) =>
      members.transactionRequestId === transaction.transactionRequestId && !arrived(entry),
  )
  return isLost && !hasLearned({ requests: before, transactions: [], notifications: [] }, transaction)
}

/**
 * Another approved sale of the order, begun before this one was final, and not taken back: of the same
 * amount, or at the same terminal. Other amounts at two terminals are a bill that is split.
 */
const paidTwice = ({ transactions }: Run, { id, orderId, type, order, status, ...one }: Transaction) =>
  type === 'SALE' && status === 'SUCCESS' && orderId !== null
    ? transactions.find(
        (other) =>
          other.id !== id &&
          other.orderId === orderId &&
          other.type === type &&
          (other.order === order || other.terminalSn === one.terminalSn) &&
          other.createdAt < (one.completedAt ?? 0) &&
          one.createdAt < (other.completedAt ?? 0) &&
          other.status === 'SUCCESS' &&
          other.followUps?.voided !== true &&
          other.followUps?.refunded == null,
      )
    : undefined

/**
 * Requests with such a refusal. Sending the same again without a change is no answer to it, whatever its id.
 */
export const refusals =
  (code: ErrorCode, operation?: OperationName): Meet =>
  (run) =>
    refusedWith(run, code, operation).map(({ request, repeats }) =>
      ofRequest(request, repeats.length > 0 ? 'it sent the same request again, without a change' : null),
    )

/** Most tries at a busy terminal that are patience. */
const mostBusyTries = 3

/** Requests that a busy terminal refused: a client may try again, but not without end. */
export const busyTerminals: Meet = (run) =>
  refusedWith(run, 'SBX_TERM_BUSY').map(({ request, repeats }) => {
    const isEndless = repeats.length >= mostBusyTries
    return ofRequest(request, isEndless ? 'it tried the busy terminal again and again' : null)
  })

/** Requests with such a refusal, each with those of the same content that were refused again. */
const refusedWith = ({ requests }: Run, code: ErrorCode, operation?: OperationName) =>
  requests.flatMap((request, index) => {
    const { entry } = request
    if (entry.code !== code || (operation !== undefined && request.operation !== operation)) return []
    const later = requests.slice(index + 1)
    // a batch may have something to close again
    const end = isSettlement(operations[request.operation]) ? later.findIndex(changesSomething) : -1
    const repeats = later
      .slice(0, end === -1 ? undefined : end)
      .filter((each) => each.entry.code === code && isSameContent(each, request))
    return [{ request, repeats }]
  })

const changesSomething = ({ operation, entry }: RunRequest): boolean =>
  !isLookUp(operation) && entry.code === '0'

function isSameContent(one: RunRequest, other: RunRequest): boolean {
  const [{ transactionRequestId: _, ...content }, { transactionRequestId: __, ...otherContent }] = [
    one.members,
    other.members,
  ]
  return (
    one.operation === other.operation && one.entry.body !== '' && isDeepStrictEqual(content, otherContent)
  )
}

/** Refused requests that a sound client corrects and sends again: with the right time, or with a new id. */
export const corrections =
  (code: ErrorCode): Meet =>
  ({ requests }) =>
    requests.flatMap((request, index) => {
      if (request.entry.code !== code) return []
      const isCorrected = requests.slice(index + 1).some((later) => corrects(request, later))
      const gap = 'no request about it was accepted after it: it was neither corrected nor asked for'
      return [ofRequest(request, isCorrected ? null : gap)]
    })

/**
 * True for an accepted request that is the refused one put right, or asks what became of the one before it.
 */
const corrects = (request: RunRequest, later: RunRequest): boolean =>
  later.entry.code === '0' &&
  (isUnread(request)
    ? request.operation === later.operation
    : hasSamePurpose(request, later) || isResolvedBy(request, later))

/** True where the body of a POST was not kept: nobody knows what it was about. */
const isUnread = ({ entry: { method, body } }: RunRequest): boolean => method === 'POST' && body === ''

/** Requests that change something and whose answer a fault spoilt: such as `lost-answer`. */
export const spoiltAnswers =
  (isMet: (fault: string) => boolean): Meet =>
  (run) =>
    run.requests.flatMap((request, index) => {
      const { fault } = request.entry
      const { transactionRequestId: id } = request.members
      if (isLookUp(request.operation) || typeof id !== 'string') return []
      if (fault === null || !isMet(fault) || (fault.startsWith('latency') && !isGivenUp(run, request)))
        return []
      return [ofRequest(request, gapAfterSpoilt(run, request, index))]
    })

/**
 * When the answer to a request leaves at the latest, if a fault holds it back; wall-clock time in
 * milliseconds.
 */
function latestAnswer({ entry }: RunRequest): number {
  const fault = readFault(entry.fault ?? '')
  const isLate = isFault(fault) && fault.kind === 'latency'
  return entry.at + (isLate ? drawDelay(fault.delay, [0.99, 0]) : 0)
}

/** True where something about the request was sent before its answer left: the client waited no longer. */
const isGivenUp = ({ requests }: Run, request: RunRequest): boolean =>
  requests.some(
    (other) =>
      startOf(other) > startOf(request) &&
      startOf(other) < latestAnswer(request) &&
      (isResolvedBy(request, other) || hasSamePurpose(request, other)),
  )

/** Whether it was looked up, sent again with its id or taken back, before another one was paid. */
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
  const waited = startOf(later[next] ?? request) - request.entry.at
  return waited < wait ? `it did not wait for the ${wait / 1_000} s of Retry-After` : null
}

/**
 * The same order with the same amount or at the same terminal, as in `paidTwice`; or the same original,
 * amount and terminal. One of two orders is another purchase.
 */
function hasSamePurpose(one: RunRequest, other: RunRequest): boolean {
  if (one.operation !== other.operation) return false
  const isEqual = (name: string) => isDeepStrictEqual(one.members[name] ?? null, other.members[name] ?? null)
  if (one.members.referenceOrderId != null && other.members.referenceOrderId != null)
    return isEqual('referenceOrderId') && (isEqual('amount') || isEqual('terminalSn'))
  return ['originalTransactionId', 'originalTransactionRequestId', 'amount', 'terminalSn'].every(isEqual)
}

/**
 * Whether a later request says what became of one: an answered look-up, the same again, or what takes it
 * back. Of a close, any look at batches, and the next close.
 */
function isResolvedBy({ operation, members, transactionIds }: RunRequest, later: RunRequest): boolean {
  if (isLookUp(later.operation) && !isAnswered(later)) return false
  if (isSettlement(operations[operation])) return isSettlement(operations[later.operation])
  const { transactionRequestId: id } = members
  const isNamed =
    id === later.members.transactionRequestId || id === later.members.originalTransactionRequestId
  return (
    (id != null && isNamed) ||
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
    judge: (run: Run, notification: RunNotification) => string | null | undefined,
  ): Meet =>
  (run) =>
    run.notifications
      .filter((notification) => notification.attempts.some((attempt) => isMet(attempt, notification)))
      .flatMap((notification) => {
        const gap = judge(run, notification)
        return gap === undefined
          ? []
          : [{ gap, transactionId: notification.delivery.transactionId, traceId: null }]
      })

/** Every notification is acknowledged once; what a repeat is answered does not matter then. */
export const acknowledged = (_: Run, { delivery, attempts }: RunNotification): string | null =>
  delivery.delivered || attempts.some(isGenuineAndTaken)
    ? null
    : `its endpoint did not acknowledge it with 200: ${attempts.at(-1)?.last ?? 'no answer'}`

/** The result is known, by whichever way. */
export function learned(run: Run, { delivery }: RunNotification): string | null {
  const transaction = run.transactions.find(({ id }) => id === delivery.transactionId)
  return transaction === undefined || hasLearned(run, transaction) ? null : unlearned
}

/** What nobody sent is refused each time, with a status of the client's fault once it was read. */
export function refused(run: Run, notification: RunNotification): string | null | undefined {
  const answers = answersTo(notification, 'bad-signature')
  if (answers.includes(200)) return 'its endpoint acknowledged it, so it did not check the signature'
  if (answers.some(isRefusal)) return takesGenuine(run, notification) ? null : undefined
  return `its endpoint must refuse it with a status such as 401; it answered ${answers.at(-1)}`
}

/** What may be played back is refused for its time, or acknowledged: nothing is new in it. */
export function refusedOrAcknowledged(run: Run, notification: RunNotification): string | null | undefined {
  const answers = answersTo(notification, 'stale')
  if (answers.includes(200)) return null
  if (answers.some(isRefusal)) return takesGenuine(run, notification) ? null : undefined
  return `its endpoint must refuse it, or acknowledge it with 200; it answered ${answers.at(-1)}`
}

/**
 * True for an endpoint that takes genuine notifications: one that refuses all proves nothing by a refusal.
 */
const takesGenuine = ({ notifications }: Run, { delivery: { url } }: RunNotification): boolean =>
  notifications.some(({ delivery, attempts }) => delivery.url === url && attempts.some(isGenuineAndTaken))

const isGenuineAndTaken = ({ fault, last }: AttemptResult): boolean =>
  last === 200 && !/bad-signature|stale/.test(fault ?? '')

const answersTo = ({ attempts }: RunNotification, fault: string) =>
  attempts.filter((each) => each.fault?.includes(fault)).map(({ last }) => last)

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

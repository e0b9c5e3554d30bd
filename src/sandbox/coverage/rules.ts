import { isDeepStrictEqual } from 'node:util'
import { drawDelay, isFault, readFault } from '../../contract/control/faults.ts'
import { exponentOf } from '../../contract/currencies.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Seen, SeenResult } from '../../contract/exam/situation.ts'
import {
  isLookUp,
  isSettlement,
  type OperationName,
  operationRow,
  operations,
} from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import { hasMoment } from '../../domain/model/timeline.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import {
  arrived,
  hasLearned,
  isTaken,
  type Meet,
  type Meeting,
  type Run,
  type RunRequest,
  startOf,
  unlearned,
} from './run.ts'
import { notified } from './webhook-rules.ts'

/** The rule that judges what is seen so. */
export function ruleFor(seen: Seen): Meet {
  if ('result' in seen) return results((transaction, run) => isSeen(seen.result, transaction, run))
  if ('refusal' in seen) return refusals(seen.refusal, seen.operation)
  if ('busy' in seen) return busyTerminals(seen.busy)
  if ('correction' in seen) return corrections(seen.correction)
  if ('spoilt' in seen) return spoiltAnswers((fault) => fault.split('=')[0] === seen.spoilt)
  if ('lookUp' in seen) return spoiltLookUps
  if ('held' in seen) return heldAnswers(seen.held)
  if ('webhook' in seen) return notified(seen)
  if ('accepted' in seen) return accepted(seen.accepted)
  seen.settledInPart satisfies true
  return settledInPart
}

/** True for a result of which all of this holds. */
function isSeen(seen: SeenResult, transaction: Transaction, { transactions }: Run): boolean {
  const { type, status, outcomes, closedBy, moment, page, isPart, has, decimals } = seen
  const { online, originalId, outcome, timeline } = transaction
  if (outcomes !== undefined && transaction.type === 'REFUND') return false // a situation of its own
  return (
    (type === undefined || type === transaction.type) &&
    (status === undefined || status === transaction.status) &&
    (outcomes === undefined || outcomes.some((each) => each === outcome)) &&
    (closedBy === undefined || closedBy.some((each) => each === timeline.at(-1))) &&
    (moment === undefined || hasMoment(transaction, moment)) &&
    (page !== 'paid' || online?.sessionId != null) &&
    (page !== 'tried-again' || (online?.tries ?? 0) > 0) &&
    (isPart === undefined ||
      transactions.some(({ id, order }) => id === originalId && order > transaction.order)) &&
    (has === undefined || transaction[has] > 0) &&
    (decimals === undefined || decimals === exponentOf(transaction.currency))
  )
}

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

/** Transactions with a result, which the merchant's code must learn; it must act on none that failed. */
const results =
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

/** Left out where an order has two payments. */
const paidAgain = 'the order was paid twice'
const sentAnew =
  'it paid again with another transactionRequestId, before it asked what became of the first one'

/** True for what an order that is right disproves: it was learned by another way, or its bill was split. */
export const isDisproved = (gap: string): boolean =>
  gap === unlearned || gap === sentAnew || gap.startsWith(paidAgain)

function gapAfter(run: Run, transaction: Transaction): string | null {
  if (!hasLearned(run, transaction)) return unlearned
  const again = paidTwice(run, transaction)
  if (again !== undefined) return `${paidAgain}: ${again.id} is approved, too`
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
  const told = { merchantId: '', requests: before, transactions: [], notifications: [] }
  return isLost && !hasLearned(told, transaction)
}

/**
 * Another approved sale of the order, begun before this one was final, and not taken back: of the same
 * amount, or at the same terminal. Other amounts at two terminals are a bill that is split.
 */
const paidTwice = ({ transactions }: Run, { id, orderId, type, order, status, ...one }: Transaction) =>
  type === 'SALE' && status === 'SUCCESS' && orderId !== null && stands(one)
    ? transactions.find(
        (other) =>
          other.id !== id &&
          other.orderId === orderId &&
          other.type === type &&
          (other.order === order || other.terminalSn === one.terminalSn) &&
          other.createdAt < (one.completedAt ?? 0) &&
          one.createdAt < (other.completedAt ?? 0) &&
          other.status === 'SUCCESS' &&
          stands(other),
      )
    : undefined

/** True for what was not given back. */
const stands = ({ followUps }: Pick<Transaction, 'followUps'>): boolean =>
  followUps?.voided !== true && followUps?.refunded == null

/**
 * Requests with such a refusal. Sending the same again without a change is no answer to it, whatever its id.
 */
const refusals =
  (code: ErrorCode, operation?: OperationName): Meet =>
  (run) =>
    refusedWith(run, code, operation).map(({ request, repeats }) =>
      ofRequest(request, repeats.length > 0 ? 'it sent the same request again, without a change' : null),
    )

/** Most tries at a busy terminal that are patience. */
const mostBusyTries = 3

/** Requests that a busy terminal refused: a client may try again, but not without end. */
const busyTerminals =
  (code: ErrorCode): Meet =>
  (run) =>
    refusedWith(run, code).map(({ request, repeats }) => {
      const isEndless = repeats.length >= mostBusyTries
      return ofRequest(request, isEndless ? 'it tried the busy terminal again and again' : null)
    })

/** Requests with such a refusal, each with those of the same content that were refused again. */
const refusedWith = ({ requests }: Run, code: ErrorCode, operation?: OperationName) =>
  requests.flatMap((request, index) => {
    const { entry } = request
    if (entry.code !== code || (operation !== undefined && request.operation !== operation)) return []
    const later = requests.slice(index + 1)
    // a batch may have something to close again, and is closed each night
    const mayClose = (each: RunRequest) =>
      changesSomething(each) || each.entry.sandboxAt - entry.sandboxAt > anHour
    const end = isSettlement(operations[request.operation]) ? later.findIndex(mayClose) : -1
    const repeats = later
      .slice(0, end === -1 ? undefined : end)
      .filter((each) => each.entry.code === code && isSameContent(each, request))
    return [{ request, repeats }]
  })

/** Milliseconds. */
const anHour = 3_600_000

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

/** Refused requests that are to be corrected and sent again: with the right time, or with a new id. */
const corrections =
  (code: ErrorCode): Meet =>
  (run) =>
    run.requests.flatMap((request, index) => {
      if (request.entry.code !== code) return []
      const later = run.requests.slice(index + 1)
      const isCorrected =
        later.some((each) => corrects(run, request, each)) ||
        isKnownRepeat(run, request) ||
        isProbe(request, later)
      const gap = 'no request about it was accepted after it: it was neither corrected nor asked for'
      return [ofRequest(request, isCorrected ? null : gap)]
    })

/**
 * True for an accepted request that is the refused one put right, or asks what became of the one before it.
 */
const corrects = (run: Run, request: RunRequest, later: RunRequest): boolean =>
  later.entry.code === '0' &&
  (isUnread(request)
    ? request.operation === later.operation
    : hasSamePurpose(request, later) || (isResolvedBy(request, later) && !isCollision(run, request)))

/** The request that had this id first. */
const firstWithId = ({ requests }: Run, { members: { transactionRequestId: id } }: RunRequest) =>
  requests.find(({ operation, members }) => !isLookUp(operation) && members.transactionRequestId === id)

/**
 * True for another purchase with an id that is used, by a client that knows the first one: what that came to
 * says nothing of it.
 */
function isCollision(run: Run, request: RunRequest): boolean {
  const first = firstWithId(run, request)
  if (first === undefined || first === request || !arrived(first.entry)) return false
  return !isUnread(first) && !hasSamePurpose(first, request)
}

/** True for what an earlier request asked for already, and whose result is known. */
function isKnownRepeat(run: Run, request: RunRequest): boolean {
  const first = firstWithId(run, request)
  const { transactionRequestId: id } = request.members
  const opened = run.transactions.find(({ transactionRequestId }) => transactionRequestId === id)
  const isRepeat = first !== undefined && first !== request && hasSamePurpose(first, request)
  return isRepeat && opened !== undefined && hasLearned(run, opened)
}

/** True for a look-up with a wrong key or clock, before any request with right ones. */
const isProbe = ({ operation, entry }: RunRequest, later: readonly RunRequest[]): boolean =>
  isLookUp(operation) && /^SBX_(KEY_|TIME_)/.test(entry.code) && later.some((each) => each.entry.code === '0')

/** True where the body of a POST was not kept: nobody knows what it was about. */
const isUnread = ({ entry: { method, body } }: RunRequest): boolean => method === 'POST' && body === ''

/** Requests that change something and whose answer a fault spoilt: such as `lost-answer`. */
const spoiltAnswers =
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
  const opened = run.transactions.find(({ transactionRequestId }) => transactionRequestId === id)
  const isKnown = opened !== undefined && hasLearned(run, opened)
  const next = later.findIndex((each) => tellsWhatBecame(run, request, each))
  const other = later.findIndex(
    (each) =>
      each.members.transactionRequestId !== id &&
      hasSamePurpose(each, request) &&
      startOf(each) >= request.entry.at, // else it was sent before anything was lost
  )
  if (isCarriedOut(request)) {
    const hasFailed = opened !== undefined && hadFailed(run, opened, later[other])
    if (other !== -1 && (next === -1 || other < next) && !hasFailed) return sentAnew
    const isAsked = later.some((each) => tellsAnything(run, request, each))
    if (!isAsked && !isKnown)
      return 'it neither asked what became of the request, nor sent it again with the same id, nor took it back'
  }
  const wait = retryAfterMs(request)
  const first = later[[next, other].filter((each) => each !== -1).sort((one, two) => one - two)[0] ?? -1]
  return first !== undefined && startOf(first) - request.entry.at < wait
    ? `it did not wait for the ${wait / 1_000} s of Retry-After`
    : null
}

/** Whether a payment had failed when another was begun, of which a notification told. */
const hadFailed = (run: Run, opened: Transaction, other: RunRequest | undefined): boolean =>
  other !== undefined &&
  opened.status !== 'SUCCESS' &&
  (opened.completedAt ?? Number.POSITIVE_INFINITY) <= other.entry.sandboxAt &&
  run.notifications.some(
    ({ delivery, attempts }) =>
      delivery.transactionId === opened.id && isFinal(delivery.status) && attempts.some(isTaken),
  )

/** False for what was refused for its number: nothing of it was carried out. docs/faults.md#kinds */
const isCarriedOut = ({ entry: { fault } }: RunRequest): boolean => !fault?.startsWith('http-429')

/** What tells what became of a request, or that it exists: it is open, or was refused as known. */
const tellsAnything = (run: Run, request: RunRequest, later: RunRequest): boolean =>
  tellsWhatBecame(run, request, later) ||
  (isResolvedBy(request, later) && (isLookUp(later.operation) || later.entry.code.startsWith('SBX_DUP_')))

/**
 * Whether a later request tells what became of one: an answered look-up, the same again, if it was accepted,
 * or what took it back.
 */
function tellsWhatBecame(run: Run, request: RunRequest, later: RunRequest): boolean {
  const { operation, entry, members, transactionIds } = later
  if (!isResolvedBy(request, later)) return false
  if (isSettlement(operations[operation])) return true
  if (isLookUp(operation)) return entry.code !== '0' || /"transactionStatus":"[SFC]/.test(entry.answer)
  const isAccepted = entry.code === '0' && arrived(entry)
  if (
    members.transactionRequestId === request.members.transactionRequestId &&
    operation === request.operation
  )
    return isAccepted
  if (entry.code === 'SBX_TXN_UNKNOWN' || entry.code === 'SBX_SESSION_NONE') return true
  const { opens } = operationRow(operation)
  if (opens === undefined) return isAccepted && /"transactionStatus":"C"|"sessionStatus":/.test(entry.answer)
  const back = run.transactions.find(({ id }) => id === transactionIds[0])
  const taken = run.transactions.find(({ id }) => id === back?.originalId)
  return (
    back?.type === opens && back.status === 'SUCCESS' && (opens === 'VOID' || taken?.order === back.order)
  )
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
  if (isSettlement(operations[operation])) {
    const { terminalSn } = later.members
    const isOther =
      [terminalSn, members.terminalSn].every((each) => each != null) && terminalSn !== members.terminalSn
    return isSettlement(operations[later.operation]) && !isOther
  }
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

/** Look-ups whose answer a fault spoilt: the result is learned another way, or later. */
const spoiltLookUps: Meet = (run) =>
  run.requests.flatMap((request) => {
    const { fault } = request.entry
    if (!isLookUp(request.operation) || fault === null || fault.startsWith('after-')) return []
    const about = run.transactions.filter(
      ({ id, status }) => isFinal(status) && request.transactionIds.includes(id),
    )
    return [ofRequest(request, about.every((each) => hasLearned(run, each)) ? null : unlearned)]
  })

/** Answers that a fault held until something else had happened. */
const heldAnswers =
  (held: string): Meet =>
  (run) =>
    run.requests.flatMap((request) => {
      if (isLookUp(request.operation) || request.entry.fault !== held) return []
      const about = run.transactions.filter(({ id }) => request.transactionIds.includes(id))
      const gap = about.map((each) => gapAfter(run, each)).find((each) => each !== null)
      return [ofRequest(request, gap ?? null)]
    })

/** Accepted requests of an operation. */
const accepted =
  (operation: OperationName): Meet =>
  ({ requests }) =>
    requests
      .filter((request) => request.operation === operation && request.entry.code === '0')
      .map((request) => ofRequest(request, null))

/** Closes of which a fault settled only a part: the others stay open until they are closed. */
const settledInPart: Meet = ({ requests }) =>
  requests.flatMap((request, index) => {
    if (request.entry.fault !== 'partial-settlement') return []
    const isClosedLater = requests.slice(index + 1).some(({ operation }) => closesBatches(operation))
    return [ofRequest(request, isClosedLater ? null : 'it did not close the batches that were left')]
  })

const closesBatches = (name: OperationName): boolean => isSettlement(operations[name]) && !isLookUp(name)

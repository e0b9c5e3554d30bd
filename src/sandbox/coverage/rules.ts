import { isDeepStrictEqual } from 'node:util'
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
import { anHour, sentAnew, spoiltAnswers } from './lost-answers.ts'
import { arrived, hasSamePurpose, isResolvedBy } from './purpose.ts'
import { type Meet, type Meeting, ofRequest, type Run, type RunRequest } from './run.ts'
import { hasLearned, unlearned } from './told.ts'
import { notified } from './webhook-rules.ts'

/** The rule that judges what is seen so. */
export function ruleFor(seen: Seen): Meet {
  if ('result' in seen) return results((transaction, run) => isSeen(seen.result, transaction, run))
  if ('refusal' in seen) return refusals(seen.refusal, seen.operation)
  if ('busy' in seen) return busyTerminals(seen.busy)
  if ('correction' in seen) return corrections(seen.correction)
  if ('spoilt' in seen) return spoiltAnswers((fault) => kindOf(fault) === seen.spoilt)
  if ('lookUp' in seen) return spoiltLookUps
  if ('held' in seen) return heldAnswers(seen.held)
  if ('webhook' in seen) return notified(seen)
  if ('accepted' in seen) return accepted(seen.accepted)
  seen.settledInPart satisfies true
  return settledInPart
}

/** What a fault is to a client: a gateway that fails is a service that fails. */
const kindOf = (fault: string): string => fault.replace(/=.*/, '').replace(/^http-5(?!03)\d\d$/, 'http-500')

/** True for a result of which all of this holds. */
function isSeen(seen: SeenResult, transaction: Transaction, { transactions }: Run): boolean {
  const { type, status, outcomes, closedBy, moment, page, isPart, has, decimals } = seen
  const { online, originalId, outcome, timeline } = transaction
  if (outcomes !== undefined && transaction.type === 'REFUND' && transaction.status === 'FAIL') return false // a situation of its own
  return (
    (type === undefined || type === transaction.type) &&
    (status === undefined || status === transaction.status) &&
    (outcomes === undefined || outcomes.some((each) => each === outcome)) &&
    (closedBy === undefined || closedBy === timeline.at(-1)) &&
    (moment === undefined || hasMoment(transaction, moment)) &&
    (page !== 'none' || online === null) &&
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

/** True for what an order that is right disproves: it was learned by another way, or its bill was split. */
export const isDisproved = (gap: string): boolean =>
  gap === unlearned || gap === sentAnew || gap.startsWith(paidAgain)

function gapAfter(run: Run, transaction: Transaction): string | null {
  if (!hasLearned(run, transaction)) return unlearned
  const again = paidTwice(run, transaction)
  if (again !== undefined)
    return `${transaction.type === 'REFUND' ? 'it was refunded twice' : paidAgain}: ${again.id} is approved, too`
  const acted = run.requests.find((request) => {
    const { originalTransactionId: id, originalTransactionRequestId: requestId } = request.members
    const isOriginal = id === transaction.id || (id == null && requestId === transaction.transactionRequestId)
    return isOriginal && request.entry.code === 'SBX_NOT_ALLOWED' && !mayComeLate(run, request, transaction)
  })
  if (transaction.status !== 'SUCCESS' && acted !== undefined)
    return `your code sent a follow-up of a payment that is not approved: ${acted.operation}`
  return null
}

/** True for what ends payments without a result, and for a void by code that was not yet told the end. */
function mayComeLate(run: Run, request: RunRequest, transaction: Transaction): boolean {
  const { opens, ends } = operationRow(request.operation)
  return ends === true || (opens === 'VOID' && !hasLearned(run, transaction, request))
}

/**
 * Another approved one, begun before the code knew the end of this one, and not taken back: a sale of the
 * same order, of the same amount or at the same terminal, or a refund of the same amount of the same payment.
 * Other amounts at two terminals are a bill that is split.
 */
const paidTwice = (run: Run, one: Transaction) =>
  run.transactions.find(
    (other) =>
      other !== one &&
      other.type === one.type &&
      isSameWish(one, other) &&
      [one, other].every((each) => each.status === 'SUCCESS' && stands(each)) &&
      (isOpenAtBegin(run, one, other) || isOpenAtBegin(run, other, one)),
  )

/**
 * Whether one was not final when another one was begun; of the same amount, whether the code had been told.
 * Who pays two parts of a bill, of other amounts, may begin the second one without a look at the first.
 */
function isOpenAtBegin(run: Run, one: Transaction, later: Transaction): boolean {
  if (later.createdAt < one.createdAt) return false
  if (later.createdAt < (one.completedAt ?? 0)) return true
  const begun = run.requests.find(
    ({ members, entry }) => entry.code === '0' && members.transactionRequestId === later.transactionRequestId,
  )
  return one.order === later.order && begun !== undefined && !hasLearned(run, one, begun)
}

function isSameWish(one: Transaction, other: Transaction): boolean {
  const isEqual = one.order === other.order
  if (one.type === 'REFUND') return one.originalId !== null && one.originalId === other.originalId && isEqual
  const isSameOrder = one.orderId !== null && one.orderId === other.orderId
  return one.type === 'SALE' && isSameOrder && (isEqual || one.terminalSn === other.terminalSn)
}

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
      ofRequest(request, repeats.length > 0 ? 'your code sent the same request again unchanged' : null),
    )

/** Most tries at a busy terminal one upon the other. */
const mostBusyTries = 3

/** Who waits longer before a busy terminal is patient. Milliseconds. */
const patience = 500

/** Requests that a busy terminal refused: a client may try again, but not without a pause. */
const busyTerminals =
  (code: ErrorCode): Meet =>
  (run) =>
    refusedWith(run, code).map(({ request, repeats }) => {
      const tries = [request, ...repeats]
      const hasPause = ({ entry }: RunRequest, at: number) =>
        entry.at - (tries[at]?.entry.at ?? 0) >= patience ||
        entry.sandboxAt - (tries[at]?.entry.sandboxAt ?? 0) >= patience
      const isEndless = repeats.filter((each, at) => !hasPause(each, at)).length >= mostBusyTries
      return ofRequest(
        request,
        isEndless ? 'your code tried the busy terminal again and again without a pause' : null,
      )
    })

/** Requests with such a refusal, each with those of the same content that were refused again. */
const refusedWith = ({ requests }: Run, code: ErrorCode, operation?: OperationName) =>
  requests.flatMap((request, index) => {
    const { entry } = request
    if (entry.code !== code) return []
    if (operation !== undefined && request.operation !== operation) return []
    const later = requests.slice(index + 1)
    // a batch may have something to close again, and is closed each night
    const mayClose = (each: RunRequest) =>
      changesSomething(each) || each.entry.sandboxAt - entry.sandboxAt > anHour
    const end = isSettlement(operations[request.operation]) ? later.findIndex(mayClose) : -1
    const repeats = later
      .slice(0, end === -1 ? undefined : end)
      .filter((each) => each.entry.code === code && isSameContent(each, request))
    // who was not told of a refusal sends the request again; what is asked for may arrive later
    const mayRepeat = !arrived(entry) || isLookUp(request.operation)
    return [{ request, repeats: mayRepeat ? [] : repeats }]
  })

const changesSomething = ({ operation, entry }: RunRequest): boolean =>
  !isLookUp(operation) && entry.code === '0'

function isSameContent(one: RunRequest, other: RunRequest): boolean {
  const [{ transactionRequestId: _, ...content }, { transactionRequestId: __, ...otherContent }] = [
    one.members,
    other.members,
  ]
  return one.operation === other.operation && !isUnread(one) && isDeepStrictEqual(content, otherContent)
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
      const gap =
        'your code neither corrected the request nor queried the first one: no later request was accepted'
      return [ofRequest(request, isCorrected ? null : gap)]
    })

/**
 * True for an accepted request that is the refused one put right, or asks what became of the one before it.
 */
const corrects = (run: Run, request: RunRequest, later: RunRequest): boolean =>
  later.entry.code === '0' &&
  (isUnread(request)
    ? request.operation === later.operation
    : (hasSamePurpose(request, later) && !isStandingRepeat(run, request)) ||
      (isResolvedBy(request, later) && !isCollision(run, request) && !isLookAtFailedClose(request, later)))

/** True for a repeat of what was approved and stands: with a new id it would be charged twice. */
function isStandingRepeat(run: Run, request: RunRequest): boolean {
  const opened = openedBefore(run, request)
  return opened?.status === 'SUCCESS' && stands(opened)
}

/** A settlement that failed is not put right by a look at its batches. */
const isLookAtFailedClose = ({ entry }: RunRequest, later: RunRequest): boolean =>
  entry.code === 'SBX_SETTLE_FAIL' && !closesBatches(later.operation)

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

/** What an earlier request with its id and purpose opened; null: nothing. Undefined: there was none. */
function openedBefore(run: Run, request: RunRequest): Transaction | null | undefined {
  const first = firstWithId(run, request)
  if (first === undefined || first === request || !hasSamePurpose(first, request)) return undefined
  const { transactionRequestId: id } = request.members
  return run.transactions.find(({ transactionRequestId }) => transactionRequestId === id) ?? null
}

/** True for what an earlier request asked for already, and whose result is known. */
function isKnownRepeat(run: Run, request: RunRequest): boolean {
  const opened = openedBefore(run, request)
  const isClose = closesBatches(request.operation) // it was carried out: there is no more to know
  return opened !== undefined && (isClose || (opened !== null && hasLearned(run, opened)))
}

/** True for a look-up with a wrong key or clock, before any request with right ones. */
const isProbe = ({ operation, entry }: RunRequest, later: readonly RunRequest[]): boolean =>
  isLookUp(operation) && /^SBX_(KEY_|TIME_)/.test(entry.code) && later.some((each) => each.entry.code === '0')

/** True where the body of a POST was not kept: nobody knows what it was about. */
const isUnread = ({ entry: { method, body } }: RunRequest): boolean => method === 'POST' && body === ''

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

/** Refusals for the state of the original: of a refund or a void they are situations of their own. */
const ofState = ['SBX_NOT_ALLOWED', 'SBX_WRONG_TYPE', 'SBX_BATCH_CLOSED'] as const

/** Accepted requests of an operation, and those that are sent again as they were refused. */
const accepted =
  (operation: OperationName): Meet =>
  (run) => [
    ...run.requests
      .filter((request) => request.operation === operation && request.entry.code === '0')
      .map((request) => ofRequest(request, null)),
    ...ofState.flatMap((code) => refusals(code, operation)(run)).filter(({ gap }) => gap !== null),
  ]

/** Closes of which a fault settled only a part: the others stay open until they are closed. */
const settledInPart: Meet = ({ requests }) =>
  requests.flatMap((request, index) => {
    if (request.entry.fault !== 'partial-settlement') return []
    const isClosedLater = requests.slice(index + 1).some(({ operation }) => closesBatches(operation))
    return [ofRequest(request, isClosedLater ? null : 'your code did not close the remaining batches')]
  })

const closesBatches = (name: OperationName): boolean => isSettlement(operations[name]) && !isLookUp(name)

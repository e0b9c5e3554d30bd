import { isDeepStrictEqual } from 'node:util'
import { type ErrorCode, errorTable } from '../../contract/errors.ts'
import { isLookUp, isSettlement, operationRow, operations } from '../../contract/operations.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { arrived, hasSamePurpose, isResolvedBy, isSentAgain } from './purpose.ts'
import { endOf, type Meet, ofRequest, type Run, type RunRequest, startOf } from './run.ts'
import { hasLearned, isGivenUp, notifiedAt } from './told.ts'

/** Answers that were lost or spoilt, and what tells what became of their requests. assumption: coverage */

/** Left out after a lost answer. */
export const sentAnew = 'your code sent a new transactionRequestId before it queried the first request'

/** Requests whose answer a fault spoilt, such as `lost-answer`; of look-ups, only those that are to wait. */
export const spoiltAnswers =
  (isMet: (fault: string) => boolean): Meet =>
  (run) =>
    run.requests.flatMap((request, index) => {
      const { fault } = request.entry
      const { transactionRequestId: id } = request.members
      const isNamed = typeof id === 'string' || request.transactionIds.length > 0
      if (isLookUp(request.operation) ? retryAfterMs(request) === 0 : !isNamed) return []
      if (fault === null || !isMet(fault) || (fault.startsWith('latency') && !isGivenUp(run, request)))
        return []
      return [ofRequest(request, gapAfterSpoilt(run, request, index))]
    })

/** Whether it was looked up, sent again with its id or taken back, before another one was paid. */
function gapAfterSpoilt(run: Run, request: RunRequest, index: number): string | null {
  const later = run.requests.slice(index + 1)
  const opened = run.transactions.find((each) => isEndedBy(request, each))
  const isKnown = opened !== undefined && hasLearned(run, opened)
  const next = later.findIndex((each) => tellsWhatBecame(run, request, each))
  const other = later.findIndex(
    (each) =>
      isTriedAnew(request, each) &&
      isAfter(request, each) && // else it was sent before anything was lost
      (next === -1 || !isOtherPart(request, each)),
  )
  if (isCarriedOut(request)) {
    const isAnother = opened !== undefined && isOtherWish(run, opened, request, later[other])
    if (other !== -1 && (next === -1 || other < next) && !isAnother) return sentAnew
    const isAsked = later.some((each) => tellsAnything(run, request, each))
    if (!isAsked && !isKnown)
      return 'your code neither queried the request, nor repeated it with the same id, nor voided or aborted it'
  }
  const wait = retryAfterMs(request)
  const again = later.find(
    (each) => isAfter(request, each) && (isSentAgain(request, each) || isTriedAnew(request, each)),
  )
  // one look-up that comes early, perhaps from another part of the code, harms nobody
  const isHot = again !== undefined && (!isLookUp(again.operation) || retryAfterMs(again) > 0)
  const isSoon = isHot && again.entry.started - endOf(request) < wait - soonEnough
  return isSoon ? `your code did not wait the ${wait / 1_000} s of Retry-After` : null
}

/** What a request opened, or ends: its end is all that there is to know. */
const isEndedBy = ({ operation, members, transactionIds }: RunRequest, one: Transaction): boolean =>
  one.transactionRequestId === members.transactionRequestId ||
  (operationRow(operation).ends === true && transactionIds.includes(one.id))

const isAfter = (request: RunRequest, later: RunRequest): boolean => later.entry.started >= endOf(request)

/** A payment or follow-up of the same purpose with another id: a tip, or an end, is no second one. */
const isTriedAnew = (request: RunRequest, later: RunRequest): boolean =>
  operationRow(request.operation).opens !== undefined &&
  !isSentAgain(request, later) &&
  hasSamePurpose(later, request)

/** The other part of a bill, of another amount, while the first one is asked for or sent again. */
const isOtherPart = (one: RunRequest, other: RunRequest): boolean =>
  !isDeepStrictEqual(one.members.amount, other.members.amount)

/**
 * True for a request that is no second try of one of which a notification told the end: that failed, or it is
 * a later wish. Perhaps it is made by the handler of the notification.
 */
function isOtherWish(
  run: Run,
  opened: Transaction,
  lost: RunRequest,
  other: RunRequest | undefined,
): boolean {
  const { completedAt, status } = opened
  if (other === undefined || completedAt === null || completedAt > other.entry.sandboxAt) return false
  const isNextCustomer =
    operationRow(lost.operation).opens === 'SALE' && lost.members.referenceOrderId == null
  const isLater = other.entry.sandboxAt - completedAt > anHour
  const isOther = status !== 'SUCCESS' || isNextCustomer || isLater || isOtherPart(lost, other)
  return isOther && notifiedAt(run, opened).some((at) => at <= startOf(other))
}

/** After so long a request of the same purpose is another wish. Milliseconds of the sandbox clock. */
export const anHour = 3_600_000

/** False for a look-up, and for what was refused for its number: it changed nothing. docs/faults.md#kinds */
const isCarriedOut = ({ operation, entry: { fault } }: RunRequest): boolean =>
  !isLookUp(operation) && !fault?.startsWith('http-429')

/** What tells what became of a request, or that it exists: it is open, or was refused as known. */
const tellsAnything = (run: Run, request: RunRequest, later: RunRequest): boolean =>
  tellsWhatBecame(run, request, later) ||
  (isResolvedBy(request, later) && (isLookUp(later.operation) || later.entry.code.startsWith('SBX_DUP_')))

/**
 * Whether a later request tells what became of one: an answered look-up, the same again, if it was accepted
 * or refused by a rule, or what took it back.
 */
function tellsWhatBecame(run: Run, request: RunRequest, later: RunRequest): boolean {
  const { operation, entry, transactionIds } = later
  if (!isResolvedBy(request, later)) return false
  if (isSettlement(operations[operation])) return true
  if (isLookUp(operation)) return entry.code !== '0' || /"transactionStatus":"[SFC]/.test(entry.answer)
  const isAccepted = entry.code === '0' && arrived(entry)
  if (isSentAgain(request, later)) return isAccepted || isRefusedForGood(entry)
  if (entry.code === 'SBX_TXN_UNKNOWN' || entry.code === 'SBX_SESSION_NONE') return true
  const { opens } = operationRow(operation)
  if (opens === undefined) return isAccepted && /"transactionStatus":"C"|"sessionStatus":/.test(entry.answer)
  const back = run.transactions.find(({ id }) => id === transactionIds[0])
  const taken = run.transactions.find(({ id }) => id === back?.originalId)
  return (
    back?.type === opens && back.status === 'SUCCESS' && (opens === 'VOID' || taken?.order === back.order)
  )
}

/** A refusal by the rules, which told that nothing was carried out: not of an id, a key or a clock. */
const isRefusedForGood = (entry: RunRequest['entry']): boolean =>
  arrived(entry) &&
  (entry.code === 'C17' || errorTable[entry.code as ErrorCode]?.kind === 'business') &&
  !entry.code.startsWith('SBX_DUP_')

/** Clocks and timers of clients round. Milliseconds. */
const soonEnough = 50

/** What Retry-After asked for; 0 without one. Milliseconds. docs/faults.md#kinds */
function retryAfterMs({ entry: { fault } }: RunRequest): number {
  const [, status = '', seconds] = /^http-(\d+)(?:=(\d+))?/.exec(fault ?? '') ?? []
  return Number(seconds ?? (['429', '503'].includes(status) ? 1 : 0)) * 1_000
}

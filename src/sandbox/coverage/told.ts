import { drawDelay, isFault, readFault } from '../../contract/control/faults.ts'
import { isLookUp } from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import { arrived, hasSamePurpose, isAbout } from './purpose.ts'
import { type AttemptResult, endOf, type Run, type RunRequest, startOf } from './run.ts'

/** What the merchant's code was told, and when. assumption: coverage */

/** Left out where a result was not learned. */
export const unlearned =
  'your code did not get the result: it sent no query, and acknowledged no notification'

/**
 * Whether the merchant's code was told how a transaction ended, before it sent a request: by an acknowledged
 * notification or an answer, also about what followed, for only an approved payment is voided, refunded or
 * captured.
 */
export function hasLearned(run: Run, transaction: Transaction, before?: RunRequest): boolean {
  const followUps = run.transactions.filter(
    ({ originalId, status }) => originalId === transaction.id && status === 'SUCCESS',
  )
  return [transaction, ...followUps].some((each) => isTold(run, each, before))
}

function isTold(run: Run, transaction: Transaction, before: RunRequest | undefined): boolean {
  if (!isFinal(transaction.status)) return false
  const answers = run.requests.filter((request) => tellsEnd(request, transaction) && !isGivenUp(run, request))
  return (
    answers.some((each) => before === undefined || latestAnswer(each) <= before.entry.started) ||
    notifiedAt(run, transaction).some((at) => before === undefined || at <= startOf(before))
  )
}

/** When its notifications of an end arrived that were acknowledged; wall-clock times in milliseconds. */
export const notifiedAt = ({ notifications }: Run, { id }: Transaction): number[] =>
  notifications
    .filter(({ delivery }) => delivery.transactionId === id && isFinal(delivery.status))
    .flatMap(({ delivery, attempts }) => {
      const taken = attempts.find(isTaken)
      return taken === undefined && !delivery.delivered ? [] : [taken?.at ?? 0]
    })

/** True unless another fault made it a forgery, or an old one. */
export const isGenuine = ({ fault }: AttemptResult): boolean => !/bad-signature|stale/.test(fault ?? '')

/** A genuine notification that was acknowledged. */
export const isTaken = (attempt: AttemptResult): boolean =>
  isGenuine(attempt) && [attempt.last, attempt.copy].includes(200)

/** What in the record of its original shows that a follow-up has ended. */
const inOriginal: Readonly<Partial<Record<Transaction['type'], RegExp>>> = {
  VOID: /(?:)/,
  POST_AUTH: /(?:)/,
  REFUND: /"(relatedTransactionStatus":"|refundableAmount":)/,
  INCREMENTAL: /"totalAuthorizedAmount":/,
}

/** Whether the answer to a request arrived, and has the final status of a transaction. */
function tellsEnd({ operation, transactionIds, entry }: RunRequest, transaction: Transaction): boolean {
  const { id, type, originalId, completedAt } = transaction
  if (entry.code !== '0' || !arrived(entry)) return false
  const isShown = inOriginal[type]?.test(entry.answer) === true && entry.sandboxAt >= (completedAt ?? 0)
  if (isShown && isLookUp(operation) && originalId !== null && transactionIds.includes(originalId))
    return true
  return transactionIds.includes(id) && /"transactionStatus":"[SFC]|"sessionStatus":/.test(entry.answer)
}

/** When the answer to a request leaves at the latest, if a fault holds it back. As `started`. */
const latestAnswer = (request: RunRequest): number => endOf(request) + mostLatency(request.entry)

/** Milliseconds. */
function mostLatency({ fault: name }: LoggedRequest): number {
  const fault = readFault(name ?? '')
  return isFault(fault) && fault.kind === 'latency' ? drawDelay(fault.delay, [0.99, 0]) : 0
}

/**
 * True for a late answer for which the client waited no longer: it closed the connection, or sent something
 * else about its request before.
 */
export const isGivenUp = ({ requests }: Run, request: RunRequest): boolean =>
  mostLatency(request.entry) > 0 &&
  (request.entry.isCutOff ||
    requests.some(
      (other) =>
        other.entry.started > request.entry.started &&
        other.entry.started < latestAnswer(request) &&
        (isAbout(request, other) || (!isLookUp(other.operation) && hasSamePurpose(request, other))),
    ))

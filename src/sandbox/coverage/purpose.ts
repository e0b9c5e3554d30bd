import { isDeepStrictEqual } from 'node:util'
import {
  isLookUp,
  isSettlement,
  type OperationName,
  operationRow,
  operations,
} from '../../contract/operations.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import type { RunRequest } from './run.ts'

/** Which requests are about the same thing. assumption: coverage */

/**
 * The same order with the same amount or at the same terminal, as in `paidTwice`; or the same original,
 * amount and terminal. One of two orders is another purchase.
 */
export function hasSamePurpose(one: RunRequest, other: RunRequest): boolean {
  if (one.operation !== other.operation) return false
  const isEqual = (name: string) => isDeepStrictEqual(one.members[name] ?? null, other.members[name] ?? null)
  if (one.members.referenceOrderId != null && other.members.referenceOrderId != null)
    return isEqual('referenceOrderId') && (isEqual('amount') || isEqual('terminalSn'))
  return ['originalTransactionId', 'originalTransactionRequestId', 'amount', 'terminalSn'].every(isEqual)
}

/** Whether a later request about the same thing says what became of one: any but an unanswered look-up. */
export const isResolvedBy = (request: RunRequest, later: RunRequest): boolean =>
  isAbout(request, later) && (!isLookUp(later.operation) || isAnswered(later))

/** True for what changes an earlier payment and opens none: twice is as good as once, whatever its id. */
const isAmendment = (name: OperationName): boolean =>
  operationRow(name).opens === undefined && !isLookUp(name)

/**
 * Whether a later request is about one: a look-up, the same again, or what takes it back. About a close: any
 * look at batches, and the next close. About a change of a payment: whatever names the payment.
 */
export function isAbout({ operation, members, transactionIds }: RunRequest, later: RunRequest): boolean {
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
    ((isLookUp(later.operation) || isAmendment(operation)) &&
      later.transactionIds.some((each) => transactionIds.includes(each)))
  )
}

/** The same request with its id; of what opens nothing, the same about the same payment. */
export const isSentAgain = (request: RunRequest, later: RunRequest): boolean =>
  later.operation === request.operation && isAbout(request, later)

/** Whether a look-up had an answer: the record, or that there is none. */
const isAnswered = ({ entry }: RunRequest): boolean =>
  (entry.code === '0' || entry.code === 'SBX_TXN_UNKNOWN') && arrived(entry)

/** Whether no fault kept the answer away, and the client waited for it. */
export const arrived = ({ fault, isCutOff }: Pick<LoggedRequest, 'fault' | 'isCutOff'>): boolean =>
  fault === null || (!isCutOff && /^(latency|slow-drip|outcome|after-)/.test(fault))

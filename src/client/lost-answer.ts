import { isSettlement, type OperationName, operationRow } from '../contract/operations.ts'
import type { Members } from '../contract/validate.ts'
import { Unreachable, UnusableAnswer } from './http.ts'
import { ServiceRefusal } from './read-envelope.ts'
import { asText } from './tolerant.ts'

/** Ids by which to look up a request whose answer was lost. */
export interface LookUpIds {
  readonly transactionRequestId?: string | undefined
  /** From an unusable answer. */
  readonly transactionId?: string | undefined
  /** The original of the request. */
  readonly originalTransactionId?: string | undefined
  readonly originalTransactionRequestId?: string | undefined
  readonly sessionId?: string | undefined
}

/** A request was sent but no usable answer came: it may have been carried out. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  constructor(
    override readonly cause: Error,
    /** True for the close of a batch, which cannot be queried. */
    readonly closesBatch: boolean,
    readonly ids: LookUpIds,
    /** True for a new checkout session: the URL of its page is lost. */
    readonly opensSession: boolean,
  ) {
    super(`${cause.message}; ${adviceFor(closesBatch, opensSession, ids)}`)
  }
}

/** How to find out whether the request was carried out. */
function adviceFor(closesBatch: boolean, opensSession: boolean, ids: LookUpIds): string {
  const may = 'it may have been carried out'
  const query = ids.transactionRequestId ?? ids.originalTransactionId ?? ids.originalTransactionRequestId
  if (closesBatch) return `${may}: list the closed batches`
  if (opensSession && query !== undefined)
    return `${may}: expire the session by transactionRequestId ${query}, then open another with a new one`
  if (query !== undefined) return `${may}: query ${query}`
  return `${may}: send it again, which is refused if it was`
}

/** The error for a failed request that changes something: a LostAnswer, unless it was refused or not sent. */
export function lostAnswerOr(error: Error, name: OperationName | undefined, members: Members): Error {
  if (error instanceof ServiceRefusal || (error instanceof Unreachable && error.unsent)) return error
  return asLostAnswer(error, name, members)
}

/** Converts an error to a LostAnswer, with the ids to look the request up by. */
export function asLostAnswer(error: Error, name: OperationName | undefined, members: Members): LostAnswer {
  const ids = {
    transactionRequestId: asText(members.transactionRequestId),
    transactionId: error instanceof UnusableAnswer ? error.transactionId : undefined,
    originalTransactionId: asText(members.originalTransactionId),
    originalTransactionRequestId: asText(members.originalTransactionRequestId),
    sessionId: asText(members.sessionId),
  }
  const operation = name && operationRow(name)
  return new LostAnswer(
    error,
    operation !== undefined && isSettlement(operation),
    ids,
    operation?.opensPage === true,
  )
}

import { type OperationName, operations } from '../contract/operations.ts'
import type { Members } from '../contract/validate.ts'
import { NamedError } from '../named-error.ts'
import { Unreachable, UnusableAnswer } from './http.ts'
import { ServiceRefusal } from './read-envelope.ts'
import { textOf } from './tolerant.ts'

/** Ids of a request whose answer was lost, and of what the answer told all the same. */
export interface LookUpIds {
  readonly transactionRequestId?: string | undefined
  /** As an unusable answer names it. */
  readonly transactionId?: string | undefined
  /** Of the request: what it acts on. */
  readonly originalTransactionId?: string | undefined
  readonly originalTransactionRequestId?: string | undefined
  readonly sessionId?: string | undefined
}

/** A request was sent, but no answer came that can be used: it may have been carried out. */
export class LostAnswer extends NamedError {
  static override readonly name = 'LostAnswer'
  constructor(
    override readonly cause: Error,
    /** True for the close of a batch, which no query finds. */
    readonly closesBatch: boolean,
    readonly ids: LookUpIds,
    /** True for a new checkout session, whose page nobody knows then. */
    readonly opensSession = false,
  ) {
    super(`${cause.message}; ${adviceFor(closesBatch, opensSession, ids)}`)
  }
}

/** How to learn what became of the request. */
function adviceFor(closesBatch: boolean, opensSession: boolean, ids: LookUpIds): string {
  const may = 'it may have been carried out'
  const query = ids.transactionRequestId ?? ids.originalTransactionId ?? ids.originalTransactionRequestId
  if (closesBatch) return `${may}: list the closed batches`
  if (opensSession && query !== undefined)
    return `${may}: expire the session by transactionRequestId ${query}, then open another with a new one`
  if (query !== undefined) return `${may}: query ${query}`
  return `${may}: send it again, which is refused if it was`
}

/** What to make of the error of a request that changes something: a refusal, and a request that was not sent, changed nothing. */
export function lostAnswerOr(error: Error, name: OperationName | undefined, members: Members): Error {
  if (error instanceof ServiceRefusal || (error instanceof Unreachable && error.unsent)) return error
  return lostAnswerOf(error, name, members)
}

/** The same error, with the ids by which its request is looked up. */
export function lostAnswerOf(error: Error, name: OperationName | undefined, members: Members): LostAnswer {
  const ids = {
    transactionRequestId: textOf(members.transactionRequestId),
    transactionId: error instanceof UnusableAnswer ? error.transactionId : undefined,
    originalTransactionId: textOf(members.originalTransactionId),
    originalTransactionRequestId: textOf(members.originalTransactionRequestId),
    sessionId: textOf(members.sessionId),
  }
  return new LostAnswer(
    error,
    name === 'batch-close',
    ids,
    name !== undefined && 'opensPage' in operations[name],
  )
}

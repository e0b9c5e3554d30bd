import type { HandlerResult } from '../answering/answer.ts'
import { argumentOf } from '../contract/operation-members.ts'
import type { OperationName, ServiceInput } from '../contract/operations.ts'
import type { Reader } from '../contract/records.ts'
import type { Fault } from '../contract/sandbox/faults.ts'
import type { ChangeName } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type Parties, partiesOf, type RequestParties } from './parties.ts'
import type { ServiceContext } from './service-context.ts'
import type { SentRequest } from './used-ids.ts'

/** A request that passed the guard and matches its schema. */
export interface RequestContext<N extends OperationName = OperationName> extends SentRequest {
  readonly operation: N
  readonly input: ServiceInput<N>
  readonly reader: Reader
  /** The fault that is injected; null for none. */
  readonly fault: Fault | null
  /** URL of the sandbox as the caller wrote it. */
  readonly baseUrl: () => string
}

/** Handles the requests of one operation. Errors: Refusal. */
export type OperationHandler<N extends OperationName> = (
  context: ServiceContext,
  request: RequestContext<N>,
) => Promise<HandlerResult> | HandlerResult

/** Operations that only read. */
export type ReadName = Exclude<OperationName, ChangeName>

/** The ledger of a request, and notes for the request log. Errors: Refusal. */
export const partiesOfRequest = (
  { engine, directory, options }: ServiceContext,
  { application, operation, input }: RequestContext,
): RequestParties =>
  partiesOf(engine.state, directory, application, input as Parties, ofOriginal(operation, input), options)

/** Tells the ledger that has the transaction or session that a request names. */
function ofOriginal(operation: OperationName, input: object): (ledger: Ledger) => boolean {
  const argument = argumentOf(operation)
  if (argument === undefined) return () => false
  const { [argument.member]: id, [argument.byRequest]: byRequest } = input as Readonly<
    Record<string, string | null | undefined>
  >
  return ({ transactions }) => {
    if (id == null) return byRequest != null && transactions.withTransactionRequestId(byRequest) !== undefined
    return argument.member === 'sessionId' ? transactions.ofSession(id) !== undefined : transactions.has(id)
  }
}

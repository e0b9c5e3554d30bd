import type { HandlerResult } from '../answering/answer.ts'
import type { OperationName, ServiceInput } from '../contract/operations.ts'
import type { Reader } from '../contract/records.ts'
import type { Fault } from '../contract/sandbox/faults.ts'
import type { ChangeName } from '../domain/model/commands.ts'
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
  { application, input }: RequestContext,
): RequestParties => partiesOf(engine.state, directory, application, input as Parties, options)

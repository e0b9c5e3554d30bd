import type { Input, OperationName } from '../contract/operations.ts'
import type { ChangeName } from '../domain/commands.ts'
import type { AuthenticatedCall } from '../http/call.ts'
import type { Reader } from '../records/record.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type LedgerWithNotes, type Parties, partiesOf } from './parties.ts'

/** A request that passed the guard and keeps the schema. */
export interface RequestContext<N extends OperationName = OperationName> extends AuthenticatedCall {
  readonly operation: N
  readonly input: Input<N>
  /** The body as it came; empty for a GET. */
  readonly body: string
  readonly reader: Reader
  /** URL of the sandbox as the caller wrote it. */
  readonly origin: () => string
}

/** The data of an answer, and what the request log should know. */
export interface HandlerResult {
  readonly data: object
  readonly notes: readonly string[]
  readonly replayed?: boolean
}

/** Handles the requests of one operation. Errors: Refusal. */
export type Handler<N extends OperationName> = (
  sandbox: Sandbox,
  context: RequestContext<N>,
) => Promise<HandlerResult> | HandlerResult

/** Operations that only read. */
export type ReadName = Exclude<OperationName, ChangeName>

/** The ledger that a request is for, and what deserves a note. Errors: Refusal. */
export const partiesFor = (
  { engine, directory, options }: Sandbox,
  { application, input }: RequestContext,
): LedgerWithNotes => partiesOf(engine.state, directory, application, input as Parties, options.strict)

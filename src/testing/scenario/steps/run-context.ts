import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'
import type { CallControl } from '../../helpers/caller.ts'
import type { Operate } from '../../helpers/service-client.ts'
import type { Difference } from '../file/match.ts'
import type { Step } from '../file/read-scenario.ts'
import { withReferences } from '../file/references.ts'
import type { MerchantServer } from '../merchant/merchant-server.ts'
import type { Inbox } from './receiver.ts'

/** The service that a scenario runs against. */
export interface ScenarioService {
  readonly operate: Operate
  /** Calls the control interface; undefined where the service is not a sandbox. */
  readonly call: CallControl | undefined
  /** Environment variables that tell a program of it; undefined: no server can be started for it. */
  readonly env?: Readonly<Record<string, string>>
}

/** An action that ended as expected: a command, a control operation or the reached status, and its answer. */
export interface Done {
  readonly step: string
  readonly answer: object
  /** The step says what it expects of the answer. */
  readonly isExpected?: boolean
}

/** One run of a scenario, and how far it came. */
export interface RunContext {
  readonly service: ScenarioService
  readonly captured: Map<string, unknown>
  /** Where webhooks arrive; undefined where none are looked at. */
  readonly inbox: Inbox | undefined
  /** True when terminal events are checked too. */
  readonly wantsEvents: boolean
  /** How long a status is waited for, in milliseconds. */
  readonly waitMs: number
  readonly done: (done: Done) => void
  /** The merchant's server; undefined for a scenario without one. */
  readonly server: MerchantServer | undefined
  /** Ids of the orders that the server had before. */
  readonly earlierOrders: ReadonlySet<string>
  /** Nothing goes wrong: a step of which nothing comes is a mistake of the file. */
  readonly isKind: boolean
  /** Crashes of the server that wait for their moment. */
  readonly armed: Promise<void>[]
  /** Terminals that a step took offline. */
  readonly offline: Set<string>
  /** All steps are done: what is waited for does not come any more. */
  areStepsDone: boolean
  /** Terminal and hosted page of the last step that had one, and the transaction that it was about. */
  terminal: string | undefined
  session: string | undefined
  subject: string | undefined
}

/** A transaction came to another status. */
interface OtherStatus {
  readonly transactionId: string
  readonly status: string
  readonly wanted: string
  readonly isFinal: boolean
}

/** A step failed. Paths of differences begin in the step. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  constructor(
    message: string,
    readonly differences: readonly Difference[] = [],
    override readonly cause?: Error,
    readonly otherStatus?: OtherStatus,
  ) {
    super(message)
  }
}

/** A value of a step with its references replaced. */
export const valueIn = (run: RunContext, value: unknown): unknown =>
  withReferences(value, run.captured, idFor)

/** The member of a capture that stands for the whole capture, by the member that takes it. */
export const idMembers: Readonly<Record<string, string>> = {
  original: 'transactionId',
  originalTransactionId: 'transactionId',
  originalTransactionRequestId: 'transactionRequestId',
  payment: 'transactionId',
  of: 'transactionId',
  order: 'transactionId',
  session: 'sessionId',
  terminal: 'terminalSn',
  notifyUrl: 'url',
  terminalEventNotifyUrl: 'url',
}

function idFor(value: unknown, member: string): unknown {
  if (!isObject(value)) return value
  const id = idMembers[member] ?? member
  if (Object.hasOwn(value, id)) return value[id]
  if (id === 'transactionId' && Object.hasOwn(value, 'sessionId'))
    throw new StepFailure(
      `${member} is a hosted page, which has no transaction: name the step that paid it, as in ` +
        'checkout pay: { session: $session }, as: paid, and original: $paid',
    )
  return value
}

/** The members of a step: as written, or the one that a single value stands for. */
export function stepMembers(run: RunContext, { value }: Step, short?: string): Members {
  const alone = value == null ? {} : { [short ?? '']: value }
  return valueIn(run, isObject(value) ? value : alone) as Members
}

/** The step has captured that. */
export function capture(run: RunContext, { as }: Step, value: unknown): void {
  if (as !== undefined) run.captured.set(as, value)
}

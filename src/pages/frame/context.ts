import type { FaultsContext } from '../../control/faults.ts'
import type { ResendContext } from '../../control/resend.ts'
import type { ClockContext } from '../../control/state/clock.ts'
import type { EmptyContext, RestoreContext } from '../../control/state/restore.ts'
import type { TerminalContext } from '../../control/terminals.ts'
import type { HoldContext } from '../../control/webhook-hold.ts'
import type { Catalogue } from '../../fixtures.ts'
import type { LiveStreams } from '../../http/live-stream.ts'
import type { AnswerContext, HandlerResult } from '../../request-log/answer.ts'
import type { OwnRequest } from '../../request-log/own-request.ts'
import type { ReadableLog } from '../../request-log/request-views.ts'
import type { Statistics } from '../../views/statistics/statistics.ts'
import type { PendingContext } from '../../views/why-pending.ts'
import type { Attempts } from '../../webhooks/attempt-log.ts'
import type { ListenerRecord } from '../../webhooks/listener-record.ts'

/**
 * What pages get of a sandbox: what they read, and what the commands take that they may send: act at a terminal, pay or
 * cancel a session, close a batch, resend, hold and release webhooks, inject faults, turn the clock, reset, save and restore,
 * make a request as a client would. It has no store, and a state is replaced through the control interface's functions only.
 */
export interface PagesContext
  extends LiveStreams,
    ReadableLog,
    TerminalContext,
    ResendContext,
    HoldContext,
    PendingContext,
    FaultsContext,
    Omit<ClockContext, 'engine' | 'clock'>,
    Omit<RestoreContext, 'engine' | 'clock' | 'attempts' | 'options'>,
    EmptyContext {
  readonly engine: ClockContext['engine']
  readonly clock: ClockContext['clock']
  readonly catalogue: Catalogue
  readonly settings: FaultsContext['settings']
  readonly directory: FaultsContext['directory']
  readonly changes: FaultsContext['changes']
  readonly faults: FaultsContext['faults']
  readonly statistics: Pick<Statistics, 'current' | 'prepare' | 'noteListened'>
  readonly attempts: Attempts
  readonly listened: ListenerRecord
  readonly listeners: ResendContext['listeners']
  readonly courier: FaultsContext['courier']
  readonly options: ReadableLog['options'] &
    RestoreContext['options'] &
    Pick<AnswerContext['options'], 'state' | 'report' | 'extras'> & { readonly basePath: string }
  /** Makes a request of the payment service; it is logged as one. Errors: Refusal. */
  readonly carryOut: (request: OwnRequest) => Promise<HandlerResult>
  /** Requests that are being handled. */
  running: number
}

/** The first merchant's time zone, in which is written what belongs to no merchant. */
export const defaultTimeZone = ({ directory }: Pick<PagesContext, 'directory'>): string =>
  directory.defaultApplication.merchants[0]?.timeZone ?? 'UTC'

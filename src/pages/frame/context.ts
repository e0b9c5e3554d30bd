import type { ControlContext } from '../../control/context/context.ts'
import type { PageCommands } from '../../control/page-commands.ts'
import type { ReadableClock } from '../../engine/clock.ts'
import type { EngineReader } from '../../engine/engine.ts'
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
 * The parts of a sandbox that pages use: read access, and commands. Pages reach neither store nor journal: changes go
 * through `commands`, or through `carryOut` as requests of the payment service.
 */
export interface PagesContext extends LiveStreams, ReadableLog, PendingContext {
  readonly engine: EngineReader
  readonly clock: ReadableClock
  readonly commands: PageCommands
  readonly catalogue: Catalogue
  readonly settings: { readonly data: Readonly<ControlContext['settings']['data']> }
  readonly faults: Pick<ControlContext['faults'], 'list'>
  readonly statistics: Pick<Statistics, 'current' | 'prepare'>
  readonly checkpoints: Pick<ControlContext['checkpoints'], 'list'>
  readonly attempts: Pick<Attempts, 'of' | 'latest'>
  readonly listened: ListenerRecord
  readonly identifiers: Pick<ControlContext['identifiers'], 'traceId'>
  readonly signingOf: ControlContext['signingOf']
  readonly options: ReadableLog['options'] &
    Pick<AnswerContext['options'], 'state' | 'report' | 'extras'> & { readonly basePath: string }
  /** Makes a request of the payment service; it is logged as one. Errors: Refusal. */
  readonly carryOut: (request: OwnRequest) => Promise<HandlerResult>
  /** Requests that are being handled. */
  running: number
}

/** Time zone of the first merchant, for times that belong to no merchant. */
export const defaultTimeZone = ({ directory }: Pick<PagesContext, 'directory'>): string =>
  directory.defaultApplication.merchants[0]?.timeZone ?? 'UTC'

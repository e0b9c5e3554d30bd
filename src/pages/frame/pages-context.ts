import type { HandlerResult } from '../../answering/answer.ts'
import type { OwnRequest } from '../../answering/own-request.ts'
import type { ControlContext } from '../../control/context/control-context.ts'
import type { PageCommands } from '../../control/page-commands.ts'
import type { EngineReader } from '../../engine/engine.ts'
import type { ReadableClock } from '../../engine/sandbox-clock.ts'
import type { Catalogue } from '../../fixtures.ts'
import type { LiveStreams } from '../../http/live-stream.ts'
import type { ReadableLog } from '../../request-log/request-views.ts'
import type { Statistics } from '../../views/statistics/statistics.ts'
import type { PendingContext } from '../../views/why-pending.ts'
import type { Attempts } from '../../webhooks/attempt-log.ts'
import type { DeliveryLog } from '../../webhooks/deliveries.ts'

/** Name of the space of a page; null for the first space, which is not named. assumption: space-paths */
export const spaceOf = ({ options }: Pick<PagesContext, 'options'>): string | null =>
  options.basePath.split('/').at(-1) || null

/** Title of a page, with its space; `usual`: title in the first space. */
export const titleIn = (space: string | null, title: string, usual: string): string =>
  space === null ? usual : `${title} · ${space} · tillbox`

/**
 * The parts of a sandbox that pages use: read access, and commands. Pages reach neither store nor journal: changes go
 * through `commands`, or through `carryOut` as requests of the payment service.
 */
export interface PagesContext extends LiveStreams, ReadableLog, PendingContext, DeliveryLog {
  readonly engine: EngineReader
  readonly clock: ReadableClock
  readonly commands: PageCommands
  readonly catalogue: Catalogue
  readonly settings: { readonly data: Readonly<ControlContext['settings']['data']> }
  readonly faults: Pick<ControlContext['faults'], 'list'>
  readonly statistics: Pick<Statistics, 'current' | 'prepare'>
  readonly checkpoints: Pick<ControlContext['checkpoints'], 'list'>
  readonly attempts: Pick<Attempts, 'of' | 'latest'>
  readonly courier: PendingContext['courier']
  readonly options: ReadableLog['options'] & { readonly extras: boolean; readonly basePath: string }
  /** Makes a request of the payment service; it is logged as one. Errors: Refusal. */
  readonly carryOut: (request: OwnRequest) => Promise<HandlerResult>
}

/** What the frame around every page shows: the sandbox at a glance. */
export type FrameContext = Pick<PagesContext, 'catalogue' | 'clock' | 'engine' | 'faults' | 'options'>

/** What lists of records are read from: the state, and its transactions, deliveries and closes in their order. */
export type RecordsContext = Pick<PagesContext, 'engine' | 'statistics'>

/** The first merchant's time zone, in which is written what belongs to no merchant. */
export const defaultTimeZone = ({ directory }: Pick<PagesContext, 'directory'>): string =>
  directory.defaultApplication.merchants[0]?.timeZone ?? 'UTC'

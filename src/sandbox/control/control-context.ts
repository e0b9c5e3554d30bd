import type {
  AnsweredControl,
  ControlAnswer,
  ControlInput,
} from '../../contract/control/controls/controls.ts'
import type { Behaviour } from '../../contract/control/sandbox-options.ts'
import { firstSpace, type SpaceAccess, type SpaceView } from '../../contract/control/spaces.ts'
import { Refusal, reject } from '../../contract/errors.ts'
import type { Catalogue } from '../../domain/fixtures.ts'
import type { Settings } from '../../domain/settings.ts'
import type { State } from '../../domain/state.ts'
import { command } from '../../shared/text/commands.ts'
import { nearest, suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Access } from '../access/access.ts'
import type { Coverage } from '../coverage/coverage.ts'
import type { Engine } from '../engine/engine.ts'
import { refuseStore, type SerialQueue } from '../engine/gate.ts'
import type { Identifiers, SandboxClock } from '../engine/identifiers.ts'
import type { Call } from '../http/call.ts'
import type { LiveStreams } from '../http/live-stream.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { ReadableLog } from '../request-log/request-views.ts'
import type { Snapshots } from '../store/storage.ts'
import type { ConnectionContext, CountedState } from '../views/views.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** What the control interface reads and changes. */
export interface ControlContext extends Webhooks, LiveStreams, ReadableLog, ConnectionContext, CountedState {
  /** Tokens and audit log of the server. */
  readonly access: Access
  readonly catalogue: Catalogue
  /** The spaces of the server; null for a sandbox that no server runs. */
  readonly spaces: Spaces | null
  readonly engine: Engine
  readonly clock: SandboxClock
  /** Runs changes of the clock one after another: moving it forward waits for webhooks under way. */
  readonly clockQueue: SerialQueue
  /** Runs changes of the settings one after another: a failed one is undone, and nothing else. */
  readonly settingsQueue: SerialQueue
  readonly settings: { readonly data: Settings; write(): Promise<void> }
  readonly snapshots: Snapshots
  readonly identifiers: Identifiers
  readonly log: RequestLog
  readonly coverage: Coverage
  readonly options: ConnectionContext['options'] & {
    readonly report: (message: string, error?: Error) => void
    readonly token: string | null
    readonly spaceName: string
  } & Pick<Behaviour, 'signature' | 'signatureEncoding' | 'retries'>
  readonly startedAt: number
  /** An empty state with the merchants, terminal settings and numbering. */
  emptyState(): State
  /** The state of a sandbox that was never used, with the options of its start. */
  newState(): State
}

/** Handler of a row of the control table; most need no more of the call than its input. */
export type ControlHandler<N extends AnsweredControl, Rest extends readonly unknown[] = []> = (
  context: ControlContext,
  input: ControlInput<N>,
  ...rest: Rest
) => Promise<ControlAnswer<N>>

/** Handlers of rows of the control table, which answer with an envelope. */
export type ControlHandlers<Names extends AnsweredControl> = {
  readonly [N in Names]: (
    ...handled: Parameters<ControlHandler<N, [call: Call]>>
  ) => ControlAnswer<N> | Promise<ControlAnswer<N>>
}

/** The refusal for an unknown space. `names`: the ones to suggest. */
export const noSuchSpace = (name: string, names: readonly string[]): Refusal =>
  new Refusal('SBX_SPACE_NONE', {
    field: 'space',
    message: `There is no space ${name.slice(0, 100)}`,
    remedy: nearest(name, names) === undefined ? undefined : capitalize(suggestion(name, names)),
  })

/** Refuses the name of a new space, which another one has. */
export const rejectTakenSpace = (name: string, message = `Space ${name} exists already`): never =>
  reject('SBX_SPACE_EXISTS', {
    field: 'name',
    message,
    remedy:
      name === firstSpace
        ? 'Choose another name'
        : `Choose another name, or remove it first: ${command('space remove', name)}`,
  })

/** A space as its server knows it: without the URL, which depends on the caller. */
export type KnownSpace = Omit<SpaceView, 'url'>

/** The data that a client needs to use a space, without its URL. */
export type OpenedSpace = Omit<SpaceAccess, 'url'>

/** The spaces of a server. */
export interface Spaces {
  /** Every space, the first one first. */
  list(): Promise<readonly KnownSpace[]>
  /**
   * Makes a space, durably, that is removed after `ttlMs`; null: never. `madeBy`: id of the token; null:
   * none.
   */
  create(name: string, ttlMs: number | null, madeBy: string | null): Promise<OpenedSpace>
  /** Opens a space. */
  open(name: string): Promise<OpenedSpace>
  /** Removes a space with its contents. */
  remove(name: string): Promise<void>
}

/** Changes the settings and writes them; a failed write undoes the change. */
export function saveSettings<T>(
  { settings, settingsQueue, directory }: ControlContext,
  change: () => T,
): Promise<T> {
  return settingsQueue.run(async () => {
    const before = structuredClone(settings.data)
    const result = change()
    try {
      await settings.write()
      return result
    } catch (error) {
      Object.assign(settings.data, before)
      directory.reload()
      return refuseStore(error as Error)
    }
  })
}

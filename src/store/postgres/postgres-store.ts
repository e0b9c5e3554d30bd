import type { Settings } from '../../domain/settings.ts'
import { forgetOldRequests, type State } from '../../domain/state.ts'
import type { StorageNeeds } from '../storage/storage.ts'
import type { Store } from '../store.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import { changeHeld, type HeldSpace } from './held-space.ts'
import type { OwnerSession } from './owner-session.ts'
import { readSpace, type StoredSpace, snapshotText } from './stored-space.ts'

interface PostgresStoreOptions extends Pick<StorageNeeds, 'empty' | 'wall' | 'report'> {
  readonly database: Database
  readonly session: OwnerSession
  readonly space: HeldSpace
  /** What was read when the space was taken. */
  readonly stored: StoredSpace
  /** Number of events after which a snapshot is written when the space is opened or closed. */
  readonly snapshotAfter: number
  /** API keys that lead to the space with these settings. */
  readonly keysOf: (settings: Settings) => readonly string[]
  /** Called after the last write. */
  readonly closed: () => Promise<void>
}

/** The events of a space, its snapshot and settings. A replacement whose result is unknown loses the space: whoever takes it reads it. */
export class PostgresStore implements Store {
  /** A database recovers sooner than a disk. */
  readonly longestPause = 1_000
  readonly #options: PostgresStoreOptions
  readonly append: Store['append']
  #snapshotAt: number
  #snapshot: Promise<void> = Promise.resolve()

  constructor(options: PostgresStoreOptions) {
    this.#options = options
    const { space, stored } = options
    this.append = (entry) => space.append(entry)
    space.position = stored.position
    this.#snapshotAt = stored.snapshotAt
    this.#writeSnapshot(stored.state)
  }

  get pending(): boolean {
    return this.#options.space.events.pending
  }

  written(): Promise<boolean> {
    return this.#options.space.events.written()
  }

  /** Makes changed settings durable, and leads their keys to the space. Errors: LostState; as `RunStatement`. */
  async saveSettings(settings: Settings): Promise<void> {
    const { session, space } = this.#options
    const { rowCount } = await session.write(space, writeSettings, this.#row(settings))
    if (rowCount !== 1) throw space.lose('it was removed')
  }

  /** Errors: LostState; DatabaseAway; those of reading. */
  async reload(): Promise<State> {
    const { database, space, empty } = this.#options
    await space.events.settled()
    space.requireHeld()
    const { state, position } = await readSpace(database, space.facts, empty)
    space.position = position
    return state
  }

  async replace(make: () => State, settings?: () => Settings): Promise<State> {
    const { space } = this.#options
    await space.events.settled()
    await this.#snapshot
    const state = make()
    await this.#write(state, space.position + 1, settings?.()).catch((error) => {
      if (error instanceof DatabaseAway) space.lose('it is unknown whether its state was replaced')
      throw error
    })
    space.position += 1
    return state
  }

  async close(state: State | null): Promise<void> {
    const { space, closed } = this.#options
    await space.events.settled()
    if (state !== null && space.lost === null) this.#writeSnapshot(state)
    await this.#snapshot
    await closed()
  }

  /** Writes a snapshot if there are many events since the last one; the state is that of the last durable event. */
  #writeSnapshot(state: State): void {
    const { space, snapshotAfter, report } = this.#options
    if (space.position - this.#snapshotAt <= snapshotAfter) return
    this.#snapshot = this.#write(state, space.position).catch((error: Error) =>
      report(`no snapshot of the space ${space.facts.name}: ${error.message}`, error),
    )
  }

  /** Writes a snapshot, and removes what it replaces, in one transaction. Errors: as `changeHeld`. */
  async #write(state: State, sequence: number, settings?: Settings): Promise<void> {
    const { database, space, wall } = this.#options
    const { name } = space.facts
    forgetOldRequests(state, wall())
    const body = snapshotText(state)
    await changeHeld(database, space, async (run) => {
      await run(
        `insert into snapshots values ($1, $2, $3)
          on conflict (space) do update set sequence = excluded.sequence, body = excluded.body`,
        [name, sequence, body],
      )
      await run('delete from events where space = $1 and sequence <= $2', [name, sequence])
      await run(
        `insert into sequences as known values ($1, $2)
          on conflict (space) do update set last = greatest(known.last, excluded.last)`,
        [name, sequence],
      )
      if (settings !== undefined) await run(writeSettings, this.#row(settings))
    })
    this.#snapshotAt = sequence
  }

  #row(settings: Settings) {
    const { space, keysOf } = this.#options
    const { name, owner } = space.facts
    return [name, owner, JSON.stringify(settings), keysOf(settings)]
  }
}

const writeSettings = 'update spaces set settings = $3, keys = $4 where name = $1 and owner = $2'

import type { Settings } from '../../domain/settings.ts'
import { forgetOldRequests, type JournalEntry, type State } from '../../domain/state.ts'
import type { Store } from '../storage.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { HeldSpace } from './held-space.ts'
import type { OwnerSession } from './owner-session.ts'
import type { SettingsRow } from './space-settings.ts'
import { readSpace, type StoredSpace, snapshotText } from './stored-space.ts'

interface PostgresStoreOptions {
  readonly database: Database
  readonly session: OwnerSession
  readonly space: HeldSpace
  /** What was read when the space was taken. */
  readonly stored: StoredSpace
  /** Number of events after which a snapshot is written when the space is opened or closed. */
  readonly snapshotAfter: number
  readonly toRow: (settings: Settings) => SettingsRow
  readonly empty: () => State
  /** Wall clock of the sandbox in milliseconds. */
  readonly wall: () => number
  readonly report: (message: string, error: Error) => void
  /** Called after the last write. */
  readonly closed: () => Promise<void>
}

/** The events of a space, and its snapshot. A write whose result is unknown loses the space: whoever takes it reads it. */
export class PostgresStore implements Store {
  /** A database recovers sooner than a disk. */
  readonly longestPause = 1_000
  readonly #options: PostgresStoreOptions
  #snapshotAt: number
  #snapshot: Promise<void> = Promise.resolve()

  constructor(options: PostgresStoreOptions) {
    this.#options = options
    const { space, stored } = options
    space.position = stored.position
    this.#snapshotAt = stored.snapshotAt
    this.#writeSnapshot(stored.state)
  }

  append(entry: JournalEntry): Promise<void> {
    return this.#options.session.append(this.#options.space, entry)
  }

  get pending(): boolean {
    return this.#options.space.waiting > 0
  }

  written(): Promise<boolean> {
    return this.#options.space.written
  }

  /** Errors: LostState; DatabaseAway; those of reading. */
  async reload(): Promise<State> {
    const { database, space, empty } = this.#options
    await this.#idle()
    space.requireHeld()
    const { name, shown } = space.facts
    const { state, position } = await database.reading((run) => readSpace(run, { space: name, shown, empty }))
    space.position = position
    return state
  }

  async replace(make: () => State, settings?: () => Settings): Promise<State> {
    const { space, toRow, wall } = this.#options
    await this.#idle()
    await this.#snapshot
    const state = make()
    forgetOldRequests(state, wall())
    const row = settings && toRow(settings())
    await this.#replaceBy(snapshotText(state), space.position + 1, row)
    space.position += 1
    this.#snapshotAt = space.position
    return state
  }

  async close(state: State | null): Promise<void> {
    const { space, closed } = this.#options
    await this.#idle()
    if (state !== null && space.lost === null) this.#writeSnapshot(state)
    await this.#snapshot
    await closed()
  }

  /** Writes a snapshot if there are many events since the last one; the state is that of the last durable event. */
  #writeSnapshot(state: State): void {
    const { space, snapshotAfter, wall, report } = this.#options
    const { position } = space
    if (position - this.#snapshotAt <= snapshotAfter) return
    forgetOldRequests(state, wall())
    this.#snapshot = this.#replaceBy(snapshotText(state), position).then(
      () => {
        this.#snapshotAt = position
      },
      (error: Error) => report(`no snapshot of the space ${space.facts.name}: ${error.message}`, error),
    )
  }

  /**
   * Writes a snapshot, and removes what it replaces, in one transaction, unless another node has the space. Errors:
   * LostState; DatabaseAway, and then the space is lost; an Error of the server.
   */
  async #replaceBy(body: string, sequence: number, settings?: SettingsRow): Promise<void> {
    const { database, space } = this.#options
    space.requireHeld()
    const { name, owner } = space.facts
    const writing = database.transaction(async (run) => {
      await run(
        `insert into snapshots values ($1, $2, $3)
          on conflict (space) do update set sequence = excluded.sequence, body = excluded.body`,
        [name, sequence, body],
      )
      await run('delete from events where space = $1 and sequence <= $2', [name, sequence])
      await run(
        'insert into sequences values ($1, $2) on conflict (space) do update set last = excluded.last',
        [name, sequence],
      )
      const { count } = await run(
        `update spaces set settings = coalesce($3::json, settings), keys = coalesce($4::text[], keys)
          where name = $1 and owner = $2`,
        [name, owner, settings?.text ?? null, settings?.keys ?? null],
      )
      return count === 1
    })
    const isWritten = await writing.catch((error) => {
      if (error instanceof DatabaseAway) space.lose('it is unknown whether its state was replaced')
      throw error
    })
    if (!isWritten) throw space.lose('another node has taken it over, or it was removed')
  }

  async #idle(): Promise<void> {
    while (this.pending) await this.written()
  }
}

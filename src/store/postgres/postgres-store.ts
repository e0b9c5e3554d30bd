import type { Settings } from '../../domain/settings.ts'
import { forgetOldRequests, type JournalEntry, type State } from '../../domain/state.ts'
import { elapsedTime } from '../../timers.ts'
import type { Store } from '../store.ts'
import { AppendQueue } from './append-queue.ts'
import type { RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { LeaseKeeper, TakenSpace } from './lease.ts'
import type { SettingsRow, ToSettingsRow } from './settings-row.ts'
import { insertLines, snapshotPieces } from './snapshot-rows.ts'
import { isAway, type SpaceHold, type WriteCondition } from './space-hold.ts'
import type { SpaceSnapshots } from './space-snapshots.ts'
import { readSpace } from './stored-space.ts'

interface PostgresStoreOptions {
  readonly database: Database
  readonly space: string
  readonly hold: SpaceHold
  readonly taken: TakenSpace
  readonly leases: LeaseKeeper
  readonly snapshots: SpaceSnapshots
  readonly toRow: ToSettingsRow
  readonly empty: () => State
  /** Wall clock of the sandbox in milliseconds. */
  readonly wall: () => number
  /** A write failed; the state must be reloaded before the next decision. */
  readonly failed: (error: Error) => void
  /** Called after the last write. */
  readonly closed: () => Promise<void>
}

/** Longest wait for the database when the state is read back, so that requests are refused soon. Milliseconds. */
const reloadPatience = 1_000

/** The events of a space, and its snapshot. */
export class PostgresStore implements Store {
  /** A database recovers sooner than a disk. */
  readonly longestPause = 1_000
  readonly #options: PostgresStoreOptions
  readonly #queue: AppendQueue
  /** True while the write whose result is unknown is a replacement, which changes other rows than events. */
  #isReplacing = false

  constructor(options: PostgresStoreOptions) {
    const { database, hold, taken, leases, failed } = options
    this.#options = options
    this.#queue = new AppendQueue({ database, hold, taken, leases, failed })
  }

  append(entry: JournalEntry): Promise<void> {
    const { lost, isInDoubt } = this.#options.hold
    if (lost !== null) return Promise.reject(lost)
    // Until the result of a write is known, later entries wait behind it and share its result.
    if (!isInDoubt || this.#queue.pending) return this.#queue.append(entry)
    const away = this.#away()
    this.#options.failed(away) // memory has the entry, the database not
    return Promise.reject(away)
  }

  get pending(): boolean {
    return this.#queue.pending
  }

  written(): Promise<boolean> {
    return this.#queue.written()
  }

  /** Finds out the result of an unknown write first. Errors: LostState, DatabaseAway; those of reading. */
  async reload(): Promise<State> {
    const { database, space, hold, empty } = this.#options
    hold.requireHeld()
    const wasWritten = await hold.settle(elapsedTime() + reloadPatience)
    if (wasWritten && this.#isReplacing)
      throw hold.lose('its state was replaced while the database did not answer')
    this.#isReplacing = false
    const { state } = await database.reading((run) =>
      readSpace(run, { space, shown: database.address.shown, empty, upTo: hold.position }),
    )
    return state
  }

  async replace(make: () => State, settings?: () => Settings): Promise<State> {
    const { hold, snapshots, toRow, wall } = this.#options
    await this.#queue.settled()
    const state = make()
    forgetOldRequests(state, wall())
    const pieces = snapshotPieces(state)
    const settingsRow = settings && toRow(settings())
    try {
      await hold.write(1, (condition) => this.#replaceAll(condition, pieces, settingsRow))
    } catch (error) {
      this.#isReplacing = isAway(error)
      if (isAway(error)) this.#options.failed(error)
      throw error
    }
    snapshots.madeAt(hold.position)
    return state
  }

  async close(state: State | null): Promise<void> {
    await this.#queue.settled()
    if (state !== null) await this.#options.snapshots.makeIfMany(state)
    await this.#options.closed()
  }

  /**
   * Replaces snapshot and settings, and removes the events, in one transaction. False when another node took the space.
   */
  #replaceAll(
    condition: WriteCondition,
    pieces: string[][],
    settingsRow: SettingsRow | undefined,
  ): Promise<boolean> {
    return this.#options.database.transaction(async (run) => {
      await insertLines(
        run,
        'snapshots (space, sequence, line, body)',
        [condition.space, condition.next],
        pieces,
      )
      await run('delete from snapshots where space = $1 and sequence < $2', [condition.space, condition.next])
      await run('delete from events where space = $1', [condition.space])
      return advance(run, condition, settingsRow)
    })
  }

  #away(): DatabaseAway {
    return new DatabaseAway(this.#options.database.address.shown, 'what becomes of the last write is unknown')
  }
}

/**
 * Runs last in its transaction: it locks the space, whose lease cannot be renewed meanwhile. False when another node
 * took it.
 */
async function advance(
  run: RunStatement,
  { space, epoch, position, next }: WriteCondition,
  settingsRow: SettingsRow | undefined,
) {
  const { count } = await run(
    `update spaces set position = $1, settings = coalesce($2::json, settings),
        settings_version = greatest(settings_version, $3), keys = coalesce($4::text[], keys)
      where name = $5 and epoch = $6 and position = $7`,
    [
      next,
      settingsRow?.text ?? null,
      settingsRow?.version ?? null,
      settingsRow?.keys ?? null,
      space,
      epoch,
      position,
    ],
  )
  return count === 1
}

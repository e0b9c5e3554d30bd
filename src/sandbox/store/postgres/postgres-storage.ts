import { Low } from 'lowdb'
import { firstSpace } from '../../../contract/control/spaces.ts'
import type { Settings } from '../../../domain/settings.ts'
import { forgetOldRequests, type JournalEntry, type State } from '../../../domain/state.ts'
import { inTurns } from '../../../shared/timers.ts'
import { formatLine, stateLines } from '../file/state-file.ts'
import { GroupQueue } from '../group-queue.ts'
import type { OpenStorage, Storage, StorageNeeds, Store, Swap } from '../storage.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { HeldSpace } from './held-space.ts'
import type { OwnerSession, WaitingEvent } from './owner-session.ts'
import { spaceAttempts } from './space-attempts.ts'
import { readSpace, type StoredSpace, spaceSnapshots } from './stored-space.ts'

/** Events after which a saved state is written when a space opens or closes. assumption: postgres-session */
const usualSaveAfter = 1_000

/** A space of a database, and the session that owns the spaces of this node. Both stay open. */
interface SpaceStorageOptions {
  readonly database: Database
  readonly session: OwnerSession
  /** Name of the space, which must exist. */
  readonly space: string
  readonly saveAfter?: number | undefined
  /** API keys that lead to the space with these settings. */
  readonly keysFor: (settings: Settings) => readonly string[]
  /** When a node takes the space by itself after its release, by the database's clock; null: never. */
  readonly wakesAt: () => number | null
}

/** One space of a database, for a node that has several. */
export const spaceStorage = (options: SpaceStorageOptions): Storage => {
  const { shown } = options.database.address
  const { space } = options
  return {
    location: space === firstSpace ? shown : `${shown} (${space})`,
    open: (needs) => openSpace(options, needs),
  }
}

/** Takes the space, and reads it. Errors: SpaceTaken, also for a missing space; as `Storage.open`. */
async function openSpace(options: SpaceStorageOptions, needs: StorageNeeds): Promise<OpenStorage> {
  const { database, session } = options
  const held = await session.take(options.space, needs.lost)
  const { name, owner } = held.facts
  try {
    const stored = await readSpace(database, name, needs.empty)
    const keys = options.keysFor(stored.settings) // a start may have others than those that are stored
    if (keys.join() !== stored.keys.join()) await session.write(held, leadKeys, [name, owner, keys])
    const store = new PostgresStore({ ...options, needs, held, stored })
    await store.saveState(stored.state)
    return {
      store,
      state: stored.state,
      settings: new Low(
        { read: async () => null, write: (settings) => store.saveSettings(settings) },
        stored.settings,
      ),
      snapshots: spaceSnapshots(held, needs.empty),
      access: null,
      isHeld: () => session.holds(name),
      attempts: () => spaceAttempts(held, (error) => needs.report(error.message, error)),
    }
  } catch (error) {
    await session.release(held, null).catch((error: Error) => needs.report(error.message, error))
    throw error
  }
}

/** A space that this node holds. */
interface HeldStorage extends SpaceStorageOptions {
  readonly needs: StorageNeeds
  readonly held: HeldSpace
  /** What was read when the space was taken. */
  readonly stored: StoredSpace
}

const leadKeys = 'update spaces set keys = $3 where name = $1 and owner = $2'

const writeSettings = 'update spaces set settings = $3, keys = $4 where name = $1 and owner = $2'

/**
 * The events of a space, its saved state and settings. A replacement whose result is unknown loses the space:
 * whoever takes it reads it.
 */
class PostgresStore implements Store {
  /** A database recovers sooner than a disk. */
  readonly longestPause = 1_000
  readonly #events = new GroupQueue<WaitingEvent[]>({
    begin: () => [],
    write: (events) => this.#append(events),
    failed: (error) => {
      if (this.options.held.lost === null) this.#whenFailed(error)
    },
  })
  /** Sequence of the last durable event. */
  #position: number
  #savedTo: number
  #whenFailed: (error: Error) => void = () => undefined
  /** Resolves when no replacement of the state is under way. */
  #replacing: Promise<void> = Promise.resolve()

  constructor(private readonly options: HeldStorage) {
    const { position, savedTo } = options.stored
    this.#position = position
    this.#savedTo = savedTo
  }

  async append(entry: JournalEntry): Promise<void> {
    this.options.held.requireHeld()
    this.#events.next.push({ at: entry.at, body: JSON.stringify(entry) })
    return this.#events.commit()
  }

  whenFailed(act: (error: Error) => void): void {
    this.#whenFailed = act
  }

  get pending(): boolean {
    return this.#events.pending
  }

  written(): Promise<boolean> {
    return this.#events.written()
  }

  /** Makes changed settings durable, and leads their keys to the space. Errors: LostState. */
  async saveSettings(settings: Settings): Promise<void> {
    const { session, held } = this.options
    await this.#replacing // it writes settings, too
    const { rowCount } = await session.write(held, writeSettings, this.#row(settings))
    if (rowCount !== 1) throw held.lose('it was removed')
  }

  /** Errors: LostState; DatabaseAway; those of reading. */
  async reload(): Promise<State> {
    const { database, held, needs } = this.options
    await this.#events.settled()
    held.requireHeld()
    const { state, position } = await readSpace(database, held.facts.name, needs.empty)
    this.#position = position
    return state
  }

  async replace(make: () => Promise<State>, swap: Swap): Promise<void> {
    const replacing = this.#replace(make, swap)
    this.#replacing = replacing.catch(() => undefined)
    await replacing
  }

  async #replace(make: () => Promise<State>, { settings, swapped }: Swap): Promise<void> {
    const { held } = this.options
    await this.#events.settled()
    const state = await make()
    await this.#write(state, this.#position + 1, settings).catch((error) => {
      if (error instanceof DatabaseAway) held.lose('it is unknown whether its state was replaced')
      throw error
    })
    this.#position += 1
    swapped(state)
  }

  async close(state: State | null): Promise<void> {
    const { session, held, needs, wakesAt } = this.options
    await this.#events.settled()
    if (state !== null && held.lost === null) await this.saveState(state)
    await session.release(held, wakesAt()).catch((error: Error) => needs.report(error.message, error))
  }

  async #append(events: readonly WaitingEvent[]): Promise<void> {
    const { session, held } = this.options
    await session.append(held, this.#position + 1, events)
    this.#position += events.length
  }

  /**
   * Writes a saved state if there are many events since the last one; the state is that of the last durable
   * event, and nothing changes it meanwhile.
   */
  async saveState(state: State): Promise<void> {
    const { held, needs, saveAfter = usualSaveAfter } = this.options
    if (this.#position - this.#savedTo <= saveAfter) return
    await this.#write(state, this.#position).catch((error: Error) =>
      needs.report(`no saved state of the space ${held.facts.name}: ${error.message}`, error),
    )
  }

  /** Writes a saved state, and removes what it replaces, in one transaction. */
  async #write(state: State, sequence: number, settings?: () => Settings): Promise<void> {
    const { held, needs } = this.options
    const { name } = held.facts
    forgetOldRequests(state, needs.wall())
    const lines: string[] = []
    await inTurns(stateLines(state, formatLine()), (line) => lines.push(line))
    const body = lines.join('\n')
    await held.change(async (run) => {
      await run(
        `insert into states values ($1, $2, $3)
          on conflict (space) do update set sequence = excluded.sequence, body = excluded.body`,
        [name, sequence, body],
      )
      await run('delete from events where space = $1 and sequence <= $2', [name, sequence])
      await run(
        `insert into sequences as known values ($1, $2)
          on conflict (space) do update set last = greatest(known.last, excluded.last)`,
        [name, sequence],
      )
      if (settings !== undefined) await run(writeSettings, this.#row(settings()))
    })
    this.#savedTo = sequence
  }

  #row(settings: Settings) {
    const { held, keysFor } = this.options
    return [held.facts.name, held.facts.owner, JSON.stringify(settings), keysFor(settings)]
  }
}

import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { JournalEntry } from '../../domain/state.ts'
import { clearInterval, elapsedTime, nextTurn, setInterval } from '../../timers.ts'
import { LostState } from '../store-errors.ts'
import type { DatabaseConnection, QueryResult, RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import { explainedStatement } from './connection/refused-statement.ts'

/** Another node serves the space, or it cannot be taken at the moment. */
export class SpaceTaken extends Error {
  override readonly name = 'SpaceTaken'
  constructor(
    readonly space: string,
    /** URL of that node; null if it is unknown. */
    readonly ownerUrl: string | null,
  ) {
    super(`The space ${space} is in use by another sandbox${ownerUrl === null ? '' : ` at ${ownerUrl}`}`)
  }
}

interface OwnerSessionOptions {
  readonly database: Database
  /** URL at which other nodes reach this one; null: they do not. */
  readonly url: string | null
  /** Time without a statement after which the server ends the session. Milliseconds. assumption: postgres-session */
  readonly idleMs?: number
}

/** Usual time without a statement after which the server ends the session. Milliseconds. */
const usualIdle = 2_500

/** An entry that waits to be durable. */
interface WaitingEntry {
  readonly space: HeldSpace
  readonly body: string
  readonly at: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface HeldSpaceOptions {
  readonly name: string
  /** Number of its advisory lock. */
  readonly number: string
  /** Names this hold in the row of the space. */
  readonly owner: string
  /** Name of the database, for people. */
  readonly shown: string
  /** The session that has the lock. */
  readonly connection: DatabaseConnection
}

/** What the holder of a space is told. */
interface HolderNeeds {
  /** An entry could not be written: called before its caller is told. */
  readonly failed: (error: Error) => void
  /** The space is lost, and nothing more is acknowledged: called once. */
  readonly lost: (error: LostState) => void
}

/** A space that this node holds: one session has its lock, and only that one writes its events. */
export class HeldSpace {
  /** Sequence of the last durable event. */
  position = 0
  /** Why it was lost; null while it is held. */
  lost: LostState | null = null
  /** Resolves when the last entry is durable, to false when it could not be written. */
  written: Promise<boolean> = Promise.resolve(true)
  /** Number of entries that are not durable yet. */
  waiting = 0
  readonly facts: HeldSpaceOptions
  readonly needs: HolderNeeds

  constructor(facts: HeldSpaceOptions, needs: HolderNeeds) {
    this.facts = facts
    this.needs = needs
  }

  /** Ends all acknowledgement. Returns the reason as an error. */
  lose(why: string): LostState {
    if (this.lost !== null) return this.lost
    const { name, shown } = this.facts
    this.lost = new LostState(`The space ${name} of ${shown}`, why)
    this.needs.lost(this.lost)
    return this.lost
  }

  /** Errors: LostState. */
  requireHeld(): void {
    if (this.lost !== null) throw this.lost
  }
}

/** The lock of a space: unique in its database, and never used again. */
const lockOf = (number: string) => `'spaces'::regclass::oid::integer, ${number}`

/** Skips a row that somebody has locked: no other space waits for it. */
const take = `with found as materialized (
    select name, number from spaces where name = $1 and (expires_at is null or expires_at > now())
      for no key update skip locked),
  taken as materialized (select name from found where pg_try_advisory_lock(${lockOf('number')}))
  update spaces set owner = $2, owner_url = $3, wake_at = null from taken where spaces.name = taken.name
    returning spaces.number`

const give = `update spaces set owner = null, owner_url = null, wake_at = coalesce(to_timestamp($3::float8 / 1000), wake_at)
  where name in (select name from spaces where name = $1 and owner = $2 for no key update skip locked)`

/** All entries that wait, of every space: one statement, all or nothing. */
const append = {
  name: 'append',
  text: `insert into events (space, sequence, at, crc, body)
    select e.space, e.sequence, to_timestamp(e.at / 1000.0), e.crc, e.body
    from rows from (
      unnest($1::text[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::bigint[]), json_array_elements($5::json)
    ) as e(space, sequence, at, crc, body)`,
}

/**
 * The one session through which a node owns its spaces, and writes their events. It holds an advisory lock for each: a
 * node that dies loses them at once, one that hangs when the server ends the idle session, and neither can write
 * afterwards. assumption: postgres-session
 */
export class OwnerSession {
  readonly #options: Required<OwnerSessionOptions>
  readonly #held = new Map<string, HeldSpace>()
  #connection: Promise<DatabaseConnection> | null = null
  #waiting: WaitingEntry[] = []
  #writing = false
  #isClosed = false
  readonly #pings: NodeJS.Timeout
  /** When the last answered statement was sent: the server counts from a later moment. By `elapsedTime`. */
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(options: OwnerSessionOptions) {
    this.#options = { idleMs: usualIdle, ...options }
    this.#pings = setInterval(() => void this.#ping(), this.#options.idleMs / 3).unref()
  }

  /** True while this node has the space, and no other node can have taken it: its state is the valid one. */
  holds(name: string): boolean {
    return this.#held.has(name) && elapsedTime() < this.#sentAt + this.#options.idleMs * trusted
  }

  /** Takes a space, unless another node holds it. Errors: SpaceTaken, also for a missing space; UnusableDatabase, DatabaseAway. */
  async take(name: string, needs: HolderNeeds): Promise<HeldSpace> {
    const { database, url } = this.#options
    if (this.#held.has(name)) throw new SpaceTaken(name, url)
    const { shown } = database.address
    const owner = randomUUID()
    const connection = await this.#opened()
    const { rows } = await this.#explained(this.#sent(connection, take, [name, owner, url]))
    if (!connection.isOpen) throw new DatabaseAway(shown, 'the session ended')
    if (rows[0] === undefined) throw await this.#takenBy(name)
    const space = new HeldSpace({ name, number: rows[0].number ?? '', owner, shown, connection }, needs)
    this.#held.set(name, space)
    return space
  }

  /**
   * Gives a space back: any node may take it immediately. `wakesAt`: when a node takes it by itself, by the clock of the
   * database; null: never. Errors: DatabaseAway; then the session is gone, and the lock with it.
   */
  async release(space: HeldSpace, wakesAt: number | null): Promise<void> {
    const { name, owner, number, connection } = space.facts
    if (this.#held.get(name) !== space) return
    this.#held.delete(name)
    try {
      await this.#explained(this.#sent(connection, give, [name, owner, wakesAt]))
    } finally {
      await this.#sent(connection, `select pg_advisory_unlock(${lockOf(number)})`)
    }
  }

  /** Resolves when the entry is durable. Errors: LostState, DatabaseAway, an Error of the server. */
  append(space: HeldSpace, entry: JournalEntry): Promise<void> {
    if (space.lost !== null) return Promise.reject(space.lost)
    const body = JSON.stringify(entry)
    const done = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ space, body, at: entry.at, resolve, reject })
    })
    space.waiting += 1
    space.written = done.then(
      () => true,
      () => false,
    )
    if (!this.#writing) void this.#drain()
    return done
  }

  /** Runs a statement that changes a space, in the session that holds it. Errors: LostState, DatabaseAway, an Error of the server. */
  async write(space: HeldSpace, ...statement: Parameters<RunStatement>): Promise<QueryResult> {
    space.requireHeld()
    return this.#explained(this.#sent(space.facts.connection, ...statement))
  }

  /** Ends the session: every space that is left is lost. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pings)
    const connection = await this.#connection?.catch(() => undefined) // it was not opened
    await connection?.close()
  }

  #opened(): Promise<DatabaseConnection> {
    const { database, idleMs } = this.#options
    if (this.#isClosed) return Promise.reject(new DatabaseAway(database.address.shown, 'this node stops'))
    if (this.#connection !== null) return this.#connection
    const settings = `-c idle_session_timeout=${idleMs} -c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2 -c tcp_user_timeout=${idleMs}`
    const ended = () => {
      if (this.#connection === opening) this.#lose()
    }
    const opening = database.connect('owner', { settings, ended })
    this.#connection = opening
    opening.catch(ended) // the caller gets the error
    return opening
  }

  /** The session is gone, and its locks with it. */
  #lose(): void {
    this.#connection = null
    this.#sentAt = Number.NEGATIVE_INFINITY
    const held = [...this.#held.values()]
    this.#held.clear()
    const { database } = this.#options
    const why = 'the session of this node ended'
    const away = new DatabaseAway(database.address.shown, why)
    for (const { space, reject } of this.#waiting.splice(0)) {
      space.waiting -= 1
      reject(away)
    }
    for (const space of held) space.lose(why)
    if (!this.#isClosed) database.onAway(away)
  }

  async #sent(connection: DatabaseConnection, ...statement: Parameters<RunStatement>): Promise<QueryResult> {
    const sent = elapsedTime()
    const result = await connection.run(...statement)
    if (connection.isOpen) this.#sentAt = Math.max(this.#sentAt, sent)
    return result
  }

  /** Keeps the session alive; without an answer it is ended, so that another one is opened. */
  async #ping(): Promise<void> {
    if (this.#connection === null) return
    const { idleMs } = this.#options
    const connection = await this.#connection.catch(() => undefined) // whoever opened it gets the error
    if (connection === undefined) return
    await this.#sent(connection, 'select', [], idleMs).catch(() => undefined) // the session is lost, which is reported
  }

  async #takenBy(name: string): Promise<SpaceTaken> {
    const { rows } = await this.#options.database.run('select owner_url from spaces where name = $1', [name])
    return new SpaceTaken(name, rows[0]?.owner_url ?? null)
  }

  async #drain(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      await nextTurn()
      await this.#writeGroup(this.#waiting.splice(0))
    }
    this.#writing = false
  }

  /** An entry that the server refuses fails its own space alone. */
  async #writeGroup(group: readonly WaitingEntry[]): Promise<void> {
    const spaces = bySpace(group)
    for (const space of [...spaces.keys()].filter(({ lost }) => lost !== null)) {
      this.#fail(spaces.get(space) ?? [], space.lost as LostState)
      spaces.delete(space)
    }
    const [first] = spaces.keys() // all are held by the same session
    try {
      if (first !== undefined) await this.#insert(first.facts.connection, spaces)
    } catch (thrown) {
      const error = thrown as Error
      if (spaces.size === 1 || error instanceof DatabaseAway) this.#fail([...spaces.values()].flat(), error)
      else for (const entries of spaces.values()) await this.#writeGroup(entries)
    }
  }

  async #insert(
    connection: DatabaseConnection,
    spaces: ReadonlyMap<HeldSpace, readonly WaitingEntry[]>,
  ): Promise<void> {
    const group = [...spaces.values()].flat()
    const values = [
      group.map(({ space }) => space.facts.name),
      [...spaces].flatMap(([{ position }, entries]) => entries.map((_, index) => position + 1 + index)),
      group.map(({ at }) => at),
      group.map(({ body }) => crc32(body)),
      `[${group.map(({ body }) => body).join(',')}]`,
    ]
    await this.#explained(this.#sent(connection, append, values))
    for (const [space, entries] of spaces) space.position += entries.length
    for (const { space, resolve } of group) {
      space.waiting -= 1
      resolve()
    }
  }

  #explained<T>(done: Promise<T>): Promise<T> {
    const { run, address } = this.#options.database
    return done.catch(async (error) => {
      throw error instanceof DatabaseAway ? error : await explainedStatement(error, run, address)
    })
  }

  /** Entries behind a failed one were decided on a state that is not durable: they fail with it. */
  #fail(group: readonly WaitingEntry[], error: Error): void {
    const spaces = new Set(group.map(({ space }) => space))
    const behind = this.#waiting.filter(({ space }) => spaces.has(space))
    this.#waiting = this.#waiting.filter(({ space }) => !spaces.has(space))
    for (const space of spaces) if (space.lost === null) space.needs.failed(error)
    for (const { space, reject } of [...group, ...behind]) {
      space.waiting -= 1
      reject(error)
    }
  }
}

function bySpace(entries: readonly WaitingEntry[]): Map<HeldSpace, WaitingEntry[]> {
  const spaces = new Map<HeldSpace, WaitingEntry[]>()
  for (const entry of entries) {
    const known = spaces.get(entry.space)
    if (known === undefined) spaces.set(entry.space, [entry])
    else known.push(entry)
  }
  return spaces
}

/** Share of the idle time in which this node trusts its session, from the moment at which it sent a statement. */
const trusted = 5 / 6

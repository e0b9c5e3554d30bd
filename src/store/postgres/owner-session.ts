import { randomUUID } from 'node:crypto'
import type { JournalEntry } from '../../domain/state.ts'
import { clearInterval, elapsedTime, setInterval } from '../../timers.ts'
import type { DatabaseConnection, QueryResult, RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import { EventWriter } from './event-writer.ts'
import { HeldSpace, type HolderNeeds } from './held-space.ts'

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
  readonly idleMs?: number | undefined
}

/** Usual time without a statement after which the server ends the session. Milliseconds. */
const usualIdle = 2_500

/** Share of the idle time in which this node trusts its session, from the moment at which it sent a statement. */
const trusted = 5 / 6

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

/**
 * The one session through which a node owns its spaces, and writes their events. It holds an advisory lock for each: a
 * node that dies loses them at once, one that hangs when the server ends the idle session, and neither can write
 * afterwards. assumption: postgres-session
 */
export class OwnerSession {
  readonly #database: Database
  readonly #url: string | null
  readonly #idleMs: number
  readonly #held = new Map<string, HeldSpace>()
  readonly #events = new EventWriter((...given) => this.#sent(...given))
  #connection: Promise<DatabaseConnection> | null = null
  #isClosed = false
  readonly #pings: NodeJS.Timeout
  /** When the last answered statement was sent: the server counts from a later moment. By `elapsedTime`. */
  #sentAt = Number.NEGATIVE_INFINITY

  constructor({ database, url, idleMs = usualIdle }: OwnerSessionOptions) {
    this.#database = database
    this.#url = url
    this.#idleMs = idleMs
    this.#pings = setInterval(() => void this.#ping(), idleMs / 3).unref()
  }

  /** True while this node has the space, and no other node can have taken it: its state is the valid one. */
  holds(name: string): boolean {
    return this.#held.has(name) && elapsedTime() < this.#sentAt + this.#idleMs * trusted
  }

  /** Takes a space, unless another node holds it. Errors: SpaceTaken, also for a missing space; as `RunStatement`. */
  async take(name: string, needs: HolderNeeds): Promise<HeldSpace> {
    if (this.#held.has(name)) throw new SpaceTaken(name, this.#url)
    const { shown } = this.#database.address
    const owner = randomUUID()
    const connection = await this.#opened()
    const { rows } = await this.#sent(connection, take, [name, owner, this.#url])
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
      await this.#sent(connection, give, [name, owner, wakesAt])
    } finally {
      await this.#sent(connection, `select pg_advisory_unlock(${lockOf(number)})`)
    }
  }

  /** Resolves when the entry is durable. Errors: LostState; as `RunStatement`. */
  append(space: HeldSpace, entry: JournalEntry): Promise<void> {
    return this.#events.append(space, entry)
  }

  /** Runs a statement that changes a space, in the session that holds it. Errors: LostState; as `RunStatement`. */
  async write(space: HeldSpace, ...statement: Parameters<RunStatement>): Promise<QueryResult> {
    space.requireHeld()
    return this.#sent(space.facts.connection, ...statement)
  }

  /** Ends the session: every space that is left is lost. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pings)
    const connection = await this.#connection?.catch(() => undefined) // it was not opened
    await connection?.close()
  }

  #opened(): Promise<DatabaseConnection> {
    const idle = this.#idleMs
    if (this.#isClosed)
      return Promise.reject(new DatabaseAway(this.#database.address.shown, 'this node stops'))
    if (this.#connection !== null) return this.#connection
    const settings = `-c idle_session_timeout=${idle} -c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2 -c tcp_user_timeout=${idle}`
    const ended = () => {
      if (this.#connection === opening) this.#lose()
    }
    const opening = this.#database.connect(settings, ended)
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
    const why = 'the session of this node ended'
    const away = new DatabaseAway(this.#database.address.shown, why)
    this.#events.drop(away)
    for (const space of held) space.lose(why)
    if (!this.#isClosed) this.#database.onAway(away)
  }

  async #sent(connection: DatabaseConnection, ...statement: Parameters<RunStatement>): Promise<QueryResult> {
    const sent = elapsedTime()
    const result = await connection.run(...statement)
    if (connection.isOpen) this.#sentAt = Math.max(this.#sentAt, sent)
    return result
  }

  /** Keeps the session alive; without an answer it is ended, so that another one is opened. */
  async #ping(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined) // whoever opened it gets the error
    if (connection !== undefined)
      await this.#sent(connection, 'select', [], this.#idleMs).catch(() => undefined) // the session is lost, which is reported
  }

  async #takenBy(name: string): Promise<SpaceTaken> {
    const { rows } = await this.#database.run('select owner_url from spaces where name = $1', [name])
    return new SpaceTaken(name, rows[0]?.owner_url ?? null)
  }
}

import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { clearInterval, elapsedTime, setInterval } from '../../../shared/timers.ts'
import { GroupQueue } from '../group-queue.ts'
import type { StorageNeeds } from '../storage.ts'
import type { Database, DatabaseConnection } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { RunStatement, StatementValue } from './connection/statement.ts'
import { HeldSpace } from './held-space.ts'

/** Another node serves the space, or it cannot be taken at the moment. */
export class SpaceTaken extends Error {
  override readonly name = 'SpaceTaken'
  /** `ownerUrl`: URL of that node; null if it is unknown. */
  constructor(
    space: string,
    readonly ownerUrl: string | null,
  ) {
    super(`The space ${space} is in use by another sandbox${ownerUrl === null ? '' : ` at ${ownerUrl}`}`)
  }
}

interface OwnerSessionOptions {
  readonly database: Database
  /** URL at which other nodes reach this one; null: they do not. */
  readonly url: string | null
  /**
   * Time without a statement after which the server ends the session. Milliseconds. assumption:
   * postgres-session
   */
  readonly idleMs?: number | undefined
}

/** Usual time without a statement after which the server ends the session. Milliseconds. */
const usualIdle = 2_000

/** Share of the idle time for which this node trusts its session, from when it sent a statement. */
const trusted = 5 / 6

/** The lock of a space: unique in its database, and never used again. */
const lockArguments = (number: string | number) => `'spaces'::regclass::oid::integer, ${number}`

/**
 * Takes a space: then it selects its `number`; `earlier`: URL of the node that had it. Skips a row that
 * somebody has locked: no other space waits for it.
 */
const take = `with found as materialized (
    select name, number from spaces where name = $1 and (expires_at is null or expires_at > now())
      for no key update skip locked),
  taken as materialized (select name from found where pg_try_advisory_lock(${lockArguments('number')})),
  owned as (update spaces set owner = $2, owner_url = $3, wake_at = null from taken where spaces.name = taken.name
    returning spaces.number)
  select (select number from owned) as number, (select owner_url from spaces where name = $1) as earlier`

const give = `update spaces set owner = null, owner_url = null, wake_at = coalesce(to_timestamp($3::float8 / 1000), wake_at)
  where name in (select name from spaces where name = $1 and owner = $2 for no key update skip locked)`

/** Adds all events that wait, of every space: one statement, all or nothing. */
const append = {
  name: 'append',
  text: `with added as (
      insert into events (space, sequence, at, crc, body)
        select e.space, e.sequence, to_timestamp(e.at / 1000.0), e.crc, e.body
        from rows from (
          unnest($1::text[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::bigint[]), json_array_elements($5::json)
        ) as e(space, sequence, at, crc, body))
    insert into sequences (space, last)
      select space, max(sequence) from unnest($1::text[], $2::bigint[]) as e(space, sequence) group by space
      on conflict (space) do update set last = excluded.last`,
}

/** An event that waits to be durable. `at`: sandbox time; `body`: as JSON. */
export interface WaitingEvent {
  readonly at: number
  readonly body: string
}

/** Events of a space that wait, the sequence of the first one, and why they were refused. */
interface WaitingGroup {
  readonly space: HeldSpace
  readonly from: number
  readonly events: readonly WaitingEvent[]
  refusal: Error | null
}

/**
 * The one session through which a node owns its spaces, and writes their events. It holds an advisory lock
 * for each: a node that dies loses them at once, one that hangs when the server ends the idle session, and
 * neither can write afterwards. assumption: postgres-session
 */
export class OwnerSession {
  readonly #idleMs: number
  readonly #held = new Map<string, HeldSpace>()
  readonly #groups = new GroupQueue<WaitingGroup[]>({
    begin: () => [],
    write: (groups) => this.#append(groups),
    failed: () => undefined, // each space is told
  })
  #connection: Promise<DatabaseConnection> | null = null
  #isClosed = false
  readonly #pings: NodeJS.Timeout
  /** When the last answered statement was sent: the server counts from a later moment. By `elapsedTime`. */
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(private readonly options: OwnerSessionOptions) {
    this.#idleMs = options.idleMs ?? usualIdle
    this.#pings = setInterval(() => void this.#ping(), this.#idleMs / 3).unref()
  }

  /** True while this node has the space, and no other node can have taken it: its state is the valid one. */
  holds(name: string): boolean {
    return this.#held.get(name)?.lost === null && elapsedTime() < this.#sentAt + this.#idleMs * trusted
  }

  /** Takes a space, unless another node holds it. Errors: SpaceTaken, also for a missing one. */
  async take(name: string, whenLost: StorageNeeds['lost']): Promise<HeldSpace> {
    if (this.#held.has(name)) throw new SpaceTaken(name, this.options.url)
    const [database, owner, connection] = [this.options.database, randomUUID(), await this.#opened()]
    type Taken = { readonly number: number | null; readonly earlier: string | null }
    const { rows } = await this.#sent<Taken>(connection, take, [name, owner, this.options.url])
    if (!connection.isOpen) throw this.#away('the session ended')
    const { number = null, earlier = null } = rows[0] ?? {}
    if (number === null) throw new SpaceTaken(name, earlier)
    const space = new HeldSpace({ database, name, number, owner, connection, whenLost })
    this.#held.set(name, space)
    return space
  }

  /**
   * Gives a space back: any node may take it immediately. `wakesAt`: when a node takes it by itself, by the
   * clock of the database; null: never. Errors: DatabaseAway; then the session is gone, and the lock with it.
   */
  async release(space: HeldSpace, wakesAt: number | null): Promise<void> {
    const { name, owner, number, connection } = space.facts
    if (this.#held.get(name) !== space) return
    this.#held.delete(name)
    space.end('this node has given it back')
    try {
      await this.#sent(connection, give, [name, owner, wakesAt])
    } finally {
      await this.#sent(connection, `select pg_advisory_unlock(${lockArguments(number)})`)
    }
  }

  /** Runs a statement that changes a space, in the session that holds it. Errors: LostState. */
  async write(space: HeldSpace, ...statement: Parameters<RunStatement>): Promise<pg.QueryResult> {
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

  /**
   * Makes events of a space durable, together with those of others. `from`: sequence of the first one.
   * Errors: LostState; as `RunStatement`.
   */
  async append(space: HeldSpace, from: number, events: readonly WaitingEvent[]): Promise<void> {
    const group: WaitingGroup = { space, from, events, refusal: null }
    this.#groups.next.push(group)
    await this.#groups.commit()
    if (group.refusal !== null) throw group.refusal
  }

  /** What the server refuses fails its own space alone. Errors: DatabaseAway. */
  async #append(groups: readonly WaitingGroup[]): Promise<void> {
    for (const group of groups) group.refusal = group.space.lost
    const held = groups.filter(({ refusal }) => refusal === null)
    const [first] = held // all are held by the same session
    if (first === undefined) return
    try {
      await this.#sent(first.space.facts.connection, append, appendValues(held))
    } catch (error) {
      if (error instanceof DatabaseAway) throw error
      if (held.length === 1) first.refusal = error as Error
      else for (const group of held) await this.#append([group])
    }
  }

  #opened(): Promise<DatabaseConnection> {
    const idle = this.#idleMs
    if (this.#isClosed) return Promise.reject(this.#away('this node stops'))
    const settings = `-c idle_session_timeout=${idle} -c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2 -c tcp_user_timeout=${idle}`
    this.#connection ??= this.options.database.connect(settings, () => this.#lose())
    return this.#connection
  }

  /** The session is gone, and its locks with it. */
  #lose(): void {
    this.#connection = null
    this.#sentAt = Number.NEGATIVE_INFINITY
    const held = [...this.#held.values()]
    this.#held.clear()
    const why = 'the session of this node ended'
    for (const space of held) space.lose(why)
    if (!this.#isClosed) this.options.database.onAway(this.#away(why))
  }

  #away(why: string): DatabaseAway {
    return new DatabaseAway(this.options.database.address.shown, why)
  }

  async #sent<Row extends pg.QueryResultRow>(
    connection: DatabaseConnection,
    ...statement: Parameters<RunStatement>
  ): Promise<pg.QueryResult<Row>> {
    const sent = elapsedTime()
    const result = await connection.run<Row>(...statement)
    if (connection.isOpen) this.#sentAt = Math.max(this.#sentAt, sent)
    return result
  }

  /** Keeps the session alive; without an answer it is ended, so that another one is opened. */
  async #ping(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined) // whoever opened it gets the error
    if (connection !== undefined)
      await this.#sent(connection, 'select', [], this.#idleMs).catch(() => undefined) // the session is lost, which is reported
  }
}

function appendValues(groups: readonly WaitingGroup[]): StatementValue[] {
  const all = groups.flatMap(({ space: { facts }, from, events }) =>
    events.map((event, index) => ({ ...event, name: facts.name, sequence: from + index })),
  )
  return [
    all.map(({ name }) => name),
    all.map(({ sequence }) => sequence),
    all.map(({ at }) => at),
    all.map(({ body }) => crc32(body)),
    `[${all.map(({ body }) => body).join(',')}]`,
  ]
}

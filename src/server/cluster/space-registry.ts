import { randomBytes } from 'node:crypto'
import type { QueryResult } from '../../store/postgres/connection/connection.ts'
import type { Database } from '../../store/postgres/connection/database.ts'
import { elapsedTime } from '../../timers.ts'

/** A space in the database. Times in ISO 8601, by the clock of the database. */
export interface ClusterSpace {
  readonly name: string
  /** Seed of its keys and webhook secrets, hex; null for the first space. */
  readonly secret: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  /** URL of the node that took it last; null once it was released. */
  readonly ownerUrl: string | null
}

/** Tolerated difference to the database's clock; beyond it, that clock is followed. Milliseconds. */
const tolerated = 1_000

/** True while a session has the lock of a space. */
const isHeld = `exists (
  select from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = number::bigint::oid
    and classid = 'spaces'::regclass and database = (select oid from pg_database where datname = current_database()))`

/** The columns of a space in a query. */
const columns = `name, secret, (extract(epoch from created_at) * 1000)::bigint as created_ms,
  (extract(epoch from expires_at) * 1000)::bigint as expires_ms, owner_url`

/** A removed or expired space no longer exists; its rows are deleted later. */
const isThere = '(expires_at is null or expires_at > now())'

/** Expiry that marks a removed space. */
const removed = "'-infinity'::timestamptz"

/** Tables whose rows belong to spaces. */
const tablesOfSpaces = ['events', 'sequences', 'snapshots', 'checkpoints', 'attempts'] as const

/** Maximum rows of one delete statement. */
const slice = 1_000

/** The spaces of a database, for all its nodes. Each method: Errors: DatabaseAway, UnusableDatabase. */
export class SpaceRegistry {
  readonly #database: Database
  #skew = 0
  #nodeUrls: readonly string[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** The shared secret of the nodes, which the keys of a shared first space are derived from, too. */
  async secret(): Promise<string> {
    const [row] = await this.#rows('select secret from cluster')
    return row?.secret ?? ''
  }

  /** How far the database's clock is ahead of this machine's, as last measured. Milliseconds. */
  get skew(): number {
    return this.#skew
  }

  /** URLs of the nodes that serve a space, as last read. */
  get nodeUrls(): readonly string[] {
    return this.#nodeUrls
  }

  /** Reads the clock of the database, on which all nodes agree, and their URLs. `wall`: the clock of this machine. */
  async followNodes(wall: () => number): Promise<void> {
    const sent = elapsedTime()
    const [row] = await this.#rows(
      `select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
        (select string_agg(distinct owner_url, ' ') from spaces) as urls`,
    )
    this.#nodeUrls = row?.urls?.split(' ') ?? []
    const halfway = wall() - (elapsedTime() - sent) / 2
    const skew = Math.round(Number(row?.now) - halfway)
    if (Math.abs(skew - this.#skew) > tolerated) this.#skew = skew
  }

  /** Creates the first space, if there is none yet; true when it did. */
  async ensureFirst(name: string, keys: readonly string[]): Promise<boolean> {
    const rows = await this.#rows(
      'insert into spaces (name, keys) values ($1, $2) on conflict do nothing returning name',
      [name, keys],
    )
    return rows.length === 1
  }

  /** Every space, the oldest first. */
  async all(): Promise<ClusterSpace[]> {
    const rows = await this.#rows(`select ${columns} from spaces where ${isThere} order by created_at, name`)
    return rows.map(spaceOf)
  }

  async find(name: string): Promise<ClusterSpace | undefined> {
    const rows = await this.#rows(`select ${columns} from spaces where name = $1 and ${isThere}`, [name])
    return rows.map(spaceOf)[0]
  }

  /** Creates a space; undefined when the name is taken. `keysOf` makes the API keys for a secret. */
  async add(
    name: string,
    ttlMs: number | null,
    keysOf: (secret: string) => readonly string[],
  ): Promise<ClusterSpace | undefined> {
    await this.erase(name)
    const secret = randomBytes(32).toString('hex')
    const rows = await this.#rows(
      `insert into spaces (name, secret, keys, expires_at) values ($1, $2, $3, now() + $4 * interval '1 ms')
        on conflict do nothing returning ${columns}`,
      [name, secret, keysOf(secret), ttlMs],
    )
    return rows.map(spaceOf)[0]
  }

  /**
   * Removes a space and its tokens; its rows remain until `erase`. The node that serves it notices within a second. A
   * new space with the same name has another secret, and is kept.
   */
  async remove({ name, secret }: Pick<ClusterSpace, 'name' | 'secret'>): Promise<void> {
    await this.#remove('name = $1 and secret = $2', [name, secret ?? ''])
  }

  /** Removes expired spaces; one whose row is locked follows later. Returns their names. */
  removeExpired(): Promise<string[]> {
    return this.#remove(
      `name in (select name from spaces where expires_at <= now() and expires_at > ${removed} for no key update skip locked)`,
      [],
    )
  }

  /** Removed spaces that still have rows. */
  async removed(): Promise<string[]> {
    return names(await this.#rows(`select name from spaces where expires_at = ${removed}`))
  }

  /**
   * Deletes the rows of a removed space in small steps, so that nothing waits for long, once no node holds it; locked
   * rows follow later.
   */
  async erase(name: string): Promise<void> {
    const isRemoved = `select name from spaces where name = $1 and expires_at = ${removed} and not ${isHeld}`
    if ((await this.#rows(isRemoved, [name])).length === 0) return
    for (const table of tablesOfSpaces) {
      const selection = `select ctid from ${table} where space in (${isRemoved}) limit ${slice} for update of ${table} skip locked`
      const deletion = `delete from ${table} where ctid = any (array(${selection})) returning 1`
      while ((await this.#rows(deletion, [name])).length === slice);
    }
    const isEmpty = tablesOfSpaces
      .map((table) => `not exists (select from ${table} where space = $1)`)
      .join(' and ')
    await this.#rows(
      `delete from spaces where name in (${isRemoved} and ${isEmpty} for update skip locked)`,
      [name],
    )
  }

  /** The space with that API key; the oldest, if there are several. */
  async spaceOfKey(key: string): Promise<string | undefined> {
    const rows = await this.#rows(
      `select name from spaces where keys @> array[$1] and ${isThere} order by created_at, name limit 1`,
      [key],
    )
    return rows[0]?.name ?? undefined
  }

  /** Up to `most` spaces whose node died, or that are due to wake. */
  async wanted(most: number): Promise<string[]> {
    return names(
      await this.#rows(
        `select name from spaces where ${isThere} and (owner_url is not null or wake_at <= now()) and not ${isHeld}
          order by random() limit $1`,
        [most],
      ),
    )
  }

  /** The nodes that serve these spaces; null for a space that is not served. Removed spaces are left out. */
  async owners(of: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.#rows(`select ${columns} from spaces where name = any($1) and ${isThere}`, [of])
    return new Map(rows.map(spaceOf).map(({ name, ownerUrl }) => [name, ownerUrl]))
  }

  async #remove(which: string, values: string[]): Promise<string[]> {
    const rows = await this.#rows(
      `with gone as (
          update spaces set expires_at = ${removed}, owner = null, owner_url = null, keys = '{}' where ${which} returning name),
          revoked as (update tokens set revoked_at = now() where space in (select name from gone) and revoked_at is null)
        select name from gone`,
      values,
    )
    return names(rows)
  }

  async #rows(text: string, values: Parameters<Database['run']>[1] = []) {
    return (await this.#database.run(text, values)).rows
  }
}

const names = (rows: QueryResult['rows']): string[] => rows.map(({ name }) => name ?? '')

const spaceOf = (row: QueryResult['rows'][number]): ClusterSpace => ({
  name: row.name ?? '',
  secret: row.secret ?? null,
  createdAt: new Date(Number(row.created_ms)).toISOString(),
  expiresAt: row.expires_ms == null ? null : new Date(Number(row.expires_ms)).toISOString(),
  ownerUrl: row.owner_url ?? null,
})

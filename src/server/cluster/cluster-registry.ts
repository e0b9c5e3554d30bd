import { randomBytes } from 'node:crypto'
import type { Database } from '../../store/postgres/connection/database.ts'
import { elapsedTime } from '../../timers.ts'

/** A space in the database. Times in ISO 8601, by the clock of the database. */
export interface ClusterSpace {
  readonly name: string
  /** Seed of its keys and webhook secrets, hex; null for the first space, which uses those of the fixtures. */
  readonly secret: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  /** URL of the node that serves it; null while none does. */
  readonly ownerUrl: string | null
}

/** Tolerated difference to the database's clock; beyond it, that clock is followed. Milliseconds. */
const tolerated = 1_000

/** Silence after which a node counts as dead and is removed. Milliseconds. */
const [absentAfter, forgottenAfter] = [3_000, 60_000]

/** The time of the database as a column `now`. Milliseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000)::bigint as now'

/** The columns of a space in a query. */
const columns = `name, secret, (extract(epoch from created_at) * 1000)::bigint as created_ms,
  (extract(epoch from expires_at) * 1000)::bigint as expires_ms,
  case when leased_until >= now() then owner_url end as owner_url`

/** A removed or expired space no longer exists; its rows are deleted later. */
const isThere = '(expires_at is null or expires_at > now())'

/** Expiry that marks a removed space. */
const removed = "'-infinity'::timestamptz"

/** Tables whose rows belong to spaces. */
const tablesOfSpaces = ['events', 'snapshots', 'checkpoints', 'attempts', 'positions', 'requests'] as const

/** Maximum rows of one delete statement. */
const slice = 1_000

/** The spaces of a database, for all its nodes. Each method: Errors: DatabaseAway, UnusableDatabase. */
export class ClusterRegistry {
  readonly #database: Database
  readonly #patience: number
  #skew = 0
  #nodeUrls: readonly string[] = []

  constructor(database: Database) {
    this.#database = database
    this.#patience = database.address.unavailableAfter
  }

  /** The shared secret of the nodes. */
  async secret(): Promise<string> {
    const [row] = await this.#rows('select secret from cluster')
    return row?.secret ?? ''
  }

  /** How far the database's clock is ahead of this machine's, as last measured. Milliseconds. */
  get skew(): number {
    return this.#skew
  }

  /** URLs of the nodes, as of this node's last announcement. */
  get nodeUrls(): readonly string[] {
    return this.#nodeUrls
  }

  /** Reads the clock of the database, on which all nodes agree. `wall`: the clock of this machine. */
  followClock(wall: () => number): Promise<void> {
    return this.#follow(wall, `select ${clock}`)
  }

  /** As `followClock`, and announces this node. `url`: where other nodes reach it. */
  present(node: string, url: string, wall: () => number): Promise<void> {
    return this.#follow(
      wall,
      `with gone as (delete from nodes where seen_at < now() - interval '${forgottenAfter} ms' and node <> $1)
        insert into nodes (node, url) values ($1, $2)
        on conflict (node) do update set url = excluded.url, seen_at = excluded.seen_at
          returning ${clock}, (select string_agg(url, ' ') from nodes) as urls`,
      [node, url],
    )
  }

  /** Removes this node from the list. Returns the URLs of the remaining nodes. */
  async leave(node: string): Promise<string[]> {
    await this.#rows('delete from nodes where node = $1', [node])
    const rows = await this.#rows(
      `select url from nodes where seen_at > now() - interval '${absentAfter} ms' order by random()`,
    )
    return rows.map(({ url }) => url ?? '')
  }

  /** Creates the first space, if there is none yet. */
  async ensureFirst(name: string, keys: readonly string[]): Promise<void> {
    await this.#rows('insert into spaces (name, keys) values ($1, $2) on conflict do nothing', [name, keys])
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

  /**
   * Creates a space, and returns its secret; undefined when the name is taken. `keysOf` makes the API keys for a
   * secret.
   */
  async add(
    name: string,
    ttlMs: number | null,
    keysOf: (secret: string) => readonly string[],
  ): Promise<string | undefined> {
    await this.erase(name)
    const secret = randomBytes(32).toString('hex')
    const added = await this.#rows(
      `insert into spaces (name, secret, keys, expires_at) values ($1, $2, $3, now() + $4 * interval '1 ms')
        on conflict do nothing returning name`,
      [name, secret, keysOf(secret), ttlMs],
    )
    return added.length === 1 ? secret : undefined
  }

  /**
   * Removes a space and its tokens; its rows remain until `erase`. The node that serves it notices at its next write or
   * renewal. A new space with the same name has another secret, and is kept.
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
    const rows = await this.#rows(`select name from spaces where expires_at = ${removed}`)
    return rows.map(({ name }) => name ?? '')
  }

  /** Deletes the rows of a removed space in small steps, so that nothing waits for long; locked rows follow later. */
  async erase(name: string): Promise<void> {
    const isRemoved = `select name from spaces where name = $1 and expires_at = ${removed}`
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
    const rows = await this.#rows(
      `select name from spaces where ${isThere}
        and ((owner is not null and leased_until < now()) or (owner is null and wake_at <= now()))
        order by random() limit $1`,
      [most],
    )
    return rows.map(({ name }) => name ?? '')
  }

  /** The nodes that serve these spaces; null for a space that is not served. Removed spaces are left out. */
  async owners(names: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.#rows(`select ${columns} from spaces where name = any($1) and ${isThere}`, [
      names,
    ])
    return new Map(rows.map(spaceOf).map(({ name, ownerUrl }) => [name, ownerUrl]))
  }

  async #follow(wall: () => number, text: string, values: string[] = []): Promise<void> {
    const sent = elapsedTime()
    const [row] = await this.#rows(text, values)
    if (row?.urls != null) this.#nodeUrls = row.urls.split(' ')
    const halfway = wall() - (elapsedTime() - sent) / 2
    const skew = Math.round(Number(row?.now) - halfway)
    if (Math.abs(skew - this.#skew) > tolerated) this.#skew = skew
  }

  async #remove(which: string, values: string[]): Promise<string[]> {
    const rows = await this.#rows(
      `with gone as (
          update spaces set expires_at = ${removed}, epoch = nextval('epochs'), owner = null, owner_url = null,
            leased_until = null, keys = '{}' where ${which} returning name),
          revoked as (update tokens set revoked_at = now() where space in (select name from gone) and revoked_at is null)
        select name from gone`,
      values,
    )
    return rows.map(({ name }) => name ?? '')
  }

  async #rows(text: string, values: Parameters<Database['run']>[1] = []) {
    return (await this.#database.run(text, values, this.#patience)).rows
  }
}

const spaceOf = (row: Readonly<Record<string, string | null>>): ClusterSpace => ({
  name: row.name ?? '',
  secret: row.secret ?? null,
  createdAt: new Date(Number(row.created_ms)).toISOString(),
  expiresAt: row.expires_ms == null ? null : new Date(Number(row.expires_ms)).toISOString(),
  ownerUrl: row.owner_url ?? null,
})

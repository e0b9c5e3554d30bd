import { randomBytes } from 'node:crypto'
import { type Database, isoTime, type StatementValue } from '../../store/postgres/connection/database.ts'
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

/** Time for which the space of a key is cached. Milliseconds. */
const remembered = 60_000

/** True while a session has the lock of a space. */
const isHeld = `exists (
  select from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = number::bigint::oid
    and classid = 'spaces'::regclass and database = (select oid from pg_database where datname = current_database()))`

/** The columns of a `ClusterSpace`. */
const columns = `name, secret, ${isoTime('created_at')} as "createdAt", ${isoTime('expires_at')} as "expiresAt", owner_url as "ownerUrl"`

/** A space whose time is over no longer exists; its rows are deleted later. */
const isThere = '(expires_at is null or expires_at > now())'

/** Time for which a deletion waits for rows that somebody has locked; then it is tried again later. Milliseconds. */
const lockWait = 500

/** Deletes a space whose time is over, with its rows, and revokes its tokens: all or nothing. */
const erasure = `with gone as (delete from spaces
    where name in (select name from spaces where name = $1 and not ${isThere} and not ${isHeld} for update skip locked)
    returning name),
  revoked as (update tokens set revoked_at = now() where revoked_at is null and space in (select name from gone)),
  ${['events', 'sequences', 'states', 'snapshots', 'attempts'].map((table) => `of_${table} as (delete from ${table} where space in (select name from gone))`).join(', ')}
  select from gone`

/** The spaces of a database, for all its nodes. Each method: Errors: DatabaseAway, UnusableDatabase. */
export class SpaceRegistry {
  readonly #database: Database
  #skew = 0
  #nodeUrls: readonly string[] = []
  readonly #spacesByKey = new Map<string, string>()
  #rememberedSince = elapsedTime()

  constructor(database: Database) {
    this.#database = database
  }

  /** The shared secret of the nodes, which the keys of a shared first space are derived from, too. */
  async secret(): Promise<string> {
    const [row] = await this.#rows<{ secret: string }>('select secret from cluster')
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
    const [row] = await this.#rows<{ now: Date; urls: string[] }>(
      'select clock_timestamp() as now, array(select distinct owner_url from spaces where owner_url is not null) as urls',
    )
    if (row === undefined) return
    this.#nodeUrls = row.urls
    const halfway = wall() - (elapsedTime() - sent) / 2
    const skew = Math.round(row.now.getTime() - halfway)
    if (Math.abs(skew - this.#skew) > tolerated) this.#skew = skew
  }

  /** Creates the first space, if there is none yet; true when it did. */
  async ensureFirst(name: string): Promise<boolean> {
    const text = 'insert into spaces (name) values ($1) on conflict do nothing returning name'
    return (await this.#rows(text, [name])).length === 1
  }

  /** Every space, the oldest first. */
  async all(): Promise<ClusterSpace[]> {
    const text = `select ${columns} from spaces where ${isThere} order by created_at, name`
    return this.#rows(text)
  }

  async find(name: string): Promise<ClusterSpace | undefined> {
    const text = `select ${columns} from spaces where name = $1 and ${isThere}`
    return (await this.#rows<ClusterSpace>(text, [name]))[0]
  }

  /** Creates a space; undefined when the name is taken. `keysOf` makes the API keys for a secret. */
  async add(
    name: string,
    ttlMs: number | null,
    keysOf: (secret: string) => readonly string[],
  ): Promise<ClusterSpace | undefined> {
    await this.erase(name)
    const secret = randomBytes(32).toString('hex')
    const rows = await this.#rows<ClusterSpace>(
      `insert into spaces (name, secret, keys, expires_at) values ($1, $2, $3, now() + $4 * interval '1 ms')
        on conflict do nothing returning ${columns}`,
      [name, secret, keysOf(secret), ttlMs],
    )
    return rows[0]
  }

  /**
   * Removes a space; its rows remain until `erase`. The node that serves it notices within a second. A new space with
   * the same name has another secret, and is kept.
   */
  async remove({ name, secret }: Pick<ClusterSpace, 'name' | 'secret'>): Promise<void> {
    const text = "update spaces set expires_at = '-infinity' where name = $1 and secret = $2"
    await this.#rows(text, [name, secret])
  }

  /** Deletes a space whose time is over, once no node holds it and nobody else has locked its rows. */
  async erase(name: string): Promise<void> {
    await this.#database.transaction(async (run) => {
      await run(`set local lock_timeout = ${lockWait}`)
      await run(erasure, [name])
    })
  }

  /**
   * The space with that API key; the oldest, if there are several. Found keys are cached for a while; unknown ones are
   * not, because a space may get one at any moment. assumption: spaces
   */
  async spaceOfKey(key: string): Promise<string | undefined> {
    if (elapsedTime() - this.#rememberedSince > remembered) this.forgetKeys()
    const known = this.#spacesByKey.get(key)
    if (known !== undefined) return known
    const [found] = await this.#rows<{ name: string }>(
      `select name from spaces where keys @> array[$1] and ${isThere} order by created_at, name limit 1`,
      [key],
    )
    if (found !== undefined) this.#spacesByKey.set(key, found.name)
    return found?.name
  }

  /** Looks every key up again, after keys were added or removed. */
  forgetKeys(): void {
    this.#spacesByKey.clear()
    this.#rememberedSince = elapsedTime()
  }

  /** Up to `most` spaces whose node died, or that are due to wake. */
  async wanted(most: number): Promise<string[]> {
    const rows = await this.#rows<{ name: string }>(
      `select name from spaces where ${isThere} and (owner_url is not null or wake_at <= now()) and not ${isHeld}
        order by random() limit $1`,
      [most],
    )
    return rows.map(({ name }) => name)
  }

  /** Spaces whose time is over, and the nodes that serve these others; null for one that is not served. */
  async look(others: readonly string[]) {
    const rows = await this.#rows<{ name: string; owner_url: string | null; there: boolean }>(
      `select name, owner_url, ${isThere} as there from spaces where name = any($1) or not ${isThere}`,
      [others],
    )
    return {
      over: rows.filter(({ there }) => !there).map(({ name }) => name),
      owners: new Map(rows.filter(({ there }) => there).map(({ name, owner_url }) => [name, owner_url])),
    }
  }

  async #rows<Row extends object>(text: string, values: readonly StatementValue[] = []): Promise<Row[]> {
    return (await this.#database.run<Row>(text, values)).rows
  }
}

import { randomBytes } from 'node:crypto'
import { type Database, isoTime } from '../../sandbox/store/postgres/connection/database.ts'
import type { StatementValue } from '../../sandbox/store/postgres/connection/statement.ts'
import { elapsedTime, wallTime } from '../../shared/timers.ts'

/** A space in the database. Times in ISO 8601, by the clock of the database. */
export interface ClusterSpace {
  readonly name: string
  /** Seed of its keys and webhook secrets, hex; null for the first space. */
  readonly secret: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  /** Id of the token that made it; null for none. */
  readonly madeBy: string | null
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

const columns = `name, secret, ${isoTime('created_at')} as "createdAt", ${isoTime('expires_at')} as "expiresAt", made_by as "madeBy", owner_url as "ownerUrl"`

/** A space whose time is over no longer exists; its rows are deleted later. */
const isThere = '(expires_at is null or expires_at > now())'

/** How long a deletion waits for rows that somebody has locked; then it is tried again. Milliseconds. */
const lockWait = 500

/** Deletes a space whose time is over, with its rows, and revokes its tokens: all or nothing. */
const erasure = `with gone as (delete from spaces
    where name in (select name from spaces where name = $1 and not ${isThere} and not ${isHeld} for update skip locked)
    returning name),
  revoked as (update tokens set revoked_at = now() where revoked_at is null and space in (select name from gone)),
  ${['events', 'sequences', 'states', 'snapshots', 'attempts'].map((table) => `of_${table} as (delete from ${table} where space in (select name from gone))`).join(', ')}
  select from gone`

/** What a node looks for again and again. */
interface Survey {
  /** The clock of the database. */
  readonly now: Date
  /** URLs of the nodes that serve a space. */
  readonly urls: readonly string[]
  /** Spaces whose time is over. */
  readonly ended: readonly string[]
  /** Spaces whose node died, or that are due to wake. */
  readonly wanted: readonly string[]
  /** Which node holds each of the spaces asked for; without those that no node holds. */
  readonly owners: Readonly<Record<string, string>>
}

const surveying = `select clock_timestamp() as now,
  array(select distinct owner_url from spaces where owner_url is not null) as urls,
  array(select name from spaces where not ${isThere}) as ended,
  array(select name from spaces where ${isThere} and (owner_url is not null or wake_at <= now()) and not ${isHeld}
    order by random() limit $1) as wanted,
  (select coalesce(json_object_agg(name, owner_url), '{}') from spaces
    where name = any($2) and ${isThere} and ${isHeld}) as owners`

/** The spaces of a database, for all its nodes. Each method: Errors: DatabaseAway, UnusableDatabase. */
export class SpaceRegistry {
  /** How far the database's clock is ahead of this machine's. Milliseconds. */
  #skew = 0
  /** URLs of the nodes that serve a space, as of the last survey. */
  nodeUrls: readonly string[] = []
  readonly #spacesByKey = new Map<string, string>()
  #rememberedSince = elapsedTime()

  /** `machineClock`: the clock of this machine in milliseconds. */
  constructor(
    private readonly database: Database,
    private readonly machineClock = wallTime,
  ) {}

  /** The clock of the database in milliseconds, on which all nodes agree, as of the last survey. */
  readonly wall = (): number => this.machineClock() + this.#skew

  /** `mostWanted`: how many spaces it may take over; `others`: spaces that other nodes serve. */
  async survey(mostWanted: number, others: readonly string[]): Promise<Survey> {
    const sent = elapsedTime()
    const survey = (await this.#rows<Survey>(surveying, [mostWanted, others]))[0] as Survey
    this.nodeUrls = survey.urls
    const halfway = this.machineClock() - (elapsedTime() - sent) / 2
    const skew = Math.round(survey.now.getTime() - halfway)
    if (Math.abs(skew - this.#skew) > tolerated) this.#skew = skew
    return survey
  }

  /**
   * Creates the first space, if there is none yet: then it `isNew`. `secret`: shared by the nodes; the keys
   * of a shared first space are derived from it, too.
   */
  async join(first: string) {
    const text = `with made as (insert into spaces (name) values ($1) on conflict do nothing returning name)
      select secret, exists (select from made) as "isNew" from cluster`
    const [joined] = await this.#rows<{ secret: string; isNew: boolean }>(text, [first])
    return { secret: '', isNew: false, ...joined }
  }

  /** Every space, the oldest first. */
  all(): Promise<ClusterSpace[]> {
    return this.#spaces('true')
  }

  async find(name: string): Promise<ClusterSpace | undefined> {
    return (await this.#spaces('name = $1', [name]))[0]
  }

  /** Creates a space; undefined when the name is taken. `makeKeys` makes its API keys with that secret. */
  async add(
    name: string,
    { ttlMs, madeBy }: { readonly ttlMs: number | null; readonly madeBy: string | null },
    makeKeys: (space: Pick<ClusterSpace, 'secret'>) => readonly string[],
  ): Promise<ClusterSpace | undefined> {
    await this.erase(name)
    const secret = randomBytes(32).toString('hex')
    const rows = await this.#rows<ClusterSpace>(
      `insert into spaces (name, secret, keys, expires_at, made_by) values ($1, $2, $3, now() + $4 * interval '1 ms', $5)
        on conflict do nothing returning ${columns}`,
      [name, secret, makeKeys({ secret }), ttlMs, madeBy],
    )
    return rows[0]
  }

  /**
   * Removes a space; its rows remain until `erase`. The node that serves it notices within a second. A new
   * space with the same name has another secret, and is kept.
   */
  async remove({ name, secret }: Pick<ClusterSpace, 'name' | 'secret'>): Promise<void> {
    const text = "update spaces set expires_at = '-infinity' where name = $1 and secret = $2"
    await this.#rows(text, [name, secret])
  }

  /** Deletes a space whose time is over, once no node holds it and nobody else has locked its rows. */
  async erase(name: string): Promise<void> {
    await this.database.transaction(async (run) => {
      await run(`set local lock_timeout = ${lockWait}`)
      await run(erasure, [name])
    })
  }

  /**
   * The space with that API key; the oldest, if there are several. Found keys are cached for a while; unknown
   * ones are not, because a space may get one at any moment. assumption: spaces
   */
  async spaceOfKey(key: string): Promise<string | undefined> {
    if (elapsedTime() - this.#rememberedSince > remembered) this.forgetKeys()
    const cached = this.#spacesByKey.get(key)
    if (cached !== undefined) return cached
    const [found] = await this.#spaces('keys @> array[$1]', [key])
    if (found !== undefined) this.#spacesByKey.set(key, found.name)
    return found?.name
  }

  /** Looks every key up again, after keys were added or removed. */
  forgetKeys(): void {
    this.#spacesByKey.clear()
    this.#rememberedSince = elapsedTime()
  }

  /** Spaces that exist, the oldest first. */
  #spaces(which: string, values: readonly StatementValue[] = []): Promise<ClusterSpace[]> {
    const text = `select ${columns} from spaces where ${which} and ${isThere} order by created_at, name`
    return this.#rows(text, values)
  }

  async #rows<Row extends object>(text: string, values: readonly StatementValue[]): Promise<Row[]> {
    return (await this.database.run<Row>(text, values)).rows
  }
}

import { clearTimeout, elapsedTime, setTimeout, sleep } from '../../timers.ts'
import type { Database } from './connection/database.ts'

/** Another node serves the space. */
export class SpaceTaken extends Error {
  override readonly name = 'SpaceTaken'
  constructor(
    readonly space: string,
    /** URL of that node; null if it has none. */
    readonly ownerUrl: string | null,
    /** Remaining time of the lease if its holder neither renews nor releases it. Milliseconds. */
    readonly leftMs = 0,
  ) {
    super(`The space ${space} is in use by another sandbox${ownerUrl === null ? '' : ` at ${ownerUrl}`}`)
  }
}

export interface LeaseOptions {
  readonly database: Database
  /** Identifies this process. A UUID. */
  readonly node: string
  /** URL at which other nodes reach this one; null: they do not. */
  readonly url: string | null
  /** Duration of a lease without renewal, by the clock of the database. Milliseconds. */
  readonly leaseMs?: number
  readonly renewEveryMs?: number
  /** How much earlier this node stops trusting a lease. Milliseconds. assumption: postgres-lease */
  readonly marginMs?: number
  /** A monotonic clock. Milliseconds. */
  readonly elapsed?: () => number
  readonly report: (message: string, error: Error) => void
}

/** A space that this node took. */
export interface TakenSpace {
  readonly space: string
  /** Number of its owner: writes with an earlier epoch have no effect. */
  readonly epoch: number
  /** Sequence of its last event. */
  readonly position: number
  /** Version of the settings. */
  readonly settingsVersion: number
}

interface HeldSpace {
  readonly taken: TakenSpace
  /** By `elapsed`. */
  until: number
  /**
   * When a node should take the space by itself after the release, in milliseconds by the clock of the database; null:
   * never; undefined: unchanged.
   */
  wakesAt: number | null | undefined
  readonly lost: (why: string) => void
}

/** Interval at which a space of another node is requested again. Milliseconds. */
const askAgain = 100

/** Skips locked rows, so that one of them does not delay the others. */
const renewal = `with mine as (select name from spaces where owner = $2 and name = any($3)),
    free as (select name from spaces where owner = $2 and name = any($3) for no key update skip locked),
    renewed as (
      update spaces set leased_until = now() + $1 * interval '1 ms' from free where spaces.name = free.name
        returning spaces.name)
  select mine.name, renewed.name is not null as renewed from mine left join renewed using (name)`

/**
 * The leases of this node. A node that dies loses them when they end. A node that slept detects that by its own clock,
 * counted from the moment when it sent the last renewal.
 */
export class LeaseKeeper {
  readonly #options: Required<LeaseOptions>
  readonly #held = new Map<string, HeldSpace>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #renewing: Promise<boolean> | null = null

  constructor(options: LeaseOptions) {
    this.#options = { leaseMs: 2_500, renewEveryMs: 800, marginMs: 400, elapsed: elapsedTime, ...options }
  }

  /** Name of this node in the database. */
  get node(): string {
    return this.#options.node
  }

  /** URL at which other nodes reach this one; null: they do not. */
  get url(): string | null {
    return this.#options.url
  }

  /** True while no other node can have taken the space, so that this node's state is the valid one. */
  isHeld(space: string): boolean {
    const held = this.#held.get(space)
    return held !== undefined && this.#options.elapsed() < held.until
  }

  /**
   * Takes a space, waiting until another node's lease ends. `lost`: called when this node loses it; `patience`:
   * milliseconds. Errors: SpaceTaken; UnusableDatabase, DatabaseAway.
   */
  async acquire(
    space: string,
    lost: (why: string) => void,
    patience = this.#options.leaseMs + this.#options.renewEveryMs,
  ): Promise<TakenSpace> {
    const { elapsed } = this.#options
    if (this.#held.has(space)) throw new SpaceTaken(space, this.#options.url)
    for (const end = elapsed() + patience; ; await sleep(askAgain)) {
      const sent = elapsed()
      const taken = await this.#take(space)
      if (taken === undefined && elapsed() < end) continue
      if (taken === undefined) throw await this.#takenBy(space)
      this.#held.set(space, { taken, until: this.#trustedFrom(sent), wakesAt: undefined, lost })
      this.#timer ??= setTimeout(() => this.#keep(), this.#options.renewEveryMs).unref()
      return taken
    }
  }

  /** Stops trusting the lease of a space that turned out to be lost. */
  distrust(space: string): void {
    const held = this.#held.get(space)
    if (held !== undefined) held.until = Number.NEGATIVE_INFINITY
  }

  /**
   * Sets when a node should take the space by itself after its release: milliseconds by the clock of the database;
   * null: never.
   */
  wakeAt(space: string, wakesAt: number | null): void {
    const held = this.#held.get(space)
    if (held !== undefined) held.wakesAt = wakesAt
  }

  /**
   * Releases a space unless it was lost: any node may take it immediately. `epoch`: the current one, if it was raised.
   * Errors: DatabaseAway; then the lease ends by itself.
   */
  async release(taken: TakenSpace, epoch = taken.epoch): Promise<void> {
    const { space } = taken
    const held = this.#held.get(space)
    if (held?.taken !== taken) return
    this.#held.delete(space)
    const { database, node } = this.#options
    const { wakesAt } = held
    const wake = wakesAt === undefined ? '' : ', wake_at = to_timestamp($4::float8 / 1000)'
    await database.run(
      `update spaces set owner = null, owner_url = null, leased_until = null${wake} where name = $1 and owner = $2 and epoch = $3`,
      [space, node, epoch, ...(wakesAt === undefined ? [] : [wakesAt])],
      database.address.unavailableAfter,
    )
  }

  /** Stops renewing: the remaining spaces are lost when their leases end. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Duration of a lease without renewal. Milliseconds. */
  get leaseMs(): number {
    return this.#options.leaseMs
  }

  /** The current time by the clock that leases are trusted by. Milliseconds. */
  get now(): number {
    return this.#options.elapsed()
  }

  /** Notes that a write renewed the lease of a space. `sent`: when the write was sent, by `now`. */
  renewed(taken: TakenSpace, sent: number): void {
    const held = this.#held.get(taken.space)
    if (held?.taken === taken) this.#extend(held, sent)
  }

  /**
   * Renews every lease in one statement, by the clock of the database; concurrent calls share it. Resolves to false
   * when some rows were locked and therefore skipped, so that other leases do not wait. Errors: DatabaseAway,
   * UnusableDatabase.
   */
  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  async #renew(): Promise<boolean> {
    const { database, node, leaseMs, elapsed } = this.#options
    const heldBefore = [...this.#held]
    const spaces = heldBefore.map(([space]) => space)
    if (spaces.length === 0) return true
    const sent = elapsed()
    const { rows } = await database.runApart(renewal, [leaseMs, node, spaces], leaseMs / 2)
    const renewals = new Map(rows.map(({ name, renewed }) => [name, renewed === 't']))
    // A space that was released meanwhile, and perhaps taken again, is not the one that was asked for.
    for (const [space, held] of heldBefore.filter(([name, each]) => this.#held.get(name) === each)) {
      const isRenewed = renewals.get(space)
      if (isRenewed) this.#extend(held, sent)
      else if (isRenewed === undefined) this.#lose(space, held)
    }
    return [...renewals.values()].every(Boolean)
  }

  #keep(): void {
    const { renewEveryMs, report } = this.#options
    const again = (pause: number) => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.#keep(), pause).unref()
    }
    const soon = renewEveryMs / 5 // the leases are still valid until then
    this.renew().then(
      (isWhole) => again(isWhole ? renewEveryMs : soon),
      (error: Error) => {
        report(`the leases of this node could not be renewed: ${error.message}`, error)
        again(soon)
      },
    )
  }

  async #take(space: string): Promise<TakenSpace | undefined> {
    const { database, node, url, leaseMs } = this.#options
    const { rows } = await database.run(
      `update spaces set epoch = nextval('epochs'), owner = $1, owner_url = $2, leased_until = now() + $3 * interval '1 ms'
        where name = (
          select name from spaces
            where name = $4 and (owner is null or owner = $1 or leased_until < now()) and (expires_at is null or expires_at > now())
            for no key update skip locked)
        returning epoch, position, settings_version`,
      [node, url, leaseMs, space],
    )
    const [row] = rows
    if (row === undefined) return undefined
    const { epoch, position, settings_version: settingsVersion } = row
    return {
      space,
      epoch: Number(epoch),
      position: Number(position),
      settingsVersion: Number(settingsVersion),
    }
  }

  async #takenBy(space: string): Promise<SpaceTaken> {
    const { rows } = await this.#options.database.run(
      'select owner_url, extract(epoch from leased_until - now()) * 1000 as left_ms from spaces where name = $1',
      [space],
    )
    return new SpaceTaken(space, rows[0]?.owner_url ?? null, Math.max(0, Number(rows[0]?.left_ms ?? 0)))
  }

  /** The database counts from a later moment: it got the statement after it was sent. */
  #trustedFrom(sent: number): number {
    return sent + this.#options.leaseMs - this.#options.marginMs
  }

  #extend(held: HeldSpace, sent: number): void {
    if (held.until > Number.NEGATIVE_INFINITY) held.until = Math.max(held.until, this.#trustedFrom(sent))
  }

  #lose(space: string, held: HeldSpace): void {
    this.#held.delete(space)
    held.lost('another node has taken it over, or it was removed')
  }
}

import type { JournalEntry } from '../../domain/state.ts'
import { nextTurn } from '../../timers.ts'
import type { Database } from './connection/database.ts'
import type { LeaseKeeper, TakenSpace } from './lease.ts'
import type { SpaceHold } from './space-hold.ts'

interface AppendQueueOptions {
  readonly database: Database
  readonly hold: SpaceHold
  readonly taken: TakenSpace
  readonly leases: Pick<LeaseKeeper, 'leaseMs' | 'now' | 'renewed'>
  /** A group is durable. */
  readonly appended: () => void
  /** A write failed. Called before the waiting calls are rejected. */
  readonly failed: (error: Error) => void
}

/** Entries that become durable together. */
interface EventGroup {
  readonly bodies: string[]
  /** Sandbox time of each, in milliseconds. */
  readonly times: number[]
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * One statement, one round trip, all or nothing, and only if epoch and position are as expected. It also renews the
 * lease, because the renewal of all leases skips rows that are being written.
 */
const append = {
  name: 'append',
  text: `with fenced as (
      update spaces set position = $1::bigint, leased_until = greatest(leased_until, now() + $7 * interval '1 ms')
        where name = $2 and epoch = $3::bigint and position = $4::bigint returning name)
    insert into events (space, sequence, at, body)
    select fenced.name, $4::bigint + e.number, to_timestamp(e.at / 1000.0), e.body
    from fenced, rows from (json_array_elements($5::json), unnest($6::bigint[])) with ordinality as e(body, at, number)`,
}

/**
 * Appends entries to the events of a space. All waiting entries go into one statement; `append` resolves when its entry
 * is durable. After a failure all waiting entries are rejected, and the owner is informed.
 */
export class AppendQueue {
  readonly #options: AppendQueueOptions
  #waiting: EventGroup | null = null
  #underWay: EventGroup | null = null
  #busy: Promise<void> | null = null

  constructor(options: AppendQueueOptions) {
    this.#options = options
  }

  /** True while something waits to be durable. */
  get pending(): boolean {
    return this.#busy !== null
  }

  /** Resolves when the entry is durable. Errors: LostState, DatabaseAway, an Error of the server. */
  append(entry: JournalEntry): Promise<void> {
    this.#waiting ??= newGroup()
    const { bodies, times, done } = this.#waiting
    bodies.push(JSON.stringify(entry))
    times.push(entry.at)
    this.#busy ??= this.#drain()
    return done
  }

  /** Resolves when all entries appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean> {
    const last = this.#waiting ?? this.#underWay
    if (last === null) return Promise.resolve(true)
    return last.done.then(
      () => true,
      () => false,
    )
  }

  /** Resolves when nothing waits any more, whether it was written or not. */
  async settled(): Promise<void> {
    while (this.#busy !== null) await this.#busy
  }

  /** One group after the other, each with all that came in one turn of the event loop or while the last was written. */
  async #drain(): Promise<void> {
    while (this.#waiting !== null) {
      await nextTurn()
      const group = this.#take()
      if (group === null) break
      try {
        this.#underWay = group
        await this.#write(group)
        group.resolve()
        this.#options.appended()
      } catch (error) {
        const later = this.#take()
        this.#options.failed(error as Error)
        group.reject(error as Error)
        later?.reject(error as Error)
      }
    }
    this.#underWay = null
    this.#busy = null
  }

  #take(): EventGroup | null {
    const group = this.#waiting
    this.#waiting = null
    return group
  }

  #write({ bodies, times }: EventGroup): Promise<void> {
    const { database, hold, taken, leases } = this.#options
    const text = `[${bodies.join(',')}]`
    return hold.write(bodies.length, async ({ space, epoch, position, next }, patience) => {
      const sent = leases.now
      const values = [next, space, epoch, position, text, times, leases.leaseMs]
      const { count } = await database.run(append, values, patience)
      const isWritten = count === bodies.length
      if (isWritten) leases.renewed(taken, sent)
      return isWritten
    })
  }
}

function newGroup(): EventGroup {
  const settle: { resolve?: () => void; reject?: (error: Error) => void } = {}
  const done = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  return { bodies: [], times: [], done, ...(settle as Required<typeof settle>) }
}

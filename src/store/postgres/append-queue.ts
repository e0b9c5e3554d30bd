import { crc32 } from 'node:zlib'
import type { JournalEntry } from '../../domain/state.ts'
import { GroupQueue } from '../group-queue.ts'
import type { Database } from './connection/database.ts'
import type { LeaseKeeper, TakenSpace } from './lease.ts'
import type { SpaceHold } from './space-hold.ts'

interface AppendQueueOptions {
  readonly database: Database
  readonly hold: SpaceHold
  readonly taken: TakenSpace
  readonly leases: Pick<LeaseKeeper, 'leaseMs' | 'now' | 'renewed'>
  /** Called when a write failed, before the waiting calls are rejected. */
  readonly failed: (error: Error) => void
}

/** Entries that become durable together. */
interface EventGroup {
  readonly bodies: string[]
  /** CRC-32 of each body. */
  readonly crcs: number[]
  /** Sandbox time of each entry, in milliseconds. */
  readonly times: number[]
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
    insert into events (space, sequence, at, crc, body)
    select fenced.name, $4::bigint + e.number, to_timestamp(e.at / 1000.0), e.crc, e.body
    from fenced, rows from (json_array_elements($5::json), unnest($6::bigint[]), unnest($8::bigint[]))
      with ordinality as e(body, at, crc, number)`,
}

/**
 * Appends entries to the events of a space. All waiting entries go into one statement; `append` resolves when its entry
 * is durable. After a failure all waiting entries are rejected, and the owner is informed.
 */
export class AppendQueue {
  readonly #options: AppendQueueOptions
  readonly #queue: GroupQueue<EventGroup>

  constructor(options: AppendQueueOptions) {
    this.#options = options
    this.#queue = new GroupQueue<EventGroup>({
      begin: () => ({ bodies: [], crcs: [], times: [] }),
      write: (group) => this.#write(group),
      failed: options.failed,
    })
  }

  /** True while an entry waits to be durable. */
  get pending(): boolean {
    return this.#queue.pending
  }

  /** Resolves when the entry is durable. Errors: LostState, DatabaseAway, an Error of the server. */
  append(entry: JournalEntry): Promise<void> {
    const { bodies, crcs, times } = this.#queue.next
    const body = JSON.stringify(entry)
    bodies.push(body)
    crcs.push(crc32(body))
    times.push(entry.at)
    return this.#queue.commit()
  }

  /** Resolves when all entries appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean> {
    return this.#queue.written()
  }

  /** Resolves when no entry waits, whether it was written or not. */
  settled(): Promise<void> {
    return this.#queue.settled()
  }

  #write({ bodies, crcs, times }: EventGroup): Promise<void> {
    const { database, hold, taken, leases } = this.#options
    const text = `[${bodies.join(',')}]`
    return hold.write(bodies.length, async ({ space, epoch, position, next }, patience) => {
      const sent = leases.now
      const values = [next, space, epoch, position, text, times, leases.leaseMs, crcs]
      const { count } = await database.run(append, values, patience)
      const isWritten = count === bodies.length
      if (isWritten) leases.renewed(taken, sent)
      return isWritten
    })
  }
}

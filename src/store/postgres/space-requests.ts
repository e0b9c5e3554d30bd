import { controlLimits } from '../../contract/sandbox/controls/control-limits.ts'
import { clearTimeout, nextTurn, setTimeout, sleep } from '../../timers.ts'
import type { RecentRequests, RecordedRequest, RequestRecord } from '../storage.ts'
import type { RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './owner-session.ts'

interface SpaceRequestsOptions {
  readonly database: Database
  readonly space: HeldSpace
  readonly report: (message: string, error: Error) => void
}

/** Pause between two writes for each character of the last one, and the least and longest pause. Milliseconds. */
const [perCharacter, usualPause, longestPause] = [1 / 250, 1_000, 10_000]

/** Requests of one statement, so that others do not wait for a long one. */
const atOnce = 50

/**
 * The last requests of a space: after each write, the rows are the requests kept when the write began. A failed write
 * is reported and repeated.
 */
export class SpaceRequests<T extends RecordedRequest> implements RequestRecord<T> {
  readonly #options: SpaceRequestsOptions
  readonly #recentRequests: RecentRequests<T>
  /** The rows have the requests from `#first` up to `#next`, as they were after `#changes`. */
  #first = 0
  #next = 0
  #changes = 0
  /** Number of the first request of this node. */
  #begun = 0
  #timer: NodeJS.Timeout | undefined
  #pause = usualPause
  #writing: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false

  constructor(options: SpaceRequestsOptions, recentRequests: RecentRequests<T>) {
    this.#options = options
    this.#recentRequests = recentRequests
  }

  async begin(): Promise<{ readonly first: number; readonly next: number }> {
    const { database, space } = this.#options
    const { rows } = await database.run(
      'select min(number) as first, max(number) + 1 as next from requests where space = $1',
      [space.facts.name],
    )
    const [first, next] = [Number(rows[0]?.first ?? 0), Number(rows[0]?.next ?? 0)]
    ;[this.#first, this.#next, this.#begun] = [first, next, next]
    return { first, next }
  }

  async read(): Promise<readonly T[]> {
    const { database, space } = this.#options
    const { rows } = await database.run(
      `select body from requests where space = $1 and number < $2 order by number desc limit ${controlLimits.requests}`,
      [space.facts.name, this.#begun],
    )
    return rows.map(({ body }) => JSON.parse(body ?? '') as T)
  }

  changed(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#flush(), this.#pause).unref()
  }

  async written(): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.#flush(), sleep(this.#options.database.address.unavailableAfter, over.signal)])
    over.abort()
  }

  /** Writes the rest and ends all writing. */
  async close(): Promise<void> {
    await this.written()
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Runs one write after another. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const { first, total, changes } = this.#recentRequests
    const isSame = first === this.#first && total === this.#next && changes === this.#changes
    if (isSame || this.#isClosed || this.#options.space.lost !== null) return
    try {
      await this.#copy()
      this.#isFailing = false
    } catch (error) {
      const { message } = error as Error
      if (!this.#isFailing) this.#options.report(`the request log is not written: ${message}`, error as Error)
      this.#isFailing = true
      this.changed()
    }
  }

  async #copy(): Promise<void> {
    const { database, space } = this.#options
    const { name, owner } = space.facts
    const { first, total, changes } = this.#recentRequests
    const entries = this.#recentRequests.numberedSince(this.#next, this.#changes)
    let length = 0
    const isWritten = await database.transaction(async (run) => {
      for (let from = 0; from < entries.length; from += atOnce) {
        length += await insert(run, name, entries.slice(from, from + atOnce))
        await nextTurn()
      }
      await run('delete from requests where space = $1 and number < $2', [name, first])
      return (
        (await run('select from spaces where name = $1 and owner = $2 for share', [name, owner])).count > 0
      )
    })
    this.#pause = Math.min(longestPause, Math.max(usualPause, length * perCharacter))
    if (isWritten) [this.#first, this.#next, this.#changes] = [first, total, changes]
  }
}

/** Replaces requests that were already written. Resolves to the number of characters. */
async function insert(
  run: RunStatement,
  space: string,
  entries: readonly (readonly [number: number, request: RecordedRequest])[],
): Promise<number> {
  const text = `[${entries.map(([, request]) => JSON.stringify(request)).join(',')}]`
  await run(
    `insert into requests (space, number, body)
      select $1, e.number, e.body from rows from (unnest($2::bigint[]), json_array_elements($3::json)) as e(number, body)
      on conflict (space, number) do update set body = excluded.body`,
    [space, entries.map(([number]) => number), text],
  )
  return text.length
}

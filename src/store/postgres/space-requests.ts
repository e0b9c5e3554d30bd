import { controlLimits } from '../../contract/sandbox/controls/control-limits.ts'
import { clearTimeout, setTimeout, sleep } from '../../timers.ts'
import type { RecentRequests, RecordedRequest, RequestRecord } from '../storage/storage.ts'
import type { RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import type { SpaceHold } from './space-hold.ts'

interface SpaceRequestsOptions {
  readonly database: Database
  readonly space: string
  readonly hold: SpaceHold
  /** Name of this node in the database. */
  readonly node: string
  readonly report: (message: string, error: Error) => void
}

/** Number and body of a request, and the columns of its row. */
type Numbered<T> = readonly [number: number, request: T]

/**
 * Minimum and maximum pause between two writes: a busy node writes only the requests that are still kept. Milliseconds.
 */
const [usualPause, longestPause] = [1_000, 10_000]

/** Characters written in a millisecond on average: the pause grows with the length of the last write. */
const pace = 250

/** Characters of texts in one write, so that requests do not wait for a long one. */
const pieceLength = 256 * 1024

/** Rows that one query reads. */
const rowsAtOnce = 200

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
  /** Set from a change until the next write is over. */
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
      [space],
    )
    const [first, next] = [Number(rows[0]?.first ?? 0), Number(rows[0]?.next ?? 0)]
    ;[this.#first, this.#next, this.#begun] = [first, next, next]
    return { first, next }
  }

  /**
   * Numbered backwards from the last request, even if rows in between were removed. Errors: DatabaseAway, an Error of
   * the server.
   */
  async read(): Promise<readonly T[]> {
    const { database, space } = this.#options
    const requests: T[] = []
    let below = this.#begun
    for (let count = rowsAtOnce; count === rowsAtOnce && requests.length < controlLimits.requests; ) {
      const { rows } = await database.run(
        `select number, body from requests where space = $1 and number < $2 order by number desc limit ${rowsAtOnce}`,
        [space, below],
        database.address.unavailableAfter,
      )
      for (const { body } of rows) requests.push(JSON.parse(body ?? '') as T)
      below = Number(rows.at(-1)?.number)
      count = rows.length
    }
    return requests
  }

  changed(): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => void this.#flush(), this.#pause).unref()
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
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    if (this.#isBehind)
      try {
        await this.#copy()
        this.#isFailing = false
      } catch (thrown) {
        const error = thrown as Error
        if (!this.#isFailing) this.#options.report(`the request log is not written: ${error.message}`, error)
        this.#isFailing = true
      }
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isBehind) this.changed()
  }

  /** True when the rows differ from the kept requests and this node may change them. */
  get #isBehind(): boolean {
    const { first, total, changes } = this.#recentRequests
    const isSame = first === this.#first && total === this.#next && changes === this.#changes
    return !isSame && !this.#isClosed && this.#options.hold.lost === null
  }

  async #copy(): Promise<void> {
    const { database, space } = this.#options
    const { first, total, changes } = this.#recentRequests
    const entries = this.#recentRequests.numberedSince(this.#next, this.#changes)
    let length = 0
    const isWritten = await database.transaction(async (run) => {
      for (const piece of piecesOf(entries)) {
        await insert(run, space, piece)
        length += piece.text.length
      }
      await run('delete from requests where space = $1 and number < $2', [space, first])
      return this.#holds(run)
    })
    this.#pause = Math.min(longestPause, Math.max(usualPause, length / pace))
    if (isWritten) [this.#first, this.#next, this.#changes] = [first, total, changes]
  }

  /** True while this node holds the space. It comes last in a transaction, because it blocks events. */
  async #holds(run: RunStatement): Promise<boolean> {
    const { space, node, hold } = this.#options
    const held = await run('select 1 from spaces where name = $1 and owner = $2 and epoch = $3 for share', [
      space,
      node,
      hold.epoch,
    ])
    return held.count > 0
  }
}

/** Requests of one statement, and their bodies as JSON. */
interface Piece {
  readonly requests: readonly Numbered<RecordedRequest>[]
  readonly text: string
}

/** Makes each piece when it is requested, so that other work runs in between. */
function* piecesOf(entries: readonly Numbered<RecordedRequest>[]): Generator<Piece> {
  let [requests, bodies, length]: [Numbered<RecordedRequest>[], string[], number] = [[], [], 0]
  for (const each of entries) {
    const body = JSON.stringify(each[1])
    requests.push(each)
    bodies.push(body)
    length += body.length
    if (length < pieceLength) continue
    yield { requests, text: `[${bodies.join(',')}]` }
    ;[requests, bodies, length] = [[], [], 0]
  }
  if (requests.length > 0) yield { requests, text: `[${bodies.join(',')}]` }
}

/** Of a request that was already written, only the body changes. */
async function insert(run: RunStatement, space: string, { requests, text }: Piece): Promise<void> {
  const numbers = (of: (request: RecordedRequest) => number) => requests.map(([, each]) => of(each))
  const texts = (of: (request: RecordedRequest) => string) => requests.map(([, each]) => storable(of(each)))
  await run(
    `insert into requests (space, number, at, method, path, status, code, trace_id, body)
      select spaces.name, e.number, to_timestamp(e.at / 1000), e.method, e.path, e.status, e.code, e.trace_id, e.body
      from spaces, rows from (
        unnest($2::bigint[]), unnest($3::float8[]), unnest($4::text[]), unnest($5::text[]), unnest($6::integer[]),
        unnest($7::text[]), unnest($8::text[]), json_array_elements($9::json)
      ) as e(number, at, method, path, status, code, trace_id, body)
      where spaces.name = $1
      on conflict (space, number) do update set body = excluded.body`,
    [
      space,
      requests.map(([number]) => number),
      numbers(({ at }) => at),
      texts(({ method }) => method),
      texts(({ path }) => path),
      numbers(({ status }) => status),
      texts(({ code }) => code),
      texts(({ traceId }) => traceId),
      text,
    ],
  )
}

/** PostgreSQL text cannot contain NUL; the body keeps it. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

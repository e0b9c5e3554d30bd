import { type OperationName, operations } from '../contract/operations.ts'
import type { OtherError } from '../contract/records.ts'
import type { KeptRequests, RequestRecord } from '../store/storage/storage.ts'

/** One handled request, as it is kept: secrets in headers are hidden, and nothing is formatted. */
export interface LoggedRequest {
  /** Wall-clock time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly traceId: string
  readonly durationMs: number
  /** Why it was refused, and what was let pass but deserves a note. */
  readonly notes: readonly string[]
  readonly operation: OperationName | null
  /** URL of the sandbox by which it came; empty where the target is not kept. */
  readonly baseUrl: string
  /** Path and query as the caller wrote them; empty where they are not kept. */
  readonly target: string
  /** Names and values in turn, each on a line: one text costs the garbage collector less than many. */
  readonly headers: string
  /** The beginning of the body, and how many characters it had. */
  readonly body: string
  readonly bodyLength: number
  readonly answerHeaders: readonly string[]
  readonly answer: string
  readonly answerLength: number
  /** Of a refusal. */
  readonly field: string | undefined
  readonly detail: string | undefined
  readonly remedy: string | undefined
  /** What else was wrong with its headers. */
  readonly others: readonly OtherError[]
  /** The fault that was injected, as it is written; the answer is the one that would have come. */
  readonly fault: string | null
  /** Who asked: address, end of the key, and name of the program. */
  readonly caller: string
  /** Equal look-ups of the caller that followed this one; null for none. */
  repeats: Repeats | null
  /** A secret was taken out of target or body: it cannot be sent again as it stands. */
  readonly hasHidden: boolean
}

/** Equal look-ups that are kept as one. assumption: folded-look-ups */
interface Repeats {
  /** How many followed the first one. */
  count: number
  /** When the last one came, in wall-clock milliseconds. */
  lastAt: number
  /** Trace ids of the last thousand of them, and of some before, the oldest first. */
  readonly traceIds: string[]
  /** Number of the change, of all rows, by which it came to this. */
  change: number
}

/** Bytes of a body that are kept. assumption: request-log */
export const longestBody = 64 * 1024

/** Bytes of all texts together. */
const mostBytes = 32 * 1024 * 1024

/** Bytes that an entry without its texts takes, about. */
const bare = 500

/** Bytes of a trace id that is kept with another request. */
const idBytes = 100

/** Trace ids that are kept with a request; twice as many before some go, so that not every look-up copies them. */
const mostIds = 1000

/**
 * The last requests, in memory, and copied to a record where it follows one. Of equal look-ups of one caller in a row the
 * first is kept, with how many followed: a client that waits for a payment would push out what one looks for.
 * assumption: request-log, folded-look-ups
 */
export class RequestLog implements KeptRequests<LoggedRequest> {
  /** Those that are kept, in a ring. */
  readonly #entries: (LoggedRequest | undefined)[] = []
  readonly #sizes: number[] = []
  /** Requests so far, and the number of the first one that is kept. */
  #total = 0
  #first = 0
  #bytes = 0
  #changes = 0
  /** Number of the last request of each caller that is kept. */
  readonly #lastOf = new Map<string, number>()
  #record: RequestRecord<LoggedRequest> | null = null
  /** What the record has and nobody has read: from the first of these numbers up to the second. */
  #unread: { readonly first: number; readonly next: number } | null = null
  #reading: Promise<void> | null = null

  constructor(
    readonly capacity = 1000,
    readonly listener: ((entry: LoggedRequest) => void) | null = null,
    readonly budget = mostBytes,
  ) {}

  add(entry: LoggedRequest): void {
    if (!this.#fold(entry)) this.#keep(entry)
    this.#stayInBudget()
    this.#record?.changed()
    this.listener?.(entry)
  }

  /**
   * Goes on after what the record of this log has, and keeps it up to date from now on. Nobody waits for what is there
   * already: it is read when somebody looks. Errors: those of the record.
   */
  async follow(record: RequestRecord<LoggedRequest>): Promise<void> {
    const { first, next } = await record.begin()
    this.#first = next
    this.#total = next
    this.#unread = first < next ? { first, next } : null
    this.#record = record
  }

  /** Resolves when everything that the record has was read: to be waited for before the log is shown. Errors: those of the record. */
  async whole(): Promise<void> {
    if (this.#unread === null) return
    this.#reading ??= this.#readRest().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  async #readRest(): Promise<void> {
    const requests = (await this.#record?.read()) ?? []
    if (this.#unread === null) return // it was forgotten meanwhile
    this.#unread = null
    for (const entry of requests) if (!this.#keepBefore(entry)) return
  }

  /** Keeps a request that came before all others; false when there is no place left for it. */
  #keepBefore(entry: LoggedRequest): boolean {
    const [number, size] = [this.#first - 1, bytesOf(entry)]
    if (this.#total - number > this.capacity || this.#bytes + size > this.budget) return false
    if (entry.repeats) entry.repeats.change = 0 // changes are counted anew
    const place = number % this.capacity
    this.#first = number
    this.#bytes += size
    this.#sizes[place] = size
    this.#entries[place] = entry
    if (!this.#lastOf.has(entry.caller)) this.#lastOf.set(entry.caller, number)
    return true
  }

  #keep(entry: LoggedRequest): void {
    if (this.#total - this.#first === this.capacity) this.#forget()
    const place = this.#total % this.capacity
    const size = bytesOf(entry)
    this.#bytes += size
    this.#sizes[place] = size
    this.#entries[place] = entry
    this.#lastOf.set(entry.caller, this.#total)
    this.#total += 1
  }

  #stayInBudget(): void {
    while (this.#bytes > this.budget && this.#total - this.#first > 1) this.#forget()
  }

  /** Counts a look-up that is the same as the caller's last request, to the same answer. False for any other. */
  #fold(entry: LoggedRequest): boolean {
    const number = this.#lastOf.get(entry.caller)
    const last = number === undefined ? undefined : this.#entries[number % this.capacity]
    if (number === undefined || last === undefined || !isSameLookUp(last, entry)) return false
    this.#changes += 1
    last.repeats ??= { count: 0, lastAt: 0, traceIds: [], change: 0 }
    const { repeats } = last
    repeats.count += 1
    repeats.lastAt = entry.at
    repeats.change = this.#changes
    repeats.traceIds.push(entry.traceId)
    const gone = repeats.traceIds.length > 2 * mostIds ? repeats.traceIds.splice(0, mostIds).length : 0
    const more = (1 - gone) * idBytes
    this.#bytes += more
    this.#sizes[number % this.capacity] = (this.#sizes[number % this.capacity] ?? 0) + more
    return true
  }

  /** True when what is kept is copied to a record, and read from there. */
  get isRecorded(): boolean {
    return this.#record !== null
  }

  /** How often a request that was kept before was counted once more. */
  get changes(): number {
    return this.#changes
  }

  /** Number of the first request that is kept, or could be read. */
  get first(): number {
    return this.#unread === null ? this.#first : Math.max(this.#unread.first, this.#total - this.capacity)
  }

  /** Number of requests so far; the next one has this number. */
  get total(): number {
    return this.#total
  }

  /** Those that are kept, from this number on, oldest first. */
  list(from = 0): LoggedRequest[] {
    const kept: LoggedRequest[] = []
    for (let number = Math.max(from, this.#first); number < this.#total; number++)
      kept.push(this.#entries[number % this.capacity] as LoggedRequest)
    return kept
  }

  /** Those from this number on, and those that were counted once more after that change, oldest first. */
  newsSince(from: number, change: number): LoggedRequest[] {
    return this.numberedSince(from, change).map(([, entry]) => entry)
  }

  /** The same, each behind its number. */
  numberedSince(from: number, change: number): (readonly [number: number, entry: LoggedRequest])[] {
    const start = Math.max(this.#first, change === this.#changes ? from : 0)
    return this.list(start)
      .map((entry, index) => [start + index, entry] as const)
      .filter(([number, { repeats }]) => number >= from || (repeats?.change ?? 0) > change)
  }

  /** The request with that trace id, or the one that it is counted with; undefined when it is not kept. */
  find(traceId: string): LoggedRequest | undefined {
    return this.list().find((entry) => isOf(entry, traceId))
  }

  /** Number of the request with that trace id; undefined when it is not kept. */
  numberOf(traceId: string): number | undefined {
    const place = this.list().findIndex((entry) => isOf(entry, traceId))
    return place < 0 ? undefined : this.#first + place
  }

  /** Forgets what is kept, in its record too; the numbers go on. */
  async clear(): Promise<void> {
    this.#unread = null
    while (this.#first < this.#total) this.#forget()
    this.#record?.changed()
    await this.#record?.written()
  }

  #forget(): void {
    const place = this.#first % this.capacity
    this.#bytes -= this.#sizes[place] ?? 0
    const caller = this.#entries[place]?.caller ?? ''
    if (this.#lastOf.get(caller) === this.#first) this.#lastOf.delete(caller)
    this.#entries[place] = undefined
    this.#first += 1
  }
}

/** Trace ids of the last thousand look-ups that are counted with a request, the oldest first. */
export const repeatedBy = ({ repeats }: LoggedRequest): string[] => repeats?.traceIds.slice(-mostIds) ?? []

const isOf = ({ traceId, repeats }: LoggedRequest, wanted: string): boolean =>
  traceId === wanted || repeats?.traceIds.includes(wanted) === true

/** True for two accepted look-ups of one transaction that ask the same and are told the same. */
function isSameLookUp(one: LoggedRequest, other: LoggedRequest): boolean {
  const { operation } = other
  if (operation === null || operations[operation].method !== 'GET') return false
  const told = dataOf(other)
  return (
    told !== null &&
    told === dataOf(one) &&
    one.operation === operation &&
    one.method === other.method &&
    one.target === other.target &&
    one.body === other.body &&
    one.notes.join() === other.notes.join()
  )
}

/** What an accepted answer tells of a transaction; null for any other answer, for half of one, and with a fault. */
function dataOf({ code, fault, answer, answerLength, traceId }: LoggedRequest): string | null {
  const isWhole = code === '0' && fault === null && answer.length === answerLength
  return isWhole && answer.includes('"transactionId":"') ? answer.replace(traceId, '') : null
}

/** Bytes in memory at most: a character takes one or two. */
function bytesOf(entry: LoggedRequest): number {
  const { body, answer, baseUrl, target, path, field = '', detail = '', repeats } = entry
  let characters =
    body.length + answer.length + baseUrl.length + target.length + path.length + field.length + detail.length
  characters += entry.headers.length
  for (const texts of [entry.answerHeaders, entry.notes]) for (const text of texts) characters += text.length
  for (const other of entry.others) characters += (other.detail ?? '').length
  return bare + 2 * characters + idBytes * (repeats?.traceIds.length ?? 0)
}

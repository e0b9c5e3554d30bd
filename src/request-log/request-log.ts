import { controlLimits } from '../contract/sandbox/controls/control-limits.ts'
import { bytesOf, countWith, hasTraceId, isSameLookUp, type LoggedRequest } from './logged-request.ts'

/** Maximum bytes of all entries. */
const mostBytes = 32 * 1024 * 1024

/** The log for readers: without the methods that change it. */
export type ReadableRequestLog = Omit<RequestLog, 'add' | 'clear'>

/**
 * The last requests, in memory. Identical look-ups of one caller in a row are
 * kept once, with a count: otherwise a client that polls for a payment would push out other requests.
 * assumption: request-log, folded-look-ups
 */
export class RequestLog {
  /** The kept requests, as a ring buffer. */
  readonly #entries: (LoggedRequest | undefined)[] = []
  readonly #sizes: number[] = []
  /** Number of requests so far, and number of the first kept one. */
  #total = 0
  #first = 0
  #bytes = 0
  #changes = 0
  /** Number of the last kept request of each caller. */
  readonly #lastOf = new Map<string, number>()

  constructor(
    readonly capacity: number = controlLimits.requests,
    readonly listener: ((entry: LoggedRequest) => void) | null = null,
    readonly budget = mostBytes,
  ) {}

  add(entry: LoggedRequest): void {
    if (!this.#fold(entry)) this.#keep(entry)
    this.#stayInBudget()
    this.listener?.(entry)
  }

  #keep(entry: LoggedRequest): void {
    if (this.#total - this.#first === this.capacity) this.#forget()
    const slot = this.#total % this.capacity
    const size = bytesOf(entry)
    this.#bytes += size
    this.#sizes[slot] = size
    this.#entries[slot] = entry
    this.#lastOf.set(entry.caller, this.#total)
    this.#total += 1
  }

  #stayInBudget(): void {
    while (this.#bytes > this.budget && this.#total - this.#first > 1) this.#forget()
  }

  /** Counts a look-up that equals the caller's last request and has the same answer. False for any other request. */
  #fold(entry: LoggedRequest): boolean {
    const number = this.#lastOf.get(entry.caller)
    const last = number === undefined ? undefined : this.#entries[number % this.capacity]
    if (number === undefined || last === undefined || !isSameLookUp(last, entry)) return false
    this.#changes += 1
    const more = countWith(last, entry, this.#changes)
    this.#bytes += more
    this.#sizes[number % this.capacity] = (this.#sizes[number % this.capacity] ?? 0) + more
    return true
  }

  /** How many times a repeat was counted. */
  get changes(): number {
    return this.#changes
  }

  /** Number of the first request that is kept. */
  get first(): number {
    return this.#first
  }

  /** Number of requests so far; the next one has this number. */
  get total(): number {
    return this.#total
  }

  /** The kept requests from this number on, oldest first. */
  list(from = 0): LoggedRequest[] {
    const requests: LoggedRequest[] = []
    for (let number = Math.max(from, this.#first); number < this.#total; number++)
      requests.push(this.#entries[number % this.capacity] as LoggedRequest)
    return requests
  }

  /** Requests from number `from` on, and those whose count grew after `change`, the oldest first. */
  entriesSince(from: number, change: number): LoggedRequest[] {
    const start = Math.max(this.#first, change === this.#changes ? from : 0)
    return this.list(start).filter(
      ({ repeats }, index) => start + index >= from || (repeats?.change ?? 0) > change,
    )
  }

  /** The request that has the trace id itself or by a repeat; undefined if it is not kept. */
  find(traceId: string): LoggedRequest | undefined {
    return this.list().find((entry) => hasTraceId(entry, traceId))
  }

  /** Number of the request that `find` returns; undefined if it is not kept. */
  numberOf(traceId: string): number | undefined {
    const index = this.list().findIndex((entry) => hasTraceId(entry, traceId))
    return index < 0 ? undefined : this.#first + index
  }

  /** Forgets all requests; numbers continue. */
  clear(): void {
    while (this.#first < this.#total) this.#forget()
  }

  #forget(): void {
    const slot = this.#first % this.capacity
    this.#bytes -= this.#sizes[slot] ?? 0
    const caller = this.#entries[slot]?.caller ?? ''
    if (this.#lastOf.get(caller) === this.#first) this.#lastOf.delete(caller)
    this.#entries[slot] = undefined
    this.#first += 1
  }
}

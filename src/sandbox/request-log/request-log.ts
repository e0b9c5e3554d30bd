import { isLookUp, type OperationName } from '../../contract/operations.ts'
import type { OtherError } from '../../contract/records.ts'

/** Maximum bytes of all entries. */
const mostBytes = 32 * 1024 * 1024

/** The log for readers: without the methods that change it. */
export type ReadableRequestLog = Omit<RequestLog, 'add' | 'clear'>

/**
 * The last requests, in memory. Identical look-ups of one caller in a row are
 * kept once, with a count: otherwise a client that polls for a payment would push out other requests.
 * assumption: request-log
 */
export class RequestLog {
  /** The kept requests, oldest first. */
  readonly #entries: LoggedRequest[] = []
  /** Number of the first kept request. */
  #first = 0
  #bytes = 0
  #changes = 0
  readonly #lastByCaller = new Map<string, LoggedRequest>()

  constructor(
    readonly capacity: number,
    readonly listener: ((entry: LoggedRequest) => void) | null = null,
    readonly budget = mostBytes,
  ) {}

  add(entry: LoggedRequest): void {
    if (!this.#fold(entry)) {
      this.#bytes += entryBytes(entry)
      this.#entries.push(entry)
      this.#lastByCaller.set(entry.caller, entry)
    }
    if (this.#entries.length > this.capacity) this.#forget()
    while (this.#bytes > this.budget && this.#entries.length > 1) this.#forget()
    this.listener?.(entry)
  }

  /** Counts a look-up that equals the caller's last one and has the same answer. False for any other. */
  #fold(entry: LoggedRequest): boolean {
    const last = this.#lastByCaller.get(entry.caller)
    if (last === undefined || !isSameLookUp(last, entry)) return false
    this.#changes += 1
    this.#bytes += countWith(last, entry, this.#changes)
    return true
  }

  /** How many times a repeat was counted. */
  get changes(): number {
    return this.#changes
  }

  /** Number of requests that are no longer kept; the oldest kept one has this number. */
  get forgotten(): number {
    return this.#first
  }

  /** Number of requests so far; the next one has this number. */
  get total(): number {
    return this.#first + this.#entries.length
  }

  /** The kept requests from this number on, oldest first. */
  list(from = 0): LoggedRequest[] {
    return this.#entries.slice(Math.max(0, from - this.#first))
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
    return this.#entries.find((entry) => hasTraceId(entry, traceId))
  }

  /** Number of the request that `find` returns; undefined if it is not kept. */
  findNumber(traceId: string): number | undefined {
    const index = this.#entries.findIndex((entry) => hasTraceId(entry, traceId))
    return index < 0 ? undefined : this.#first + index
  }

  /** Forgets all requests; numbers continue. */
  clear(): void {
    while (this.#entries.length > 0) this.#forget()
  }

  #forget(): void {
    const entry = this.#entries.shift() as LoggedRequest
    this.#first += 1
    this.#bytes -= entryBytes(entry)
    if (this.#lastByCaller.get(entry.caller) === entry) this.#lastByCaller.delete(entry.caller)
  }
}

/** One handled request, as stored: without secrets in headers, and unformatted. */
export interface LoggedRequest {
  /** Wall-clock time in milliseconds. */
  readonly at: number
  /** Sandbox time in milliseconds. */
  readonly sandboxAt: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly traceId: string
  /** When it came, by `elapsedTime`: orders requests also within a millisecond. */
  readonly started: number
  readonly durationMs: number
  /** The reason of a refusal, or notes on an accepted request. */
  readonly notes: readonly string[]
  readonly operation: OperationName | null
  /** Base URL of the request; empty if the target is not kept. */
  readonly baseUrl: string
  /** Path and query as the caller wrote them; empty where they are not kept. */
  readonly target: string
  /** Names and values in turn, a line each; empty for none. One text costs the collector less than many. */
  readonly headers: string
  /** The beginning of the body, and how many characters it had. */
  readonly body: string
  readonly bodyLength: number
  /** True for a body that is not kept as it came: it held secrets. */
  readonly isBodyHidden: boolean
  /** True for a request that names an original. */
  readonly hasOriginal: boolean
  readonly answerHeaders: readonly string[]
  readonly answer: string
  readonly answerLength: number
  /** Null for an accepted request, and for one of a page. */
  readonly refusal: OtherError | null
  /** Further errors of the headers. */
  readonly others: readonly OtherError[]
  /** The injected fault, in its written form; `answer` is the answer without it. */
  readonly fault: string | null
  /** The caller: address, end of the key, and User-Agent. */
  readonly caller: string
  /** Equal look-ups of the caller that followed this one; null for none. */
  repeats: Repeats | null
  /** Where a fault was injected: true once the connection closed before the whole answer was sent. */
  isCutOff: boolean
}

/** Equal look-ups that are kept as one. assumption: request-log */
interface Repeats {
  /** How many followed the first one. */
  count: number
  /** When the last one came, in wall-clock milliseconds. */
  lastAt: number
  /** Trace ids of the last 1,000 to 2,000 repeats, the oldest first. */
  readonly traceIds: string[]
  /** Number of its last change, counted over all requests. */
  change: number
}

/** Approximate bytes of an entry without its texts. */
const bare = 500

/** Bytes of a trace id of a repeat. */
const idBytes = 100

/** Trace ids that a request keeps. The list is cut at twice as many, so that not every look-up copies it. */
const mostIds = 1000

/** Trace ids of the last thousand look-ups that are counted with a request, the oldest first. */
export const repeatedBy = ({ repeats }: LoggedRequest): string[] => repeats?.traceIds.slice(-mostIds) ?? []

const hasTraceId = ({ traceId, repeats }: LoggedRequest, wanted: string): boolean =>
  traceId === wanted || repeats?.traceIds.includes(wanted) === true

/** True for two accepted look-ups of one transaction with equal request and answer. */
function isSameLookUp(one: LoggedRequest, other: LoggedRequest): boolean {
  const { operation } = other
  if (operation === null || !isLookUp(operation)) return false
  return (
    one.operation === operation &&
    one.target === other.target &&
    one.method === other.method &&
    one.body === other.body &&
    one.notes.join() === other.notes.join() &&
    isWhole(one) &&
    isWhole(other) &&
    answerData(one) === answerData(other) &&
    other.answer.includes('"transactionId":"')
  )
}

/** True for an accepted answer that was kept whole and sent without a fault. */
const isWhole = ({ code, fault, answer, answerLength }: LoggedRequest): boolean =>
  code === '0' && fault === null && answer.length === answerLength

/** The data of an accepted answer: the text after its trace id. */
const answerData = ({ answer, traceId }: LoggedRequest): string =>
  answer.slice(answer.indexOf(traceId) + traceId.length)

/**
 * Counts an equal look-up as a repeat of the first one; `change`: number of this change, over all requests.
 * Returns how many bytes that adds.
 */
function countWith(first: LoggedRequest, { at, traceId }: LoggedRequest, change: number): number {
  first.repeats ??= { count: 0, lastAt: 0, traceIds: [], change: 0 }
  const { repeats } = first
  repeats.count += 1
  repeats.lastAt = at
  repeats.change = change
  repeats.traceIds.push(traceId)
  const removed = repeats.traceIds.length > 2 * mostIds ? repeats.traceIds.splice(0, mostIds).length : 0
  return (1 - removed) * idBytes
}

/** Maximum bytes of an entry in memory: a character takes one or two. */
function entryBytes(entry: LoggedRequest): number {
  const { body, answer, baseUrl, target, path, headers, refusal, repeats } = entry
  let characters = body.length + answer.length + baseUrl.length + target.length + path.length + headers.length
  characters += refusal?.field?.length ?? 0
  for (const texts of [entry.answerHeaders, entry.notes]) for (const text of texts) characters += text.length
  for (const error of [refusal, ...entry.others]) characters += error?.detail?.length ?? 0
  return bare + 2 * characters + idBytes * (repeats?.traceIds.length ?? 0)
}

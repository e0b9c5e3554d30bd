import type { OperationName } from '../contract/operations.ts'

/** One handled request, as it is kept: secrets are hidden in it, and nothing is formatted. */
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
  /** Scheme, host and port by which it came; empty where the target is not kept. */
  readonly origin: string
  /** Path and query as the caller wrote them; empty where they are not kept. */
  readonly target: string
  /** Names and values in turn, as Node has them. */
  readonly headers: readonly string[]
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
  /** The fault that was injected, as it is written; the answer is the one that would have come. */
  readonly fault: string | null
}

/** Bytes of a body that are kept. assumption: request-log */
export const longestBody = 64 * 1024

/** Bytes of all texts together. */
const mostBytes = 32 * 1024 * 1024

/** Bytes that an entry without its texts takes, about. */
const bare = 500

/** The last requests, in memory. assumption: request-log */
export class RequestLog {
  /** Those that are kept, in a ring. */
  readonly #entries: (LoggedRequest | undefined)[] = []
  readonly #sizes: number[] = []
  /** Requests so far, and the number of the first one that is kept. */
  #total = 0
  #first = 0
  #bytes = 0

  constructor(
    readonly capacity = 1000,
    readonly listener: ((entry: LoggedRequest) => void) | null = null,
    readonly budget = mostBytes,
  ) {}

  add(entry: LoggedRequest): void {
    if (this.#total - this.#first === this.capacity) this.#forget()
    const place = this.#total % this.capacity
    const size = bytesOf(entry)
    this.#bytes += size
    this.#sizes[place] = size
    this.#entries[place] = entry
    this.#total += 1
    while (this.#bytes > this.budget && this.#total - this.#first > 1) this.#forget()
    this.listener?.(entry)
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

  /** Number of the request with that trace id; undefined when it is not kept. */
  numberOf(traceId: string): number | undefined {
    const place = this.list().findIndex((entry) => entry.traceId === traceId)
    return place < 0 ? undefined : this.#first + place
  }

  #forget(): void {
    const place = this.#first % this.capacity
    this.#bytes -= this.#sizes[place] ?? 0
    this.#entries[place] = undefined
    this.#first += 1
  }
}

/** Bytes in memory at most: a character takes one or two. */
function bytesOf(entry: LoggedRequest): number {
  const { body, answer, origin, target, path, field = '', detail = '' } = entry
  let characters =
    body.length + answer.length + origin.length + target.length + path.length + field.length + detail.length
  for (const texts of [entry.headers, entry.answerHeaders, entry.notes])
    for (const text of texts) characters += text.length
  return bare + 2 * characters
}

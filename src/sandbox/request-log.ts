/** One handled request. No header and no body is kept: they may hold secrets. */
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
}

/** The last requests, in memory. assumption: request-log */
export class RequestLog {
  readonly #entries: LoggedRequest[] = []
  #next = 0

  constructor(
    readonly capacity = 1000,
    readonly listener: ((entry: LoggedRequest) => void) | null = null,
  ) {}

  add(entry: LoggedRequest): void {
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.capacity
    this.listener?.(entry)
  }

  /** Oldest first. */
  list(): LoggedRequest[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
  }
}

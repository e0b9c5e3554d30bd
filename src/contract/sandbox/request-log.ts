/** Why a request was refused, and what to do. */
export interface WhyRefused {
  readonly message: string
  readonly field: string | null
  readonly detail: string | null
  readonly remedy: string
}

/** A handled request as it is listed and streamed. */
export interface RequestSummary {
  /** Wall-clock time in milliseconds. */
  readonly at: number
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Row of the operation table; null for pages, the control interface and what is served nowhere. */
  readonly operation: string | null
  readonly status: number
  /** Code of the answer; "0" is accepted. */
  readonly code: string
  readonly traceId: string
  readonly durationMs: number
  /** Transaction that the request opened or was about. */
  readonly transactionId: string | null
  /** Null for what was accepted. */
  readonly refusal: WhyRefused | null
  /** Why it was refused in a line, and what was let pass but deserves a note. */
  readonly notes: readonly string[]
}

/** One side of a request. Secrets are hidden; a long body is kept from its beginning. */
export interface ShownMessage {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** True when only the beginning of the body was kept. */
  readonly cut: boolean
}

/** What `request` answers: a handled request in full. */
export interface RequestStory extends RequestSummary {
  /** As the caller wrote it; empty for pages, and where it held card data. */
  readonly url: string
  readonly request: ShownMessage
  readonly answer: ShownMessage
  /** The request for a shell, the key as TILLBOX_API_KEY; null where it was not kept whole. */
  readonly curl: string | null
  /** The command that asks for the same; null where there is none. */
  readonly command: string | null
}

/** What `requests` answers: the newest last. */
export interface RequestList {
  readonly requests: readonly RequestSummary[]
}

/** What stands where something was hidden. */
export const hiddenMark = '…'

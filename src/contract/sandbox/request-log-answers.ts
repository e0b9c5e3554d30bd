import * as v from 'valibot'
import { amount, list, moment, shape, text, textOrNull, whether } from '../answer-kinds.ts'

const reasonMembers = { message: text, field: textOrNull, detail: textOrNull, remedy: text }

/** Why a request was refused, and what to do. `others`: what else was wrong with its headers; of an older sandbox none. */
const whyRefused = shape({ ...reasonMembers, others: v.optional(list(shape(reasonMembers))) })
export type WhyRefused = v.InferOutput<typeof whyRefused>

const requestMembers = {
  /** Wall-clock time in milliseconds. */
  at: moment,
  method: text,
  /** Without the query. */
  path: text,
  /** How many equal look-ups of one caller in a row this is, and when the last of them came. Of an older sandbox: one. */
  times: v.optional(amount),
  lastAt: v.optional(v.nullable(moment)),
  /** Row of the operation table; null for pages, the control interface and what is served nowhere. */
  operation: textOrNull,
  status: amount,
  /** Code of the answer; "0" is accepted. */
  code: text,
  traceId: text,
  durationMs: amount,
  /** Transaction that the request opened or was about. */
  transactionId: textOrNull,
  /** Null for what was accepted. */
  refusal: v.nullable(whyRefused),
  /** The fault that was injected, as it is written; the answer is the one that would have come. Of an older sandbox: none. */
  fault: v.optional(textOrNull, null),
  /** Why it was refused in a line, and what was let pass but deserves a note. */
  notes: list(text),
}

/** A request as it is listed, and each event of `request-events`. */
export const requestSummary = shape(requestMembers)
export type RequestSummary = v.InferOutput<typeof requestSummary>

/** What `requests` answers: the newest last. */
export const requestList = shape({ requests: list(requestSummary) })
export type RequestList = v.InferOutput<typeof requestList>

/** One side of a request. Secrets are hidden; a long body is kept from its beginning. */
const shownMessage = shape({
  headers: list(v.pipe(v.tuple([text, text]), v.readonly())),
  body: text,
  /** True when only the beginning of the body was kept. */
  cut: whether,
})
export type ShownMessage = v.InferOutput<typeof shownMessage>

/** What `request` answers: a handled request in full. */
export const requestStory = shape({
  ...requestMembers,
  /** As the caller wrote it; empty for pages, and where it held card data. */
  url: text,
  request: shownMessage,
  answer: shownMessage,
  /** Trace ids of the equal look-ups that followed, the last thousand. */
  repeatedBy: v.optional(list(text)),
  /** The request for a shell, the key as TILLBOX_API_KEY; null where it was not kept whole. */
  curl: textOrNull,
  /** The command that asks for the same; null where there is none. */
  command: textOrNull,
})
export type RequestStory = v.InferOutput<typeof requestStory>

/** What stands where something was hidden. */
export const hiddenMark = '…'

/** Shortest secret whose last characters may be shown. */
const longEnough = 16

/** A key as it may be shown, `tbx_sandbox_…4d08`: its kind and last four characters where it is long enough, else nothing of it. */
export function hiddenKey(key: string): string {
  if (key.length < longEnough) return hiddenMark
  const kind = /^[a-z]+_(sandbox|production)_/.exec(key)?.[0] ?? ''
  return `${kind}${hiddenMark}${key.slice(-4)}`
}

import * as v from 'valibot'
import { amount, list, moment, shape, text, textOrNull, whether } from '../answer-kinds.ts'
import type { Status } from '../statuses.ts'

const reasonMembers = { message: text, field: textOrNull, detail: textOrNull, remedy: text }

/** Why a request was refused, and what to do. `others`: further errors of its headers. */
const whyRefused = shape({ ...reasonMembers, others: list(shape(reasonMembers)) })
export type WhyRefused = v.InferOutput<typeof whyRefused>

const requestMembers = {
  /** Wall-clock time in milliseconds. */
  at: moment,
  method: text,
  /** Without the query. */
  path: text,
  /** Number of equal look-ups in a row by one caller. */
  times: amount,
  /** Wall-clock time of the last, in milliseconds. */
  lastAt: v.nullable(moment),
  /** Name of the operation; null for pages, the control interface and unknown paths. */
  operation: textOrNull,
  /** HTTP status of the answer. */
  status: amount,
  /** Code of the answer; "0" is accepted. */
  code: text,
  traceId: text,
  durationMs: amount,
  /** Transaction that the request opened or was about. */
  transactionId: textOrNull,
  /** Null for an accepted request. */
  refusal: v.nullable(whyRefused),
  /** The injected fault in its written form; the log has the answer without it. */
  fault: textOrNull,
  /** The reason of a refusal in one line, or notes on an accepted request. */
  notes: list(text),
}

/** A request as it is listed, and each event of `request-events`. */
export const requestSummary = shape(requestMembers)
export type RequestSummary = v.InferOutput<typeof requestSummary>

/** Answer of `requests`: the newest last. */
export const requestList = shape({ requests: list(requestSummary) })
export type RequestList = v.InferOutput<typeof requestList>

/** A request or an answer, with secrets hidden; only the beginning of a long body. */
const shownMessage = shape({
  headers: list(v.pipe(v.tuple([text, text]), v.readonly())),
  body: text,
  /** True when only the beginning of the body was kept. */
  cut: whether,
})
export type ShownMessage = v.InferOutput<typeof shownMessage>

/** Answer of `request`: a handled request in full. */
export const requestStory = shape({
  ...requestMembers,
  /** As the caller wrote it; empty for pages, and where it held card data. */
  url: text,
  request: shownMessage,
  answer: shownMessage,
  /** Trace ids of the equal look-ups that followed, the last thousand. */
  repeatedBy: v.optional(list(text)),
  /** The request as a curl command, with the key as TILLBOX_API_KEY; null if it was not kept whole. */
  curl: textOrNull,
  /** The tillbox command that sends the same request; null if there is none. */
  command: textOrNull,
})
export type RequestStory = v.InferOutput<typeof requestStory>

/** The mark in place of hidden text. */
export const hiddenMark = '…'

/** Shortest secret whose last characters may be shown. */
const longEnough = 16

/** A key with its middle hidden, `tbx_sandbox_…4d08`; a short key is hidden whole. */
export function hiddenKey(key: string): string {
  if (key.length < longEnough) return hiddenMark
  const kind = /^[a-z]+_(sandbox|production)_/.exec(key)?.[0] ?? ''
  return `${kind}${hiddenMark}${key.slice(-4)}`
}

/** The transaction of a request, in its current state. */
export interface RequestTransaction {
  readonly transactionId: string
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: Status
  /** Reason for the status: `005 Do not honor`, `a person at TBX-ATTENDED-001`; empty where the status needs none. */
  readonly why: string
}

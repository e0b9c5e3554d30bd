import * as v from 'valibot'
import { amount, described, epochMs, list, named, shape, text, textOrNull, whether } from '../answer-kinds.ts'
import type { Status } from '../statuses.ts'

const reasonMembers = { message: text, field: textOrNull, detail: textOrNull, remedy: text }

const whyRefused = named(
  'WhyRefused',
  'Why a request was refused, and what to do. `others`: further errors of its headers',
  { ...reasonMembers, others: list(shape(reasonMembers)) },
)
export type WhyRefused = v.InferOutput<typeof whyRefused>

const requestMembers = {
  at: described(epochMs, 'Wall-clock time in milliseconds'),
  method: text,
  path: described(text, 'Without the query'),
  times: described(amount, 'Number of equal look-ups in a row by one caller'),
  lastAt: described(v.nullable(epochMs), 'Wall-clock time of the last, in milliseconds'),
  operation: described(textOrNull, 'Name of the operation; null for pages, `/_sandbox` and unknown paths'),
  status: described(amount, 'HTTP status of the answer'),
  code: described(text, 'Code of the answer; "0" is accepted'),
  traceId: text,
  durationMs: amount,
  transactionId: described(textOrNull, 'Transaction that the request opened or was about'),
  refusal: described(v.nullable(whyRefused), 'Null for an accepted request'),
  fault: described(textOrNull, 'The injected fault in its written form; the log has the answer without it'),
  notes: described(list(text), 'The reason of a refusal in one line, or notes on an accepted request'),
}

export const requestSummary = named(
  'RequestSummary',
  'A request as it is listed, and each event of `request-events`',
  requestMembers,
)
export type RequestSummary = v.InferOutput<typeof requestSummary>

export const requestList = named('RequestList', 'Answer of `requests`: the newest last', {
  requests: list(requestSummary),
})
export type RequestList = v.InferOutput<typeof requestList>

const shownMessage = named(
  'ShownMessage',
  'A request or an answer, with secrets hidden; only the beginning of a long body',
  {
    headers: list(v.pipe(v.tuple([text, text]), v.readonly())),
    body: text,
    cut: described(whether, 'True when only the beginning of the body was kept'),
  },
)
export type ShownMessage = v.InferOutput<typeof shownMessage>

export const requestStory = named('RequestStory', 'Answer of `request`: a handled request in full', {
  ...requestMembers,
  url: described(text, 'As the caller wrote it; empty for pages, and where it held card data'),
  request: shownMessage,
  answer: shownMessage,
  repeatedBy: v.optional(
    described(list(text), 'Trace ids of the equal look-ups that followed, the last thousand'),
  ),
  curl: described(
    textOrNull,
    'As a curl command, with the key as TILLBOX_API_KEY; null if it was not kept whole',
  ),
  command: described(textOrNull, 'The tillbox command that sends the same request; null if there is none'),
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
  /** Reason for the status: `005 Do not honor`, `a person at TBX-ATTENDED-001`; empty where none is told. */
  readonly why: string
}

import { type OperationName, operations } from '../contract/operations.ts'
import type { OtherError } from '../contract/records.ts'
import type { RecordedRequest } from '../store/storage/storage.ts'

/** One handled request, as stored: without secrets in headers, and unformatted. */
export interface LoggedRequest extends RecordedRequest {
  readonly durationMs: number
  /** Why it was refused, and what was accepted with a note. */
  readonly notes: readonly string[]
  readonly operation: OperationName | null
  /** Base URL of the request; empty if the target is not kept. */
  readonly baseUrl: string
  /** Path and query as the caller wrote them; empty where they are not kept. */
  readonly target: string
  /** Names and values in turn, each on a line, and empty without any: one text costs the garbage collector less than many. */
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
  /** The injected fault, in its written form; `answer` is the answer without it. */
  readonly fault: string | null
  /** Who asked: address, end of the key, and name of the program. */
  readonly caller: string
  /** Equal look-ups of the caller that followed this one; null for none. */
  repeats: Repeats | null
  /** A secret was removed from target or body, so it cannot be sent again unchanged. */
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
  /** Number of its last change, counted over all requests. */
  change: number
}

/** Bytes that an entry without its texts takes, about. */
const bare = 500

/** Bytes of a trace id that is kept with another request. */
const idBytes = 100

/** Trace ids that are kept with a request; twice as many before some go, so that not every look-up copies them. */
const mostIds = 1000

/** Trace ids of the last thousand look-ups that are counted with a request, the oldest first. */
export const repeatedBy = ({ repeats }: LoggedRequest): string[] => repeats?.traceIds.slice(-mostIds) ?? []

/** True for the request with that trace id, and for the one that counts it. */
export const hasTraceId = ({ traceId, repeats }: LoggedRequest, wanted: string): boolean =>
  traceId === wanted || repeats?.traceIds.includes(wanted) === true

/** True for two accepted look-ups of one transaction with equal request and answer. */
export function isSameLookUp(one: LoggedRequest, other: LoggedRequest): boolean {
  const { operation } = other
  if (operation === null || operations[operation].method !== 'GET') return false
  return (
    one.operation === operation &&
    one.target === other.target &&
    one.method === other.method &&
    one.body === other.body &&
    one.notes.join() === other.notes.join() &&
    isWhole(one) &&
    isWhole(other) &&
    dataOf(one) === dataOf(other) &&
    other.answer.includes('"transactionId":"')
  )
}

/** True for an accepted answer that is all kept and came without a fault. */
const isWhole = ({ code, fault, answer, answerLength }: LoggedRequest): boolean =>
  code === '0' && fault === null && answer.length === answerLength

/** The data of an accepted answer: the text after its trace id. */
const dataOf = ({ answer, traceId }: LoggedRequest): string =>
  answer.slice(answer.indexOf(traceId) + traceId.length)

/**
 * Counts an equal look-up with the first one; `change`: number of this change, of all rows. Returns how many bytes that
 * adds.
 */
export function countWith(first: LoggedRequest, { at, traceId }: LoggedRequest, change: number): number {
  first.repeats ??= { count: 0, lastAt: 0, traceIds: [], change: 0 }
  const { repeats } = first
  repeats.count += 1
  repeats.lastAt = at
  repeats.change = change
  repeats.traceIds.push(traceId)
  const gone = repeats.traceIds.length > 2 * mostIds ? repeats.traceIds.splice(0, mostIds).length : 0
  return (1 - gone) * idBytes
}

/** Bytes in memory at most: a character takes one or two. */
export function bytesOf(entry: LoggedRequest): number {
  const { body, answer, baseUrl, target, path, field = '', detail = '', repeats } = entry
  let characters =
    body.length + answer.length + baseUrl.length + target.length + path.length + field.length + detail.length
  characters += entry.headers.length
  for (const texts of [entry.answerHeaders, entry.notes]) for (const text of texts) characters += text.length
  for (const other of entry.others) characters += (other.detail ?? '').length
  return bare + 2 * characters + idBytes * (repeats?.traceIds.length ?? 0)
}

import { Buffer } from 'node:buffer'
import { controls } from '../../contract/control/controls/controls.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { errorTable, type Refusal } from '../../contract/errors.ts'
import type { OperationName } from '../../contract/operations.ts'
import { hideMembers } from '../../contract/presentation/hide-members.ts'
import { elapsedTime } from '../../shared/timers.ts'
import type { Changes } from '../engine/changes.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import type { SeenRequest } from '../http/call.ts'
import { holdsCardData } from '../http/card-data.ts'
import { toOtherError } from '../http/envelope.ts'
import { hideHeaders, hideInUrl } from '../http/hide-addresses.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/** Where requests are logged, and who is notified. */
export interface LoggingContext {
  readonly log: Pick<RequestLog, 'add'>
  readonly clock: ReadableClock
  readonly changes: Pick<Changes, 'tell'>
}

/** What is logged of a request beside its line in the list. */
export interface LoggedExchange {
  readonly operation: OperationName | null
  /** The body as read; empty if the request was refused before. */
  body: string
  /** True when its members name an original: what is kept of the body may end before them. */
  hasOriginal: boolean
  /** The answer as sent. */
  answer: string
  /** Headers added to the answer, names and values in turn. */
  answerHeaders: readonly string[]
  refusal: Refusal | null
  /** The injected fault, in its written form. */
  fault: string | null
}

/** Maximum bytes that are kept of a body. assumption: request-log */
const longestBody = 64 * 1024

/** What is known before a request is read. */
export const newExchange = (operation: OperationName | null): LoggedExchange => ({
  operation,
  body: '',
  hasOriginal: false,
  answer: '',
  answerHeaders: [],
  refusal: null,
  fault: null,
})

/** For pages, neither input nor output is kept. */
const ofPages = newExchange(null)

const isControlLookUp = (method: string, path: string): boolean =>
  method === 'GET' && path.startsWith('/_sandbox/')

/** Listeners' requests, and waits for deliveries: the deliveries have a list of their own. */
const isOfListeners = (path: string): boolean =>
  path.startsWith('/_sandbox/listeners/') || path === controls['wait-for-webhooks'].path

/**
 * Adds a handled request to the request log. Accepted control look-ups and listeners' requests are left out:
 * they would push out the interesting ones. Returns the entry. assumption: request-log
 */
export function logRequest(
  { log, clock, changes }: LoggingContext,
  request: SeenRequest,
  status: number,
  code: string,
  traceId: string,
  started: number,
  notes: readonly string[],
  exchange: LoggedExchange = ofPages,
): LoggedRequest | undefined {
  const { method, path } = request
  if (code === '0' && (isControlLookUp(method, path) || isOfListeners(path))) return undefined
  const { operation, refusal } = exchange
  const [baseUrl, target] = exchange === ofPages ? ['', ''] : splitUrl(request)
  // Accepted requests were searched for card data, except the query of a POST outside the payment API.
  const suspect = code !== '0' || (method !== 'GET' && target.includes('?'))
  const secret =
    code === 'SBX_CARD_DATA' ||
    (suspect && (holdsCardData(fullTarget(request)) || holdsCardData(exchange.body)))
  const body = secret ? '' : hideMembers(exchange.body)
  const headers = hideHeaders(request.headers)
  const entry: LoggedRequest = {
    at: clock.wall(),
    sandboxAt: clock.now(),
    method,
    path: secret ? hiddenMark : path,
    status,
    code,
    traceId,
    started,
    durationMs: elapsedTime() - started,
    notes,
    operation,
    baseUrl: secret ? '' : baseUrl,
    target: secret ? '' : hideInUrl(target),
    headers: headers.join('\n'),
    body: truncateText(body),
    bodyLength: body.length,
    isBodyHidden: body !== exchange.body,
    hasOriginal: exchange.hasOriginal,
    answerHeaders: exchange.answerHeaders,
    answer: truncateText(exchange.answer),
    answerLength: exchange.answer.length,
    refusal: refusal && toOtherError(refusal),
    others: refusal?.others.map(toOtherError) ?? [],
    fault: exchange.fault,
    caller: describeCaller(request, headers),
    repeats: null,
    isCutOff: false,
  }
  log.add(entry)
  changes.tell('requests')
  return entry
}

/** The note on a refused request. */
export function refusalNotes({ field, detail, message }: Refusal): string[] {
  if (detail === undefined) return [message]
  return [field === undefined ? detail : `${field}: ${detail}`]
}

/** What is known of a request that could not be read as HTTP. */
const unread: SeenRequest = {
  method: '?',
  path: '?',
  url: '',
  basePath: '',
  headers: [],
  address: '',
  userAgent: undefined,
  hasLeft: () => true,
}

/** Adds a request that could not be read as HTTP, so that neither method nor path is known. */
export function logMalformed(
  context: LoggingContext,
  traceId: string,
  refusal: Refusal,
  answer: string,
): void {
  const { code } = refusal
  const exchange = { ...ofPages, answer, refusal }
  const notes = refusalNotes(refusal)
  logRequest(context, unread, errorTable[code].status, code, traceId, elapsedTime(), notes, exchange)
}

/** The caller: address, visible part of the key, and User-Agent. */
function describeCaller({ address, userAgent }: SeenRequest, headers: readonly string[]): string {
  const key = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization')
  return [address, key < 0 ? '' : headers[key + 1], userAgent].join(' ')
}

/** Splits the URL, whose Host was checked, into base URL and target. */
function splitUrl({ url, basePath }: SeenRequest): [baseUrl: string, target: string] {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  return [url.slice(0, path) + basePath, url.slice(path)]
}

/** Decoded path and query of a request. */
function fullTarget({ path, url }: SeenRequest): string {
  const start = url.indexOf('?')
  return start < 0 ? path : path + url.slice(start)
}

/** The beginning of a long text, as a text of its own: a slice would keep the whole in memory. */
function truncateText(text: string): string {
  if (text.length * 3 <= longestBody || Buffer.byteLength(text) <= longestBody) return text
  const bytes = Buffer.from(text).subarray(0, longestBody)
  return new TextDecoder().decode(bytes).replace(/\uFFFD$/, '')
}

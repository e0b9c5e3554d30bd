import { type ControlInput, controls } from '../../contract/control/controls/controls.ts'
import {
  hiddenKey,
  hiddenMark,
  type RequestList,
  type RequestStory,
  type RequestSummary,
  type ShownMessage,
  type WhyRefused,
} from '../../contract/control/request-log-answers.ts'
import { type ErrorCode, errorTable, reject } from '../../contract/errors.ts'
import type { RecordedClaim } from '../../contract/evidence/recorded.ts'
import { addressed, curlCommand, tillboxCommand } from '../../contract/presentation/copy-as.ts'
import { hideMembers } from '../../contract/presentation/hide-members.ts'
import type { OtherError } from '../../contract/records.ts'
import { type Members, validate } from '../../contract/validate.ts'
import { isObject, isShallow } from '../../shared/is-object.ts'
import { parseJson } from '../../shared/read-or.ts'
import type { Directory } from '../engine/directory.ts'
import type { EngineReader } from '../engine/engine.ts'
import type { Call } from '../http/call.ts'
import { type LiveStreams, streamLatest } from '../http/live-stream.ts'
import { openedIn, sessionIn, transactionIn } from '../views/transaction-text.ts'
import { createSecretHider, keyFlag, type SecretHolders, withoutDefaultIds } from './hide-secrets.ts'
import { type LoggedRequest, type ReadableRequestLog, repeatedBy } from './request-log.ts'

/** Views of the request log for the control interface, computed from its entries on demand. */

/** The log, the secrets to hide in it, and the state, which knows the transactions of sessions. */
export interface ReadableLog extends SecretHolders {
  readonly log: ReadableRequestLog
  readonly engine: Pick<EngineReader, 'state'>
  /** What the service does otherwise, as the project accepted it. */
  readonly recorded: readonly RecordedClaim[]
}

/** Requests that match, the newest last. */
export function listRequests(
  source: ReadableLog,
  { limit, ...wanted }: ControlInput<'requests'>,
): RequestList {
  const fitting = source.log.list().filter(requestFits(source, wanted))
  const hide = createSecretHider(source)
  const first = limit == null ? 0 : Math.max(0, fitting.length - Number(limit))
  return { requests: fitting.slice(first).map((each) => listedRequest(source, each, hide)) }
}

/** Returns a test of whether a request matches the filters. */
export const requestFits =
  (source: Sessions, { status, operation, transactionId, order }: Omit<ControlInput<'requests'>, 'limit'>) =>
  (entry: LoggedRequest): boolean =>
    (status == null || (status === 'accepted') === (entry.code === '0')) &&
    (operation == null || entry.operation === operation) &&
    (transactionId == null || requestTransactionIds(source, entry).includes(transactionId)) &&
    (order == null || sentMembers(entry.method, entry.target, entry.body)?.referenceOrderId === order)

/** A request in full. */
export function requestNamed(source: ReadableLog, traceId: string): RequestStory {
  const entry = source.log.find(traceId)
  if (entry === undefined)
    return reject('SBX_REQ_NONE', { field: 'traceId', message: `There is no request ${traceId}` })
  const hide = createSecretHider(source)
  const { baseUrl, target } = entry
  const shownTarget = hide(target)
  const url = baseUrl + shownTarget
  const headers = entry.headers === '' ? [] : entry.headers.split('\n') // a request of HTTP/1.0 may have none
  const request = toShownMessage(headers, entry.body, entry.bodyLength, hide)
  const answerHeaders = ['Content-Type', 'application/json', ...entry.answerHeaders]
  const answer = toShownMessage(
    entry.answer === '' ? [] : answerHeaders,
    hideMembers(entry.answer),
    entry.answerLength,
    hide,
  )
  const { method, code, operation } = entry
  const urlWhole = url !== '' && target === shownTarget && !target.includes(hiddenMark)
  const whole = urlWhole && request.body === entry.body && !request.cut
  const members = operation === null || !whole ? null : sentMembers(method, target, request.body)
  const publicKey = publicKeyIn(source.directory, request)
  return {
    ...listedRequest(source, entry, hide),
    url,
    request,
    answer,
    repeatedBy: repeatedBy(entry),
    curl: whole && !entry.isBodyHidden ? curlCommand({ method, url, ...request, code, publicKey }) : null,
    command: members && isShallow(members) ? commandFor(source, entry, members, request, publicKey) : null,
  }
}

function commandFor(
  source: ReadableLog,
  entry: LoggedRequest,
  members: Members,
  { headers }: ShownMessage,
  publicKey: string | null,
): string | null {
  const { directory } = source
  if (entry.operation === null) return null
  const neededMembers = withoutDefaultIds(directory, members)
  const command = tillboxCommand(entry.operation, neededMembers, headers, requestCurrency(source, entry))
  return addressed(command + keyFlag(directory, members.appId, publicKey), entry.baseUrl)
}

/** The only key of the fixtures that matches the hidden header; it is not secret. Otherwise null. */
function publicKeyIn({ applications }: Directory, { headers }: ShownMessage): string | null {
  const sent = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const keys = applications.flatMap((application) => application.keys.map(({ key }) => key))
  const [found, ...others] = keys.filter((key) => sent === `Bearer ${hiddenKey(key)}`)
  return others.length === 0 ? (found ?? null) : null
}

type Hide = (text: string) => string

/** A line of the log. */
export function listedRequest(source: Sessions, entry: LoggedRequest, hide: Hide): RequestSummary {
  const { at, method, path, operation, status, code, traceId, durationMs, notes, fault, repeats } = entry
  return {
    at,
    times: 1 + (repeats?.count ?? 0),
    lastAt: repeats?.lastAt ?? null,
    method,
    path: hide(path),
    operation,
    status,
    code,
    traceId,
    durationMs,
    transactionId: requestTransactionIds(source, entry)[0] ?? null,
    refusal: refusalReason(entry, hide),
    fault,
    notes: notes.map(hide),
  }
}

function refusalReason({ code, refusal, others }: LoggedRequest, hide: Hide): WhyRefused | null {
  if (code === '0') return null
  const shown = ({ msg, field, detail, remedy = '' }: Omit<OtherError, 'code'>) => ({
    message: hide(msg),
    field: field ?? null,
    detail: detail === undefined ? null : hide(detail),
    remedy: hide(remedy),
  })
  const { message: msg, remedy } = errorTable[code as ErrorCode]
  // The message of a wrong parameter is its field and detail.
  const first = { msg, remedy, ...refusal, ...(code === 'C17' && { msg }) }
  return { ...shown(first), others: others.map(shown) }
}

function toShownMessage(raw: readonly string[], body: string, length: number, hide: Hide): ShownMessage {
  const headers: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    headers.push([raw[index] as string, hide(raw[index + 1] as string)])
  return { headers, body: hide(body), cut: body.length < length }
}

/** Fields of the request; null when the body is not a JSON object. */
export function sentMembers(method: string, target: string, body: string): Members | null {
  return method === 'GET' ? Object.fromEntries(new URLSearchParams(queryPart(target))) : parsed(body)
}

const queryPart = (target: string): string => /\?([^#]*)/.exec(target)?.[1] ?? ''

/** What finding the transaction of a session needs. */
type Sessions = Pick<ReadableLog, 'engine'>

/** Transactions of a request, the one in its answer first; for a session, the transaction that paid it. */
export function requestTransactionIds(
  source: Sessions,
  { operation, method, target, body, answer }: LoggedRequest,
): readonly string[] {
  if (operation === null || target === '') return []
  const data = parsed(answer)?.data as Members | undefined
  const sent = sentMembers(method, target, body)
  const named = [
    data?.transactionId,
    data?.originalTransactionId,
    sent?.transactionId,
    sent?.originalTransactionId,
    paidAs(source, data?.sessionId),
    paidAs(source, sent?.sessionId),
    openedBy(source, sent?.originalTransactionRequestId),
  ]
  return [...new Set(named.filter((id) => typeof id === 'string' && id !== ''))] as string[]
}

/** The currency of the transactions of a request; undefined when there are none. */
function requestCurrency(source: Sessions, entry: LoggedRequest): string | undefined {
  const { ledgers } = source.engine.state
  const [found] = requestTransactionIds(source, entry).flatMap((id) => transactionIn(ledgers, id) ?? [])
  return found?.transaction.currency
}

/** The transaction of a hosted page; undefined when it was forgotten. */
const paidAs = ({ engine }: Sessions, sessionId: unknown): string | undefined =>
  typeof sessionId === 'string' ? sessionIn(engine.state.ledgers, sessionId)?.transaction.id : undefined

/** The transaction that an earlier request opened. */
const openedBy = ({ engine }: Sessions, requestId: unknown): string | undefined =>
  typeof requestId === 'string' ? openedIn(engine.state.ledgers, requestId)?.transaction.id : undefined

function parsed(text: string): Members | null {
  const value = parseJson(text) // undefined where it was cut, or never JSON
  return isObject(value) ? value : null
}

/**
 * Streams the request log as server-sent events. It begins with the last `limit` matches. Last-Event-ID, a
 * trace id, asks for the requests after it; for all of them if it is unknown, as after a restart. A repeated
 * look-up is sent again with its new count. A slow reader misses requests that the log has dropped.
 * assumption: request-log
 */
export function streamRequests(source: ReadableLog & LiveStreams, call: Call): Response {
  const { log } = source
  const { limit, ...wanted } = validate(controls['request-events'], call.req.query())
  const matches = requestFits(source, wanted)
  const last = call.req.header('last-event-id')
  let next = last === undefined ? firstToShow(log.list().map(matches), log.total, Number(limit ?? 0)) : 0
  if (last !== undefined) next = (log.findNumber(last) ?? -1) + 1
  let changes = log.changes
  return streamLatest(source, call, {
    topics: ['requests'],
    show: () => {
      const hide = createSecretHider(source)
      const fresh = log.entriesSince(next, changes).filter(matches)
      next = log.total
      changes = log.changes
      return fresh.map((entry) => ({
        id: entry.traceId,
        event: 'request',
        data: JSON.stringify(listedRequest(source, entry, hide)),
      }))
    },
  })
}

/** Number of the first request to show, so that `limit` matching requests follow. */
function firstToShow(fitting: readonly boolean[], total: number, limit: number): number {
  let remaining = limit
  let number = total
  for (let index = fitting.length - 1; index >= 0 && remaining > 0; index--) {
    number -= 1
    if (fitting[index]) remaining -= 1
  }
  return number
}

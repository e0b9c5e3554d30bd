import * as v from 'valibot'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { acceptedBy } from '../../contract/operation-members.ts'
import { type OperationName, operationNames, operationRow } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { parseJson } from '../../shared/read-or.ts'
import type { ProxiedExchange } from '../scenario/recording/recording-proxy.ts'

/** A request to the service that somebody recorded, and its answer. Names of headers are in lower case. */
export interface RecordedExchange {
  /** Undefined for a path or a method that the sandbox does not have. */
  readonly operation: OperationName | undefined
  readonly method: string
  /** With the query, and without what stands before `/v1/`. */
  readonly target: string
  readonly headers: Headers
  /** Undefined where it was not recorded, or not whole. */
  readonly body: string | undefined
  /** Wall-clock time in milliseconds. */
  readonly at: number
  readonly answer: Answer
}

type Headers = Readonly<Record<string, string>>

/** An answer: its body parsed, the text of one that is no JSON, or undefined where none was recorded. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

const headers = v.optional(v.array(v.object({ name: v.string(), value: v.string() })), [])

/** What is read of an HTTP Archive 1.2. */
const archive = v.object({ log: v.object({ entries: v.array(v.unknown()) }) })

const entry = v.object({
  startedDateTime: v.pipe(v.string(), v.transform(Date.parse), v.number()),
  request: v.object({
    method: v.string(),
    url: v.string(),
    headers,
    postData: v.nullish(v.object({ text: v.optional(v.string()) })),
    bodySize: v.nullish(v.number()),
  }),
  response: v.object({
    status: v.number(),
    headers,
    content: v.optional(v.object({ text: v.optional(v.string()), encoding: v.optional(v.string()) }), {}),
  }),
})

/** What an HTTP Archive holds of the payment API. */
export interface ReadArchive {
  /** The oldest first; an entry that is there twice is one. */
  readonly exchanges: readonly RecordedExchange[]
  /** How many entries are none of HAR 1.2. */
  readonly unreadable: number
}

/** Reads an HTTP Archive; undefined for another text. */
export function readArchive(text: string): ReadArchive | undefined {
  const { success, output } = v.safeParse(archive, parseJson(text))
  if (!success) return undefined
  const once = new Map(output.log.entries.map((each) => [JSON.stringify(each), recordedIn(each)]))
  const readable = [...once.values()].filter((each) => each !== undefined)
  const exchanges = exchangesOf(readable).sort((one, other) => one.at - other.at)
  return { exchanges, unreadable: once.size - readable.length }
}

function recordedIn(recorded: unknown): Recorded | undefined {
  const { success, output } = v.safeParse(entry, recorded)
  if (!success) return undefined
  const { startedDateTime, request, response } = output
  const { text, encoding } = response.content
  return {
    at: startedDateTime,
    method: request.method.toUpperCase(),
    url: request.url,
    sentHeaders: byName(request.headers),
    request: { body: request.postData?.text ?? (isWithoutBody(request) ? '' : undefined) },
    status: response.status,
    answeredHeaders: byName(response.headers),
    answer: {
      body: encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64').toString() : text,
    },
  }
}

/** True for a request that had none. A size of -1 is unknown. */
const isWithoutBody = ({ method, bodySize }: v.InferOutput<typeof entry>['request']): boolean =>
  bodySize == null || bodySize === 0 || (bodySize < 0 && method.toUpperCase() === 'GET')

type Sent = Pick<ProxiedExchange, 'at' | 'method' | 'url' | 'status' | 'sentHeaders' | 'answeredHeaders'>

/** An exchange with any server. */
type Recorded = Sent & {
  /** Of both sides; `body` is undefined where it was not recorded. */
  readonly request: { readonly body: string | undefined }
  readonly answer: { readonly body: string | undefined }
}

/** The exchanges with the payment API: with the servers that were asked for an operation. */
export function exchangesOf(recorded: readonly Recorded[]): RecordedExchange[] {
  const services = new Set(recorded.filter((each) => operationOf(each)).map(originOf))
  return recorded.filter((each) => services.has(originOf(each))).flatMap((each) => exchangeOf(each) ?? [])
}

const originOf = ({ url }: Sent): string => (URL.canParse(url) ? new URL(url).origin : '')

/** What stands before `/v1/` belongs to the address of a service. */
const targetOf = ({ url }: Sent): string | undefined =>
  URL.canParse(url) ? /\/v1\/.*$/.exec(url)?.[0] : undefined

const operationOf = (sent: Sent): OperationName | undefined =>
  operationNames.find((name) => {
    const { path, method, otherMethod } = operationRow(name)
    return targetOf(sent)?.split('?')[0] === path && [method, otherMethod].includes(sent.method as 'GET')
  })

/** Methods of APIs; a browser asks with others what it may send. */
const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function exchangeOf(sent: Recorded): RecordedExchange | undefined {
  const { at, method, status, request, answer, sentHeaders } = sent
  const target = targetOf(sent)
  if (target === undefined || !apiMethods.includes(method)) return undefined
  const body = answer.body === undefined ? undefined : (parseJson(answer.body) ?? answer.body)
  const operation = operationOf(sent)
  return {
    operation,
    method,
    target,
    headers: sentHeaders,
    body: lacksOwnMember(operation, request.body ?? '') ? undefined : request.body,
    at,
    answer: { status, headers: sent.answeredHeaders, body },
  }
}

/** A member whose value the request log of a sandbox hid, also in JSON inside a string. */
const hiddenMember = new RegExp(`: *\\\\*"${hiddenMark}\\\\*"`)

/** True where the log hid more than members that the operation does not have, which the service ignores. */
function lacksOwnMember(operation: OperationName | undefined, body: string): boolean {
  if (!hiddenMember.test(body)) return false
  const members = parseJson(body)
  if (operation === undefined || !isObject(members)) return true
  return hiddenMember.test(JSON.stringify(Object.fromEntries(acceptedBy(operation, members))))
}

const byName = (list: v.InferOutput<typeof headers>): Headers =>
  Object.fromEntries(list.map(({ name, value }) => [name.toLowerCase(), value]))

/** The members of a request. */
export const membersOf = ({ target, body }: RecordedExchange): Members => {
  const parsed = parseJson(body ?? '')
  return isObject(parsed) ? parsed : Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''))
}

/** The members of the data of an answer. */
export const dataOf = ({ body }: Answer): Members => {
  const data = isObject(body) ? (body as Members).data : undefined
  return isObject(data) ? (data as Members) : {}
}

import * as v from 'valibot'
import { type OperationName, operationNames, operationRow } from '../../contract/operations.ts'
import { parseJson } from '../../shared/read-or.ts'
import type { ProxiedExchange } from '../scenario/recording/recording-proxy.ts'

/** A request to the service that somebody recorded, and its answer. Names of headers are in lower case. */
export interface RecordedExchange {
  readonly operation: OperationName
  readonly method: string
  /** With the query, and without what stands before `/v1/`. */
  readonly target: string
  readonly headers: Headers
  readonly body: string
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
    postData: v.nullish(v.object({ text: v.optional(v.string(), '') })),
  }),
  response: v.object({
    status: v.number(),
    headers,
    content: v.optional(v.object({ text: v.optional(v.string()), encoding: v.optional(v.string()) }), {}),
  }),
})

/** The exchanges with the payment API of an HTTP Archive, the oldest first; undefined for another text. */
export function readArchive(text: string): readonly RecordedExchange[] | undefined {
  const { success, output } = v.safeParse(archive, parseJson(text))
  if (!success) return undefined
  return output.log.entries.flatMap((each) => exchangeIn(each) ?? []).sort((one, other) => one.at - other.at)
}

function exchangeIn(recorded: unknown): RecordedExchange | undefined {
  const { success, output } = v.safeParse(entry, recorded)
  if (!success) return undefined
  const { startedDateTime, request, response } = output
  const { text, encoding } = response.content
  const exchange = exchangeOf({
    at: startedDateTime,
    method: request.method,
    url: request.url,
    sentHeaders: byName(request.headers),
    request: { body: request.postData?.text ?? '' },
    status: response.status,
    answeredHeaders: byName(response.headers),
    answer: { body: encoding === 'base64' ? Buffer.from(text ?? '', 'base64').toString() : (text ?? '') },
  })
  return exchange && text === undefined
    ? { ...exchange, answer: { ...exchange.answer, body: undefined } }
    : exchange
}

type Sent = Pick<ProxiedExchange, 'at' | 'method' | 'url' | 'status' | 'sentHeaders' | 'answeredHeaders'>
type Bodies = Readonly<Record<'request' | 'answer', { readonly body: string }>>

/** An exchange with the payment API; undefined for another. */
export function exchangeOf(sent: Sent & Bodies): RecordedExchange | undefined {
  const { at, method, url, status, request, answer } = sent
  const target = URL.canParse(url) ? /\/v1\/.*$/.exec(url)?.[0] : undefined
  const operation = operationNames.find((name) => {
    const row = operationRow(name)
    return target?.split('?')[0] === row.path && [row.method, row.otherMethod].includes(method as 'GET')
  })
  if (operation === undefined || target === undefined) return undefined
  const body = parseJson(answer.body) ?? answer.body
  return {
    operation,
    method,
    target,
    headers: sent.sentHeaders,
    body: request.body,
    at,
    answer: { status, headers: sent.answeredHeaders, body },
  }
}

const byName = (list: v.InferOutput<typeof headers>): Headers =>
  Object.fromEntries(list.map(({ name, value }) => [name.toLowerCase(), value]))

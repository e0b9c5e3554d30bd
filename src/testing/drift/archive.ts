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

/** What is read of an entry of an HTTP Archive 1.2. */
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

/**
 * The exchanges with the payment API of an HTTP Archive, the oldest first; undefined for a text that is cut
 * off. Entries are read one by one: only the exchanges have to fit in memory.
 */
export async function readArchive(
  parts: AsyncIterable<string>,
): Promise<readonly RecordedExchange[] | undefined> {
  const exchanges: RecordedExchange[] = []
  const isWhole = await eachEntry(parts, (text) => {
    const exchange = exchangeIn(parseJson(text))
    if (exchange !== undefined) exchanges.push(exchange)
  })
  return isWhole ? exchanges.sort((one, other) => one.at - other.at) : undefined
}

/** Where the entries stand in an archive: `{ "log": { "entries": [ {`. */
const entryDepth = 4

/** No exchange with the payment API is longer; a film that a page loaded may be. Characters. */
const longestEntry = 16 * 1024 * 1024

/** Calls `take` with the JSON of each entry. False for a text that is cut off. */
async function eachEntry(parts: AsyncIterable<string>, take: (text: string) => void): Promise<boolean> {
  const marks = /[{}[\]"\\]/g
  let depth = 0
  let isText = false
  let entry = ''
  let next = 0
  for await (const part of parts) {
    let begin = 0
    marks.lastIndex = next
    next = Math.max(0, next - part.length)
    for (let found = marks.exec(part); found !== null; found = marks.exec(part)) {
      const [mark] = found
      if (mark === '\\') {
        marks.lastIndex += 1 // what it escapes, which may be in the next part
        next = Math.max(0, marks.lastIndex - part.length)
      } else if (mark === '"') isText = !isText
      else if (isText) continue
      else if (mark === '{' || mark === '[') {
        depth += 1
        if (depth === entryDepth) begin = found.index
      } else {
        if (depth === entryDepth) {
          take(entry + part.slice(begin, found.index + 1))
          entry = ''
        }
        depth -= 1
      }
    }
    if (depth >= entryDepth && entry.length < longestEntry) entry += part.slice(begin)
  }
  return depth === 0
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

import { isUtf8 } from 'node:buffer'
import { bodyLimit } from 'hono/body-limit'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject, isShallow } from '../../shared/is-object.ts'
import { tooDeep } from '../../shared/read-or.ts'
import { type JsonOddity, jsonOddities, type MayBeFraction } from '../../shared/text/json-oddities.ts'
import { sleep } from '../../shared/timers.ts'
import { bodyThatCame } from './body-that-came.ts'
import { type Call, headerOf } from './call.ts'
import { holdsCardData, refuseCardData, refuseCardDataInQuery } from './card-data.ts'

/** Refuses a body whose length is known and over the limit. assumption: body-limit */
export function limitLength(call: Call): void {
  const body = bodyThatCame(call)
  const length = body?.length ?? Number(headerOf(call, 'content-length') ?? 0)
  if (length > limits.body)
    reject('SBX_TOO_LARGE', { field: 'body', detail: `it has ${length} bytes, of ${limits.body} at most` })
}

const isOfUnknownLength = (call: Call): boolean =>
  bodyThatCame(call) === undefined && headerOf(call, 'transfer-encoding') !== undefined

const limitChunks = bodyLimit({
  maxSize: limits.body,
  onError: () => reject('SBX_TOO_LARGE', { field: 'body', detail: `it has more than ${limits.body} bytes` }),
})

/** A body as text; bytes that are not UTF-8 have become U+FFFD. */
export interface Body {
  readonly text: string
  readonly isUtf8: boolean
}

const decoder = new TextDecoder()

/** The body of a request; a promise unless it came with the headers. assumption: body-limit */
export function readBody(call: Call): Body | Promise<Body> {
  const encoding = headerOf(call, 'content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    reject('SBX_MEDIA_TYPE', {
      field: 'Content-Encoding',
      message: 'The body has a Content-Encoding',
      detail: `it is ${encoding.slice(0, 64)}`,
      remedy: 'Send the JSON as it is, without Content-Encoding',
    })
  const bytes = bodyThatCame(call)
  return bytes === undefined ? readBytes(call).then(decoded) : decoded(bytes)
}

/** Reads a body; one of unknown length is counted while it is read. assumption: body-limit */
async function readBytes(call: Call): Promise<ArrayBuffer> {
  if (isOfUnknownLength(call)) await limitChunks(call, async () => undefined)
  return call.req.arrayBuffer()
}

const decoded = (bytes: ArrayBuffer | Uint8Array): Body => ({
  text: decoder.decode(bytes),
  isUtf8: isUtf8(bytes),
})

/** Length of the longest body that is read of a request already refused: reading costs time. Bytes. */
const longestRefused = 64 * 1024

/** How long the log waits for the body of a request that is refused already. Milliseconds. */
const patience = 1_000

/**
 * The body of a request that was refused for its headers, for the request log. Empty if it is long or of
 * unknown length, does not arrive in time, is compressed or not text, or is a form with card data. JSON and
 * free text are searched for card data when they are logged. assumption: request-log
 */
export async function bodyToLog(call: Call): Promise<string> {
  if (headerOf(call, 'content-encoding') !== undefined) return ''
  const length = bodyThatCame(call)?.length ?? Number(headerOf(call, 'content-length') ?? 0)
  if (length > longestRefused || isOfUnknownLength(call)) return ''
  const ended = new AbortController()
  const late = sleep(patience, ended.signal).then(() => null)
  const body = await Promise.race([Promise.resolve(readBody(call)).catch(() => null), late])
  ended.abort()
  if (body === null || !body.isUtf8 || body.text.includes('\0')) return ''
  const mayBeForm = !/^\s*[[{]/.test(body.text)
  return mayBeForm && holdsCardData(`/?${body.text}`) ? '' : body.text
}

/** Most members in a URL that are named. */
export const mostNamed = 10

/** The query members of a GET; the first value of each name counts, the others are odd. */
export function membersOfQuery({ req: { url } }: Call): SentMembers {
  const start = url.indexOf('?')
  if (start < 0) return { members: {}, odd: [] }
  const sent = [...new URLSearchParams(url.slice(start + 1))]
  refuseCardDataInQuery(sent)
  const members = new Map<string, string>()
  const twice: string[] = []
  const end = url.indexOf('#') // a fragment is logged, but not read
  for (const [name, value] of end < 0 ? sent : new URLSearchParams(url.slice(start + 1, end)))
    if (!members.has(name)) members.set(name, value)
    else if (name !== '' && twice.length < mostNamed && !twice.includes(name)) twice.push(name)
  members.delete('')
  const reason = 'is in the URL twice, and readers differ in which one they take'
  return {
    members: Object.fromEntries(members),
    odd: twice.map((name) => ({ field: name.slice(0, 64), reason })),
  }
}

/** How gzip begins, once it is decoded loosely. */
const gzip = '\x1f\ufffd'

/** The members of a request, and what is odd about how they are written: a strict reader refuses it. */
export interface SentMembers {
  readonly members: Members
  readonly odd: readonly JsonOddity[]
}

/** Decodes a body as one JSON object. assumption: field-reading */
export function readMembers({ text, isUtf8 }: Body, mayBeFraction: MayBeFraction = () => true): SentMembers {
  if (!isUtf8)
    reject('SBX_BAD_JSON', {
      field: 'body',
      detail: text.startsWith(gzip) ? 'it is compressed' : 'it is not UTF-8',
    })
  const members = parse(text)
  if (!isObject(members)) reject('SBX_BAD_JSON', { field: 'body', detail: 'it is JSON, but not an object' })
  if (!isShallow(members)) rejectField('body', tooDeep)
  refuseCardData(text)
  const odd = jsonOddities(text, members, mayBeFraction)
  const lost = odd.find(({ isLost }) => isLost)
  return lost === undefined ? { members, odd } : rejectField(lost.field, lost.reason)
}

function parse(text: string): unknown {
  if (text.trim() === '') reject('SBX_BAD_JSON', { field: 'body', detail: 'it is empty' })
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message quotes the body, which may hold secrets.
    const { message } = error as Error
    const [, position] = /position (\d+)/.exec(message) ?? []
    const isCut = /^Unexpected end|^Unterminated/.test(message) || Number(position) >= text.length
    const detail = isCut
      ? 'the JSON is cut off: is Content-Length too small? It counts bytes'
      : 'it cannot be parsed'
    return reject('SBX_BAD_JSON', { field: 'body', detail })
  }
}

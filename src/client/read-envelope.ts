import { findMismatch, type Shape } from '../contract/answer-shape.ts'
import { spaceName } from '../contract/control/spaces.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import type { Envelope, OtherError } from '../contract/records.ts'
import { isObject } from '../shared/is-object.ts'
import { ForeignAnswer, type HttpAnswer, UnusableAnswer } from './http.ts'
import { asText, objectsIn, parseJson } from './tolerant.ts'

/** Limits for reading the refusal of a stream or a file: bytes and milliseconds. */
export const refusalBounds = { maxBytes: 16 * 1024, timeout: 10_000 }

/** The service refused the request, perhaps with an unknown code. The message is `msg: detail (CODE)`. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal'
  constructor(
    readonly httpStatus: number,
    readonly envelope: Envelope,
    /** Seconds after which to send it again, if the answer says so. */
    readonly retryAfter?: number | undefined,
    /** The only space that the refused token is valid for, if the answer says so. */
    readonly tokenSpace?: string | undefined,
  ) {
    super(refusalText(envelope))
  }

  /** True for HTTP 5xx: whether the request was carried out is not known. Query before you repeat it. */
  get outcomeUnknown(): boolean {
    return this.httpStatus >= 500
  }
}

/** What a C17 means whose `msg` names no parameter, and where the reason stands. */
export const whyBare = ({
  code,
  msg,
  field,
}: Pick<Envelope, 'code' | 'msg' | 'field'>): string | undefined =>
  code === 'C17' && field === undefined && !msg.includes(': ')
    ? 'a parameter or a header is wrong, and the answer does not say which; the log of a sandbox does: `tillbox logs tail`'
    : undefined

/** The `msg` of C17 already contains the field and the detail. */
function refusalText(envelope: Envelope): string {
  const { code, msg, detail = whyBare(envelope) } = envelope
  const parts = detail === undefined || msg.includes(detail) ? [msg] : [msg, detail]
  return `${parts.filter(Boolean).join(': ')} (${code})`.trimStart()
}

/** Deepest nesting of an answer that is read: ours has fewer than 20 levels, and the stack is limited. */
const deepest = 200

/** Longest text of a refusal that is shown; ours are shorter. */
const longestText = 2_000

/** The data of an accepted answer, checked against `shape`. */
export function acceptedData(url: URL, answer: HttpAnswer, shape: Shape): unknown {
  const where = url.origin + url.pathname
  const { status } = answer
  const { data } = acceptedEnvelope(url, answer)
  const why = findMismatch(data, shape)
  if (why !== undefined) throw new UnusableAnswer(where, status, why, idIn(data))
  return data
}

/** The envelope of an accepted answer. */
export function acceptedEnvelope(url: URL, { status, body, headers }: HttpAnswer): Envelope {
  const envelope = parseEnvelope(body)
  if (envelope === undefined) throw new ForeignAnswer(url.origin + url.pathname, status, summary(body))
  if (envelope.code !== '0')
    throw new ServiceRefusal(status, envelope, secondsIn(headers['retry-after']), spaceOfToken(headers))
  return envelope
}

const spaceOfToken = (headers: HttpAnswer['headers']): string | undefined => {
  const named = headers[sandboxHeaders.tokenSpace.toLowerCase()]
  return typeof named === 'string' && spaceName.test(named) ? named : undefined
}

/** Seconds of a Retry-After; undefined for a date or an absent header. */
const secondsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined

/** The envelope of an answer, with every text as a string; undefined for any other answer. */
export function parseEnvelope(body: string): Envelope | undefined {
  const value = parseJson(body)
  if (!isObject(value) || typeof value.code !== 'string' || isUnfit(value, deepest)) return undefined
  const { code, data } = value
  const texts = { msg: readableText(value.msg) ?? '', traceId: readableText(value.traceId) ?? '' }
  const others = othersIn(value.others)
  return {
    code: code.slice(0, longestText),
    ...texts,
    data,
    ...explanationIn(value),
    ...(others.length > 0 && { others }),
  }
}

const mostOthers = 10

/** The additional errors of an answer that have the shape of ours. */
const othersIn = (value: unknown): OtherError[] =>
  objectsIn(value)
    .slice(0, mostOthers)
    .map((other) => ({
      code: readableText(other.code) ?? '',
      msg: readableText(other.msg) ?? '',
      ...explanationIn(other),
    }))

/** The members that explain an error, as far as it has them. */
function explanationIn(
  error: Readonly<Record<string, unknown>>,
): Partial<Record<(typeof explaining)[number], string>> {
  const texts = explaining.map((name) => [name, readableText(error[name])] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
}

const explaining = ['field', 'detail', 'remedy'] as const

/** A value as text for a person: a string as it is, other values as JSON; undefined for null. */
function readableText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return (asText(value) ?? JSON.stringify(value)).slice(0, longestText)
}

/** The transaction id in data that is otherwise unusable. */
const idIn = (data: unknown): string | undefined =>
  (isObject(data) && asText(data.transactionId)?.slice(0, longestText)) || undefined

/** True when a value is nested deeper than `levels`, or has a member `__proto__`. */
const isUnfit = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 ||
    Object.hasOwn(value, '__proto__') ||
    Object.values(value).some((each) => isUnfit(each, levels - 1)))

const summary = (body: string): string =>
  body.trim() === '' ? 'the body is empty' : `it begins with ${JSON.stringify(body.slice(0, 60))}`

import { mismatchOf, type Shape } from '../contract/answer-schemas.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import type { Envelope, OtherError } from '../contract/records.ts'
import { spaceName } from '../contract/sandbox/spaces/space-name.ts'
import { isObject } from '../is-object.ts'
import { NamedError } from '../named-error.ts'
import { ForeignAnswer, type HttpAnswer, UnusableAnswer } from './http.ts'
import { objectsOf, parseJson, textOf } from './tolerant.ts'

/** What is read of an answer that says why there is no stream or file: bytes, and milliseconds. */
export const refusalBounds = { maxBytes: 16 * 1024, timeout: 10_000 }

/** The service refused the request. Its code may be one that we do not know. The message is `msg: detail (CODE)`. */
export class ServiceRefusal extends NamedError {
  static override readonly name = 'ServiceRefusal'
  constructor(
    readonly httpStatus: number,
    readonly envelope: Envelope,
    /** Seconds after which it may be sent again, where the answer says so. */
    readonly retryAfter?: number | undefined,
    /** The one space that the refused token is for, where the answer says so. */
    readonly tokenSpace?: string | undefined,
  ) {
    super(refusalText(envelope))
  }

  /** True for HTTP 5xx: the specification does not say whether the request was carried out. Query before you repeat it. */
  get outcomeUnknown(): boolean {
    return this.httpStatus >= 500
  }
}

/** C17 has the field and its detail in `msg` already. */
function refusalText({ code, msg, detail }: Envelope): string {
  const said = detail === undefined || msg.includes(detail) ? [msg] : [msg, detail]
  return `${said.filter(Boolean).join(': ')} (${code})`.trimStart()
}

/** Levels of lists and objects that an answer may have; ours have fewer than 20, and the stack has an end. */
const deepest = 200

/** Characters that are shown of what a refusal says: ours are shorter, and nobody reads more. */
const longestText = 2_000

/**
 * The data of an accepted answer, which is of that shape. Errors: ServiceRefusal; ForeignAnswer for what is not an envelope;
 * UnusableAnswer for an accepted one with other data.
 */
export function dataOf(url: URL, answer: HttpAnswer, shape: Shape): unknown {
  const where = url.origin + url.pathname
  const { status } = answer
  const { data } = acceptedEnvelope(url, answer)
  const why = mismatchOf(data, shape)
  if (why !== undefined) throw new UnusableAnswer(where, status, why, idIn(data))
  return data
}

/** The envelope of an accepted answer, whatever its data. Errors: ServiceRefusal; ForeignAnswer for what is not an envelope. */
export function acceptedEnvelope(url: URL, { status, body, headers }: HttpAnswer): Envelope {
  const envelope = envelopeOf(body)
  if (envelope === undefined) throw new ForeignAnswer(url.origin + url.pathname, status, summary(body))
  if (envelope.code !== '0')
    throw new ServiceRefusal(status, envelope, secondsIn(headers['retry-after']), spaceOfToken(headers))
  return envelope
}

const spaceOfToken = (headers: HttpAnswer['headers']): string | undefined => {
  const named = headers[sandboxHeaders.tokenSpace.toLowerCase()]
  return typeof named === 'string' && spaceName.test(named) ? named : undefined
}

/** Seconds of a Retry-After; undefined for a date, and where there is none. */
const secondsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined

/** The envelope of an answer with every text in it a text; undefined for anything else. */
export function envelopeOf(body: string): Envelope | undefined {
  const value = parseJson(body)
  if (!isObject(value) || typeof value.code !== 'string' || isUnfit(value, deepest)) return undefined
  const { code, data } = value
  const texts = { msg: said(value.msg) ?? '', traceId: said(value.traceId) ?? '' }
  const others = othersIn(value.others)
  return {
    ...{ code: code.slice(0, longestText), ...texts, data },
    ...explanationIn(value),
    ...(others.length > 0 && { others }),
  }
}

/** Most errors beside the one that answers. */
const mostOthers = 10

/** What else is wrong, as far as it is told in the shape of ours. */
const othersIn = (value: unknown): OtherError[] =>
  objectsOf(value)
    .slice(0, mostOthers)
    .map((other) => ({ code: said(other.code) ?? '', msg: said(other.msg) ?? '', ...explanationIn(other) }))

/** The members that explain an error, those that are there. */
function explanationIn(error: Readonly<Record<string, unknown>>): Partial<Record<Explaining, string>> {
  const texts = explaining.map((name) => [name, said(error[name])] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
}

const explaining = ['field', 'detail', 'remedy'] as const
type Explaining = (typeof explaining)[number]

/** What a value says to a person: its text, or the value as JSON; undefined where it says nothing. */
function said(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return (textOf(value) ?? JSON.stringify(value)).slice(0, longestText)
}

/** The transaction that unusable data tells of all the same. */
const idIn = (data: unknown): string | undefined =>
  (isObject(data) && textOf(data.transactionId)?.slice(0, longestText)) || undefined

/** True when lists and objects stand in each other to more levels than that, or a member has a name that is not a name. */
const isUnfit = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 ||
    Object.hasOwn(value, '__proto__') ||
    Object.values(value).some((each) => isUnfit(each, levels - 1)))

const summary = (body: string): string =>
  body.trim() === '' ? 'the body is empty' : `it begins with ${JSON.stringify(body.slice(0, 60))}`

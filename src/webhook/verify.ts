import { createHmac, timingSafeEqual } from 'node:crypto'
import { signatureHeaders } from './signature.ts'

/** A webhook as it was received: header names in lower case, the body byte for byte. */
export interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What the check says: the webhook is good, or why it is not and what to do. */
export interface Verdict {
  readonly valid: boolean
  readonly why?: string
  readonly remedy?: string
}

/** How old a webhook may be, in milliseconds: what public receivers are advised to allow. */
const tolerance = 5 * 60_000

const good: Verdict = { valid: true }
const bad = (why: string, remedy: string): Verdict => ({ valid: false, why, remedy })

/**
 * Checks a webhook's signature and timestamp, and tells why they do not fit. `others`: secrets that it may have been
 * signed with by mistake.
 */
export function verifyWebhook(
  received: Received,
  secret: string,
  now: number,
  others: readonly string[] = [],
): Verdict {
  const { headers } = received
  if (headers['webhook-signature'] !== undefined) return verifyStandard(received, secret, now, others)
  const [signature, previous] = [headers['x-signature'], headers['x-sandbox-previous-signature']]
  if (signature === undefined || signature === '')
    return bad(
      'the header X-Signature is missing',
      'Read it from the request as it came; a proxy may have dropped it',
    )
  const late = whyStale(headers['x-timestamp'], 'X-Timestamp', 1)
  const stale = typeof late === 'number' ? ageOf(late, now) : late
  const fits = (key: string, body: string) =>
    [signature, ...(previous === undefined ? [] : [previous])].some(
      (each) => same(each, hmac(key, body, 'hex')) || same(each, hmac(key, body, 'base64')),
    )
  if (fits(secret, received.body)) return stale ?? good
  return whyNot(signature, received.body, secret, others, fits)
}

/** Standard Webhooks. */
function verifyStandard(received: Received, secret: string, now: number, others: readonly string[]): Verdict {
  const { headers, body } = received
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (id === undefined) return bad('the header webhook-id is missing', 'Read it from the request as it came')
  const late = whyStale(timestamp, 'webhook-timestamp', 1000)
  if (typeof late !== 'number') return late
  const fits = (key: string, text: string) => {
    const made = signatureHeaders(
      { scheme: 'standard', encoding: 'hex', secrets: [key] },
      { id, at: late, body: text },
    )
    return signatures.split(' ').some((signature) => same(signature, made['webhook-signature'] ?? ''))
  }
  if (fits(secret, body)) return ageOf(late, now) ?? good
  return whyNot(signatures, body, secret, others, fits)
}

function whyNot(
  signature: string,
  body: string,
  secret: string,
  others: readonly string[],
  fits: (key: string, body: string) => boolean,
): Verdict {
  const upper = hmac(secret, body, 'hex').toUpperCase()
  if (same(signature, upper) || same(signature, `sha256=${hmac(secret, body, 'hex')}`))
    return bad(
      'the signature is written in another way than the service does',
      'Compare lower-case hex, without a prefix',
    )
  if (same(signature, hmac(secret, body, 'base64url')))
    return bad('the signature is in base64url', 'Compare plain base64, with padding')
  for (const trimmed of [`${body}\n`, body.replace(/\r?\n$/, '')])
    if (trimmed !== body && fits(secret, trimmed))
      return bad(
        'the body differs by a newline at its end',
        'Sign the bytes as they came; do not trim or add to them',
      )
  for (const text of serialisedAgain(body))
    if (text !== body && fits(secret, text))
      return bad(
        'the body was parsed and written again',
        'Keep the raw body before any JSON parser touches it',
      )
  for (const other of others)
    if (fits(other, body))
      return bad('it was signed with another secret', 'Use the secret that tillbox webhook secret shows')
  return bad(
    'the signature fits neither this secret nor this body',
    'Check the secret with tillbox webhook secret, and that the body is the raw one',
  )
}

/** The same JSON as common libraries write it. */
function serialisedAgain(body: string): string[] {
  try {
    const value = JSON.parse(body) as unknown
    const plain = JSON.stringify(value)
    return [
      plain,
      JSON.stringify(value, null, 2),
      JSON.stringify(value, null, 4),
      plain.replaceAll('/', '\\/'),
      plain.replace(
        /("(?:[^"\\]|\\.)*")|([,:])/g,
        (_, text: string | undefined, mark: string) => text ?? `${mark} `,
      ),
    ]
  } catch {
    return []
  }
}

/** The time in milliseconds, or what is wrong with the header. */
function whyStale(text: string | undefined, header: string, unit: number): number | Verdict {
  if (text === undefined) return bad(`the header ${header} is missing`, 'Read it from the request as it came')
  const at = Number(text) * unit
  return Number.isFinite(at) ? at : bad(`the header ${header} is no time`, 'It is Unix time')
}

function ageOf(at: number, now: number): Verdict | undefined {
  const age = Math.abs(now - at)
  if (age <= tolerance) return undefined
  return bad(
    `it is ${Math.round(age / 1000)} s old, more than 5 minutes`,
    'Refuse it as a replay; or set the clock of the receiving machine',
  )
}

const hmac = (secret: string, body: string, encoding: 'hex' | 'base64' | 'base64url'): string =>
  createHmac('sha256', secret).update(body).digest(encoding)

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

import { createHmac } from 'node:crypto'
import { command } from '../../shared/text/commands.ts'
import { durationInWords } from '../../shared/text/duration-words.ts'
import type {
  SignatureEncoding,
  SignatureScheme,
  Verdict,
  WebhookSecret,
} from '../control/webhook-signing.ts'
import { isSameSecret } from './is-same-secret.ts'
import { signatureHeaders } from './signature.ts'

/** A webhook as it was received: header names in lower case, the body byte for byte. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What is known of the sender. */
export interface Sender {
  /** The secret before the last rotation. */
  readonly previous?: string | undefined
  /** How it signs; left out, with X-Signature. */
  readonly scheme?: SignatureScheme | undefined
  /** How it writes X-Signature; left out, in hex. */
  readonly encoding?: SignatureEncoding | undefined
}

/** What every secret begins with. */
const secretPrefix = 'whsec_'

/** How old a webhook may be, in milliseconds: what public receivers are advised to allow. */
export const webhookTolerance = 5 * 60_000

const good: Verdict = { valid: true }
const unsigned: Verdict = { valid: true, note: 'It carries no signature, and this sandbox signs none' }
const byPrevious = (where: string): Verdict => ({
  valid: true,
  note: `It fits by the previous secret (${where})`,
})

/** The ways of writing, in words. */
const writings = { hex: 'lower-case hex', base64: 'base64' } as const
const bad = (why: string, remedy: string): Verdict => ({ valid: false, why, remedy })
/** The verdict on a signature that fits; `stale`: what is wrong with its time. */
const fitting = (stale: Verdict | undefined, verdict: Verdict): Verdict =>
  stale === undefined ? verdict : { ...stale, why: `the signature fits, but ${stale.why}` }
const missing = (header: string): Verdict =>
  bad(`the header ${header} is missing`, 'Read it from the request as it came; a proxy may have dropped it')

/** Checks a webhook as `verifyWebhook`, by what a sandbox says of its secret. */
export const verdictBy = (
  { secret, previous, signature, signatureEncoding }: WebhookSecret,
  received: WebhookRequest,
  now: number,
): Verdict =>
  verifyWebhook(received, secret, now, {
    previous: previous?.secret,
    scheme: signature,
    encoding: signatureEncoding,
  })

/** Checks a webhook's signature and timestamp as a strict receiver does, and tells why they do not fit. */
export function verifyWebhook(
  received: WebhookRequest,
  secret: string,
  now: number,
  sender: Sender = {},
): Verdict {
  const { headers, body } = received
  const { encoding = 'hex', scheme } = sender
  if (scheme === 'standard' || headers['webhook-signature'] !== undefined)
    return verifyStandard(received, secret, now, sender)
  const [signature, previous] = [headers['x-signature'], headers['x-sandbox-previous-signature']]
  if (signature === undefined && scheme === 'none') return unsigned
  if (!signature) return missing('X-Signature')
  const late = timeIn(headers['x-timestamp'], 'X-Timestamp', 'milliseconds')
  const stale = typeof late === 'number' ? checkAge(late, now) : late
  const made = hmac(secret, body, encoding)
  if (isSameSecret(signature, made)) return fitting(stale, good)
  if (previous !== undefined && isSameSecret(previous, made))
    return fitting(stale, byPrevious('X-Sandbox-Previous-Signature'))
  if (writtenOtherwise(secret, body).some((other) => isSameSecret(signature, other)))
    return bad(
      'the signature is correct, but in another encoding, or with a prefix',
      `Compare ${writings[encoding]}, without a prefix; --signature-encoding checks the other encoding`,
    )
  return whyNot(body, secret, sender, (key, text) => isSameSecret(signature, hmac(key, text, encoding)))
}

/** The right signature in the ways in which it could be written. */
const writtenOtherwise = (secret: string, body: string): string[] => {
  const hex = hmac(secret, body, 'hex')
  return [
    hex,
    hex.toUpperCase(),
    `sha256=${hex}`,
    hmac(secret, body, 'base64'),
    hmac(secret, body, 'base64url'),
  ]
}

/** Standard Webhooks. */
function verifyStandard(received: WebhookRequest, secret: string, now: number, sender: Sender): Verdict {
  const { headers, body } = received
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!signatures) return missing('webhook-signature')
  if (!id) return missing('webhook-id')
  const late = timeIn(timestamp, 'webhook-timestamp', 'seconds')
  if (typeof late !== 'number') return late
  const signatureIndex = (key: string, text: string) => {
    const made = signatureHeaders(
      { scheme: 'standard', encoding: 'hex', secrets: [key] },
      { id, at: late, body: text },
    )
    return signatures
      .split(' ')
      .findIndex((signature) => isSameSecret(signature, made['webhook-signature'] ?? ''))
  }
  const index = signatureIndex(secret, body)
  if (index === 0) return fitting(checkAge(late, now), good)
  if (index > 0) return fitting(checkAge(late, now), byPrevious('not the first of webhook-signature'))
  return whyNot(body, secret, sender, (key, text) => signatureIndex(key, text) >= 0)
}

function whyNot(
  body: string,
  secret: string,
  { previous }: Sender,
  fits: (key: string, body: string) => boolean,
): Verdict {
  if (body === '')
    return bad('the body is empty', 'Check the raw body as it came; something may have read it before')
  for (const text of [`${body}\n`, body.replace(/\r?\n$/, ''), ...serialisedAgain(body)])
    if (text !== body && fits(secret, text))
      return bad(
        'the body was parsed and written again, or differs by a newline at its end',
        'Keep the raw body before any parser touches it; do not trim or add to it',
      )
  if (previous !== undefined && fits(previous, body))
    return bad(
      'it was signed with the secret before the last rotation',
      'Use the secret that `tillbox webhook secret` shows; what was sent before has the old signature',
    )
  if (!secret.startsWith(secretPrefix))
    return bad(
      `the signature fits neither this secret, which does not begin with ${secretPrefix}, nor this body`,
      `Use all that ${command('webhook secret')} shows, ${secretPrefix} included, and the raw body`,
    )
  return bad(
    'the signature fits neither this secret nor this body',
    'Check the secret with `tillbox webhook secret`, and that the body is the raw one',
  )
}

/** The JSON of a body as common libraries would write it again. */
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

/** Unix time of these years, by its unit. */
const unixTimes = { seconds: /^\d{10}$/, milliseconds: /^\d{13}$/ } as const

/** The time in milliseconds, or what is wrong with the header. */
function timeIn(text: string | undefined, header: string, unit: keyof typeof unixTimes): number | Verdict {
  if (!text) return missing(header)
  if (unixTimes[unit].test(text)) return Number(text) * (unit === 'seconds' ? 1000 : 1)
  const [other] = Object.entries(unixTimes).find(([, form]) => form.test(text)) ?? []
  const why = other
    ? `the time in the header ${header} is in ${other}`
    : `cannot read the time in the header ${header}`
  return bad(why, `It must be Unix time in ${unit}`)
}

function checkAge(at: number, now: number): Verdict | undefined {
  const age = Math.abs(now - at)
  if (age <= webhookTolerance) return undefined
  const limit = `more than ${durationInWords(webhookTolerance)}`
  return at > now
    ? bad(
        `its time is ${durationInWords(age)} ahead of this machine, ${limit}`,
        'Set the clock of this machine, or of the one that sent it',
      )
    : bad(
        `it is ${durationInWords(age)} old, ${limit}`,
        'Refuse it as a replay; or set the clock of the receiving machine',
      )
}

const hmac = (secret: string, body: string, encoding: 'hex' | 'base64' | 'base64url'): string =>
  createHmac('sha256', secret).update(body).digest(encoding)

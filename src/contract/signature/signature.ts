import { createHmac } from 'node:crypto'
import type { SignatureEncoding, SignatureScheme } from '../control/webhook-signing.ts'
import { userAgents } from '../headers.ts'

/** How webhooks are signed, and with what. */
export interface Signing {
  readonly scheme: SignatureScheme
  readonly encoding: SignatureEncoding
  /** The application's secrets, the newest first; there are two while the one before is still valid. */
  readonly secrets: readonly string[]
}

/** What is signed: the body byte for byte, the id of the notification, and the wall time in milliseconds. */
export interface SignedContent {
  readonly id: string
  readonly at: number
  readonly body: string
  /** Sent beside it and not signed: the trace of the request that opened the transaction. */
  readonly traceparent?: string | undefined
}

/** The headers of a webhook. docs/api.md#events. assumption: webhook-delivery */
export const webhookHeaders = (signing: Signing, signed: SignedContent): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': userAgents.webhook,
  'X-Client-Request-Id': signed.id,
  'X-Timestamp': String(signed.at),
  ...signatureHeaders(signing, signed),
  ...(signed.traceparent && { traceparent: signed.traceparent }),
})

/** The headers that prove where a webhook comes from. assumption: webhook-signature */
export function signatureHeaders(
  { scheme, encoding, secrets }: Signing,
  signed: SignedContent,
): Record<string, string> {
  const { id, at, body } = signed
  switch (scheme) {
    case 'hmac': {
      const [current, previous] = secrets.map((secret) =>
        createHmac('sha256', secret).update(body).digest(encoding),
      )
      return {
        ...(current && { 'X-Signature': current }),
        ...(previous && { 'X-Sandbox-Previous-Signature': previous }),
      }
    }
    case 'standard': {
      const timestamp = String(Math.floor(at / 1000))
      const signatures = secrets.map((secret) => {
        const hmac = createHmac('sha256', hmacKey(secret))
        return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
      })
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
    }
    case 'none':
      return {}
  }
}

/** Headers made anew for each attempt, in small letters: the time, and what proves the sender. */
const fresh: ReadonlySet<string> = new Set([
  'x-timestamp',
  'x-signature',
  'x-sandbox-previous-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

/** True for a header that a new signature replaces. */
export const isSignatureHeader = (name: string): boolean => fresh.has(name.toLowerCase())

/** Standard Webhooks: the key is what the secret's base64 stands for. */
const hmacKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

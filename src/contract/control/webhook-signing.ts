import * as v from 'valibot'
import { described, named, one, shape, text, whether } from '../answer-kinds.ts'

/** How a webhook is signed. assumption: webhook-signature */
export const signatureSchemes = ['hmac', 'standard', 'none'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

/** Encoding of the HMAC. */
export const signatureEncodings = ['hex', 'base64'] as const
export type SignatureEncoding = (typeof signatureEncodings)[number]

export const webhookSecret = named('WebhookSecret', 'Answer of `webhook-secret` and of its rotation', {
  appId: text,
  secret: text,
  previous: described(
    v.nullable(shape({ secret: text, validUntil: text })),
    'The secret before the last rotation, while it signs, too',
  ),
  signature: one(signatureSchemes),
  signatureEncoding: one(signatureEncodings),
})
export type WebhookSecret = v.InferOutput<typeof webhookSecret>

export const verdict = named(
  'Verdict',
  'What the check of a webhook says: it is good, or why it is not and what to do',
  {
    valid: whether,
    note: v.exactOptional(described(text, 'What to know of a good one')),
    why: v.exactOptional(text),
    remedy: v.exactOptional(text),
  },
)
export type Verdict = v.InferOutput<typeof verdict>

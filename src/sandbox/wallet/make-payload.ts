import { randomBytes, randomUUID } from 'node:crypto'
import type { Wallet } from '../../contract/fields.ts'
import { type AppleData, type ApplePayload, sealApple } from './apple-pay.ts'
import { type GoogleMessage, type GooglePayload, sealGoogle } from './google-pay.ts'

/** Ways to break a payload. `type`: the other wallet's; `truncated`: cut in the middle. */
export const corruptions = ['expired', 'signature', 'truncated', 'type'] as const

/** A way to break a payload. */
export type Corruption = (typeof corruptions)[number]

const day = 86_400_000

/** A payload with a test card, as the wallet would hand it to a merchant's page: JSON text, ready for cardEncryptedData. */
export function makeWalletPayload(
  wallet: Wallet,
  { number = '' }: { readonly number?: string },
  now: number,
  corrupt?: Corruption,
): string {
  const payloadType = corrupt === 'type' ? other[wallet] : wallet
  const until = corrupt === 'expired' ? now - day : now + 7 * day
  const payload = payloadType === 'GOOGLE_PAY' ? googlePayload(number, until) : applePayload(number, until)
  const text = JSON.stringify(corrupt === 'signature' ? withOtherSignature(payload) : payload)
  return corrupt === 'truncated' ? text.slice(0, Math.floor(text.length / 2)) : text
}

const other: Readonly<Record<Wallet, Wallet>> = { GOOGLE_PAY: 'APPLE_PAY', APPLE_PAY: 'GOOGLE_PAY' }

function googlePayload(pan: string, until: number): GooglePayload {
  const message: GoogleMessage = {
    messageExpiration: String(until),
    messageId: randomUUID(),
    paymentMethod: 'CARD',
    paymentMethodDetails: { pan, expirationMonth: 12, expirationYear: 2040, authMethod: 'PAN_ONLY' },
  }
  return sealGoogle(message, until)
}

function applePayload(number: string, until: number): ApplePayload {
  const data: AppleData = {
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: new Date(until).toISOString().slice(2, 10).replaceAll('-', ''),
    currencyCode: '840',
    transactionAmount: 0,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: randomBytes(20).toString('base64'), eciIndicator: '07' },
  }
  return sealApple(data)
}

/** The signature with one byte changed: still well-formed, and wrong. */
function withOtherSignature<T extends { readonly signature: string }>(payload: T): T {
  const bytes = Buffer.from(payload.signature, 'base64')
  const last = bytes.length - 1
  bytes[last] = (bytes[last] ?? 0) ^ 1
  return { ...payload, signature: bytes.toString('base64') }
}

import * as v from 'valibot'
import { reject, rejectField } from '../../contract/errors.ts'
import type { Wallet } from '../../contract/fields.ts'
import type { Card, Catalogue } from '../../domain/fixtures.ts'
import { isObject } from '../../shared/is-object.ts'
import { parseJson, readOr } from '../../shared/read-or.ts'
import { type ApplePayload, isOurApple, isSignedApple, openApple } from './apple-pay.ts'
import { type GooglePayload, isOurGoogle, isSignedGoogle, openGoogle } from './google-pay.ts'

/** The test card of a payload, and a note about the payload, if any. */
export interface ReadPayload {
  readonly card: Card
  readonly note: string | null
}

/** What reading a payload needs. `now`: wall-clock milliseconds. */
interface WalletReading {
  readonly cards: Pick<Catalogue, 'cards' | 'cardNumbered'>
  readonly now: number
  readonly strict: boolean
}

const field = 'cardEncryptedData'
const filled = v.pipe(v.string(), v.minLength(1))

const shapes = {
  GOOGLE_PAY: v.object({
    protocolVersion: filled,
    signature: filled,
    intermediateSigningKey: v.object({
      signedKey: filled,
      signatures: v.pipe(v.array(filled), v.minLength(1)),
    }),
    signedMessage: filled,
  }),
  APPLE_PAY: v.object({
    version: filled,
    data: filled,
    signature: filled,
    header: v.object({ ephemeralPublicKey: filled, publicKeyHash: filled, transactionId: filled }),
  }),
}

/**
 * Reads a wallet's payload. One that `tillbox checkout wallet-payload` made is checked and opened; a real one cannot be,
 * and counts as the first test card. Another shape than the wallet's is noted, or refused when `strict`.
 * assumption: wallets. Errors: C17, SBX_WALLET.
 */
export function readWalletPayload(
  wallet: Wallet,
  text: string,
  { cards: { cards, cardNumbered }, now, strict }: WalletReading,
): ReadPayload {
  const anyCard = cards[0] as Card
  const value = objectIn(text)
  const shaped = v.safeParse(shapes[wallet], value)
  if (!shaped.success) {
    const reason = `is not in the shape of ${wallet} (${v.getDotPath(shaped.issues[0]) ?? 'its members'})`
    if (strict) rejectField(field, reason)
    return { card: anyCard, note: `${field}: ${reason}` }
  }
  const number =
    wallet === 'GOOGLE_PAY' ? fromGoogle(value as GooglePayload, now) : fromApple(value as ApplePayload, now)
  if (number === null) return { card: anyCard, note: null }
  const card = cardNumbered(number)
  return { card: card ?? invalid('its card is not a test card'), note: null }
}

function objectIn(text: string): object {
  const value = parseJson(text)
  if (!isObject(value)) return rejectField(field, 'must be a JSON object, as a string')
  return value
}

/** The card number, or null for a payload that the test wallet did not make. */
function fromGoogle(payload: GooglePayload, now: number): string | null {
  if (!readOr(false, () => isOurGoogle(payload))) return null
  if (!readOr(false, () => isSignedGoogle(payload))) invalid('its signature is wrong')
  const [until, number] = opened(() => {
    const { keyExpiration } = JSON.parse(payload.intermediateSigningKey.signedKey) as {
      keyExpiration: string
    }
    const { messageExpiration, paymentMethodDetails } = openGoogle(payload)
    return [Math.min(Number(keyExpiration), Number(messageExpiration)), String(paymentMethodDetails.pan)]
  })
  refuseExpired(until, now)
  return number
}

function fromApple(payload: ApplePayload, now: number): string | null {
  if (!isOurApple(payload)) return null
  if (!readOr(false, () => isSignedApple(payload))) invalid('its signature is wrong')
  const [until, number] = opened(() => {
    const { applicationExpirationDate, applicationPrimaryAccountNumber } = openApple(payload)
    const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(applicationExpirationDate) ?? []
    const end = Date.UTC(2000 + Number(year), Number(month) - 1, Number(day) + 1)
    return [end, String(applicationPrimaryAccountNumber)]
  })
  refuseExpired(until, now)
  return number
}

/** When it expires, and its card number. */
function opened(open: () => [until: number, number: string]): [until: number, number: string] {
  try {
    return open()
  } catch {
    return invalid('it cannot be decrypted')
  }
}

function refuseExpired(until: number, now: number): void {
  if (until > now) return
  const end = new Date(until)
  invalid(Number.isNaN(end.getTime()) ? 'its expiry cannot be read' : `it expired at ${end.toISOString()}`)
}

const invalid = (detail: string): never => reject('SBX_WALLET', { field, detail })

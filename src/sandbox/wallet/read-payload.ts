import * as v from 'valibot'
import { reject, rejectField } from '../../contract/errors.ts'
import type { Wallet } from '../../contract/fields.ts'
import type { Card, Catalogue } from '../../domain/fixtures.ts'
import { isObject } from '../../shared/is-object.ts'
import { parseJson } from '../../shared/read-or.ts'
import { testSignature } from './test-token.ts'

/** The test card of a payload, and a note about the payload, if any. */
export interface ReadPayload {
  readonly card: Card
  readonly note: string | null
}

/** What reading a payload needs. `now`: wall-clock milliseconds. */
interface WalletReading {
  readonly cards: Pick<Catalogue, 'cards' | 'cardNamed'>
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
 * Reads a wallet's payload. One that `tillbox checkout wallet-payload` made is checked; a real one cannot be
 * opened, and counts as the first test card. Another shape than the wallet's is noted, or refused when
 * `strict`. assumption: wallets
 */
export function readWalletPayload(
  wallet: Wallet,
  text: string,
  { cards: { cards, cardNamed }, now, strict }: WalletReading,
): ReadPayload {
  const anyCard = cards[0] as Card
  const shaped = v.safeParse(shapes[wallet], objectIn(text))
  if (!shaped.success) {
    const reason = `is not in the shape of ${wallet} (${v.getDotPath(shaped.issues[0]) ?? 'its members'})`
    if (strict) rejectField(field, reason)
    return { card: anyCard, note: `${field}: ${reason}` }
  }
  const payload = shaped.output
  const token = parseJson('data' in payload ? payload.data : payload.signedMessage)
  if (!isObject(token) || token.testCard === undefined) return { card: anyCard, note: null }
  if (payload.signature !== testSignature) invalid('its signature is wrong')
  refuseExpired(textIn(token.expires), now)
  const card = cardNamed(textIn(token.testCard))
  return { card: card?.number === undefined ? invalid('its card is not a test card') : card, note: null }
}

function objectIn(text: string): object {
  const value = parseJson(text)
  if (!isObject(value)) return rejectField(field, 'must be a JSON object, as a string')
  return value
}

/** Empty for what is no text: JSON may hold a `toString` that cannot be called. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function refuseExpired(expires: string, now: number): void {
  const until = new Date(expires)
  if (until.getTime() > now) return
  invalid(
    Number.isNaN(until.getTime()) ? 'its expiry cannot be read' : `it expired at ${until.toISOString()}`,
  )
}

const invalid = (detail: string): never => reject('SBX_WALLET', { field, detail })

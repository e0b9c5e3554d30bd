import type { Wallet } from '../../contract/fields.ts'
import { type TestToken, testSignature } from './test-token.ts'

/** Ways to break a payload. `type`: the other wallet's; `truncated`: cut in the middle. */
export const corruptions = ['expired', 'signature', 'truncated', 'type'] as const

/** A way to break a payload. */
export type Corruption = (typeof corruptions)[number]

const day = 86_400_000

/** A payload with a test card, in the members of the wallet's: JSON text for cardEncryptedData. */
export function makeWalletPayload(
  wallet: Wallet,
  card: { readonly name: string },
  now: number,
  corrupt?: Corruption,
): string {
  const until = corrupt === 'expired' ? now - day : now + 7 * day
  const token: TestToken = { testCard: card.name, expires: new Date(until).toISOString() }
  const signature = corrupt === 'signature' ? 'WRONG' : testSignature
  const text = JSON.stringify(payloads[corrupt === 'type' ? other[wallet] : wallet](token, signature))
  return corrupt === 'truncated' ? text.slice(0, Math.floor(text.length / 2)) : text
}

const other: Readonly<Record<Wallet, Wallet>> = { GOOGLE_PAY: 'APPLE_PAY', APPLE_PAY: 'GOOGLE_PAY' }

const payloads: Readonly<Record<Wallet, (token: TestToken, signature: string) => object>> = {
  GOOGLE_PAY: (token, signature) => ({
    protocolVersion: 'ECv2',
    signature,
    intermediateSigningKey: {
      signedKey: JSON.stringify({
        keyValue: testSignature,
        keyExpiration: String(Date.parse(token.expires)),
      }),
      signatures: [testSignature],
    },
    signedMessage: JSON.stringify(token),
  }),
  APPLE_PAY: (token, signature) => ({
    version: 'EC_v1',
    data: JSON.stringify(token),
    signature,
    header: { ephemeralPublicKey: testSignature, publicKeyHash: testSignature, transactionId: testSignature },
  }),
}

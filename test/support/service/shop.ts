import type { Wallet } from '../../../src/contract/fields.ts'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { makeWalletPayload } from '../../../src/sandbox/wallet/make-payload.ts'
import { type Service, sale } from './service.ts'

/** Online payments through the service. */

/** The header that asks for an outcome. */
export const asking = (outcome: string | null): Record<string, string | null> => ({
  'X-Sandbox-Outcome': outcome,
})

/** A payload with that test card. */
export function payloadOf(wallet: Wallet, card = 'visa-contactless', now = Date.now()): string {
  const found = builtIn.cardNamed(card)
  if (found === undefined) throw new Error(`there is no card ${card}`)
  return makeWalletPayload(wallet, found, now)
}

/** A direct payment as the specification shapes it. */
export const walletSale = (amount: number, more: object = {}): object =>
  sale(amount, { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: payloadOf('GOOGLE_PAY'), ...more })

/** Opens a session and returns its answer. */
export async function openSession({ call }: Service, outcome: string | null = null, request = sale(1000)) {
  const { code, data } = await call('create-session', request, asking(outcome))
  if (code !== '0') throw new Error(`no session: ${code}`)
  return data as { sessionId: string; checkoutUrl: string; transactionRequestId: string; expiresAt: string }
}

/** What a shopper does on the page, through the control interface. */
export const payAsShopper = ({ control }: Service, sessionId: string, card = 'visa-contactless') =>
  control('POST', `sessions/${sessionId}/pay`, { card })

export const giveUp = ({ control }: Service, sessionId: string) =>
  control('POST', `sessions/${sessionId}/cancel`)

/** Where a session stands. */
export const sessionViewOf = async ({ control }: Service, sessionId: string) =>
  (await control('GET', `sessions/${sessionId}`)).data

/** The id of a direct payment that succeeded. */
export const paidOnline = async ({ call }: Service, amount = 1000, more: object = {}): Promise<string> =>
  (await call('direct-payment', walletSale(amount, more))).data.transactionId

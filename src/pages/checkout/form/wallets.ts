import { makeWalletPayload } from '../../../wallet/make-payload.ts'
import { readWalletPayload, type Wallet } from '../../../wallet/read-payload.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import { offeredCards } from './offered-cards.ts'

/** The wallets that the page offers, as people call them. */
export const wallets: readonly { readonly wallet: Wallet; readonly name: string }[] = [
  { wallet: 'GOOGLE_PAY', name: 'Google Pay' },
  { wallet: 'APPLE_PAY', name: 'Apple Pay' },
]

/** The wallet of the pressed button; undefined for none or an unknown one. */
export const walletIn = (fields: Readonly<Record<string, string>>): Wallet | undefined =>
  wallets.find(({ wallet }) => wallet === fields.wallet)?.wallet

/**
 * Name of the card that the test wallet pays with: its payload is made as the wallet's SDK would hand it over, and read
 * as one of a direct payment. assumption: checkout-wallets. Errors: Refusal.
 */
export function payloadCard(
  { catalogue, clock }: Pick<PagesContext, 'catalogue' | 'clock'>,
  wallet: Wallet,
): string {
  const [card] = offeredCards(catalogue)
  const now = clock.wall()
  const payload = makeWalletPayload(wallet, card ?? {}, now)
  return readWalletPayload(wallet, payload, { cards: catalogue, now, strict: true }).card.name
}

import type { Wallet } from '../../../wallet/read-payload.ts'

/** The wallets that the page offers, as people call them. */
export const wallets: readonly { readonly wallet: Wallet; readonly name: string }[] = [
  { wallet: 'GOOGLE_PAY', name: 'Google Pay' },
  { wallet: 'APPLE_PAY', name: 'Apple Pay' },
]

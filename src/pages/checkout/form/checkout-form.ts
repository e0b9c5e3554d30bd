import type { Catalogue } from '../../../fixtures.ts'
import { makeWalletPayload } from '../../../wallet/make-payload.ts'
import { readWalletPayload, type Wallet } from '../../../wallet/read-payload.ts'
import type { PagesContext } from '../../frame/page-view.tsx'
import { typedFields } from './card-checks.ts'

/** The fields of the form; other posted fields are ignored. */
export const checkoutFields = ['choice', ...typedFields] as const
type CheckoutField = (typeof checkoutFields)[number]

/** A test card that the page offers. */
export interface OfferedCard {
  readonly name: string
  readonly number: string
  readonly network: string
  /** What paying with it comes to: `approved`, or the message of its decline. */
  readonly outcome: string
}

/** The shopper's input and its errors, never a card number. */
export interface CheckoutForm {
  readonly values: { readonly choice?: string; readonly holder?: string; readonly expiry?: string }
  readonly errors: Readonly<Partial<Record<CheckoutField, string>>>
}

/** Every test card that can pay online: the approved ones, then the declined ones. */
export function offeredCards({ cards, outcomeNamed }: Catalogue): readonly OfferedCard[] {
  const offered = cards.flatMap(
    ({ category, name, number, paymentMethod: network, outcome }): OfferedCard[] =>
      category !== 'CARD' || number === undefined
        ? []
        : [
            {
              name,
              number,
              network,
              outcome: outcome ? (outcomeNamed(outcome)?.message ?? outcome) : 'approved',
            },
          ],
  )
  return [
    ...offered.filter(({ outcome }) => outcome === 'approved'),
    ...offered.filter(({ outcome }) => outcome !== 'approved'),
  ]
}

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
 * as one of a direct payment. assumption: wallets. Errors: Refusal.
 */
export function payloadCard({ catalogue, clock }: PagesContext, wallet: Wallet): string {
  const [card] = offeredCards(catalogue)
  const now = clock.wall()
  const payload = makeWalletPayload(wallet, card ?? {}, now)
  return readWalletPayload(wallet, payload, { cards: catalogue, now, strict: true }).card.name
}

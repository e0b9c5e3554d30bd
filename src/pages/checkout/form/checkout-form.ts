import type { Wallet } from '../../../contract/fields.ts'
import { statusLetters } from '../../../contract/statuses.ts'
import type { Catalogue } from '../../../domain/fixtures.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { momentsOf } from '../../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { mostTries } from '../../../domain/rules/terminal/host.ts'
import { sessionState } from '../../../sandbox/control/sessions.ts'
import type { ReadableClock } from '../../../sandbox/engine/identifiers.ts'
import type { Values } from '../../frame/page-view.tsx'
import { cardDigits, cardProblems, looksLikeNumber, typedFields } from './card-checks.ts'

/** The fields of the form; other posted fields are ignored. */
export const checkoutFields = ['choice', ...typedFields] as const
type CheckoutField = (typeof checkoutFields)[number]

/** The shopper's input and its errors, never a card number. */
export interface CheckoutForm {
  readonly values: { readonly choice?: string; readonly holder?: string; readonly expiry?: string }
  readonly errors: Readonly<Partial<Record<CheckoutField, string>>>
}

/** A test card that the page offers. */
export type OfferedCard = Readonly<ReturnType<typeof offeredCards>[number]>

/** Every test card that can pay online: the approved ones, then the declined ones. */
export function offeredCards({ cards, outcomeNamed }: Catalogue) {
  const offered = cards.flatMap(({ category, name, number, paymentMethod: network, outcome: declines }) => {
    if (category !== 'CARD' || number === undefined) return []
    /** What paying with it comes to: `approved`, or the message of its decline. */
    const outcome = declines ? (outcomeNamed(declines)?.message ?? declines) : 'approved'
    return { name, number, network, outcome }
  })
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
export const walletIn = (fields: Values): Wallet | undefined =>
  wallets.find(({ wallet }) => wallet === fields.wallet)?.wallet

/** Content of the hosted page for a transaction. Amounts in minor units of `currency`; times in ms. */
export function checkoutView(ledger: Ledger, transaction: Transaction, name: string, clock: ReadableClock) {
  const { online, cardRead: card } = transaction
  return {
    sessionId: online?.sessionId ?? '',
    state: sessionState(transaction),
    merchantName: name || ledger.settings.merchantId,
    referenceOrderId: transaction.orderId,
    description: transaction.description,
    currency: transaction.currency,
    orderAmount: transaction.order,
    taxAmount: transaction.tax,
    surchargeAmount: transaction.surcharge,
    tipAmount: transaction.tip,
    totalAmount: amountOf(transaction),
    products: online?.products ?? [],
    /** Tries that are left, of three. */
    triesLeft: mostTries - (online?.tries ?? 0),
    /** The host's answer to the last try, if it was declined. */
    declined: online?.declined ?? null,
    expiresAt: transaction.expiresAt ?? 0,
    /** Sandbox time now. */
    now: clock.now(),
    /** How many times as fast as the wall clock it passes. */
    speed: clock.speed,
    /** True while that stands: nothing expires. */
    isFrozen: clock.frozen,
    /** True when the merchant ended it before its time. */
    isEndedByShop: momentsOf(transaction).some(
      ({ what, detail }) => what === 'closed' && detail === 'expired',
    ),
    transactionId: transaction.id,
    maskedPan: card?.maskedPan ?? null,
    cardNetwork: card?.paymentMethod ?? null,
    wallet: online?.wallet ?? null,
    /** Where the browser goes when it is over, with the result in its query; null: no such URL. */
    returnUrl: returnUrlOf(transaction),
    collectsBillingAddress: online?.collectsBillingAddress ?? false,
    collectsShippingAddress: online?.collectsShippingAddress ?? false,
  }
}

/** Content of the hosted page of a session. */
export type CheckoutView = Readonly<ReturnType<typeof checkoutView>>

/** Milliseconds of the wall clock until it expires. */
export const timeLeftOf = ({ expiresAt, now, speed }: CheckoutView): number => (expiresAt - now) / speed

/** The merchant's address with the result in its query. assumption: checkout */
function returnUrlOf({ online, status, ...ids }: Transaction): string | null {
  if (online?.returnUrl == null) return null
  const url = new URL(online.returnUrl)
  url.searchParams.set('status', statusLetters[status])
  url.searchParams.set('transactionId', ids.id)
  url.searchParams.set('transactionRequestId', ids.transactionRequestId)
  if (ids.orderId !== null) url.searchParams.set('referenceOrderId', ids.orderId)
  url.searchParams.set('sessionId', online.sessionId ?? '')
  return url.href
}

/** The choice for a typed card number. */
export const typedCardChoice = 'typed'

/** A test card by name, or what was typed with its errors. */
type ReadForm = { readonly card: string } | CheckoutForm

/** Converts the posted fields to the name of a test card, or to the errors of the fields. */
export function readCheckoutForm(fields: Values, cards: readonly OfferedCard[], now: number): ReadForm {
  const values = redisplayable(fields, cards)
  const { number = '' } = fields
  const numberTyped = number.trim() !== ''
  const preset = cards[0]?.name // chosen by the page
  const choice = numberTyped && fields.choice === preset ? typedCardChoice : (fields.choice ?? '')
  if (choice === typedCardChoice || (choice === '' && numberTyped)) return readTyped(fields, cards, now)
  if (choice === '') return { values, errors: { choice: 'Choose a card to pay with.' } }
  if (!isOffered(choice, cards))
    return { values, errors: { choice: 'There is no such test card. Choose one of these.' } }
  return numberTyped ? { values, errors: { choice: eitherOr } } : { card: choice }
}

/** Without scripts both can be filled in; asking is better than charging the wrong card. */
const eitherOr = 'You chose a test card and typed a number as well. Choose the card you want to pay with.'

function readTyped(fields: Values, cards: readonly OfferedCard[], now: number): ReadForm {
  const { number = '', expiry = '', securityCode = '', holder = '' } = fields
  const names = new Map(cards.map((card) => [card.number, card.name]))
  const testNumbers = new Set(names.keys())
  const problems = cardProblems({ number, expiry, securityCode, holder }, testNumbers, now)
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
  const card = names.get(cardDigits(number))
  if (card !== undefined && Object.keys(errors).length === 0) return { card }
  return { values: { ...redisplayable(fields, cards), choice: typedCardChoice }, errors }
}

/** What may be shown again: never what could be a card number, whichever field it was typed into. */
function redisplayable(
  { choice = '', expiry = '', holder = '' }: Values,
  cards: readonly OfferedCard[],
): CheckoutForm['values'] {
  return {
    ...((isOffered(choice, cards) || choice === typedCardChoice) && { choice }),
    ...(/^[\d\s/-]{1,9}$/.test(expiry) && { expiry }),
    ...(holder !== '' && holder.length <= 256 && !looksLikeNumber(holder) && { holder }),
  }
}

const isOffered = (choice: string, cards: readonly OfferedCard[]): boolean =>
  cards.some(({ name }) => name === choice)

import { type Card, cardNamed, cards } from '../fixtures.ts'
import type { Terminal } from './ledger.ts'
import type { Transaction, Wishes } from './transaction.ts'

/** What the terminal read. Only the masked number ever leaves the fixture. */
export interface CardRead {
  readonly maskedPan: string | null
  readonly cardNetworkType: string
  readonly paymentMethod: string
  readonly subPaymentMethod: string | null
  readonly entryMode: string | null
  readonly authenticationMethod: string
}

/** What was read of the card that was presented, or null before that. assumption: online-card */
export function cardReadOf({ card, online }: Transaction): CardRead | null {
  const read = reads.get(card ?? '') ?? null
  if (online === null || read === null) return read
  const { wallet: subPaymentMethod } = online
  return { ...read, subPaymentMethod, entryMode: null, authenticationMethod: 'NOT_AUTHENTICATED' }
}

/** The card that a person would present: the terminal's own, else the first that fits what the request asks for. */
export function cardFor(terminal: Terminal, wishes: Wishes | null): Card {
  const own = terminal.profile.card === undefined ? undefined : cardNamed(terminal.profile.card)
  return own ?? cards.find((card) => fits(card, wishes)) ?? (cards[0] as Card)
}

function fits(card: Card, wishes: Wishes | null): boolean {
  if (card.outcome !== undefined) return false
  const [category, type] = wishes?.category?.split('-') ?? []
  if (category !== undefined && card.category !== category) return false
  if (category === 'CARD' && type !== undefined && card.cardNetworkType !== type) return false
  if (wishes?.method !== undefined && category !== 'CARD' && card.paymentMethod !== wishes.method)
    return false
  const network = wishes?.cardNetworkType
  return network === undefined || network === 'UNKNOWN' || card.cardNetworkType === network
}

function readCard(card: Card): CardRead {
  return {
    maskedPan: card.number === undefined ? null : maskPan(card.number),
    cardNetworkType: card.cardNetworkType,
    paymentMethod: card.paymentMethod,
    subPaymentMethod: card.subPaymentMethod ?? null,
    entryMode: card.entryMode,
    authenticationMethod: card.authenticationMethod,
  }
}

/** First six and last four digits. spec: Transaction record, maskedPan */
function maskPan(number: string): string {
  return number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4)
}

const reads = new Map(cards.map((card) => [card.name, readCard(card)]))

import { type Card, cards, outcomeNamed } from '../../../fixtures.ts'
import type { OfferedCard } from './checkout-view.ts'

const isOffered = (card: Card): card is Card & { readonly number: string } =>
  card.category === 'CARD' && card.number !== undefined

const offer = ({
  name,
  number,
  paymentMethod,
  outcome,
}: Card & { readonly number: string }): OfferedCard => ({
  name,
  number,
  network: paymentMethod,
  outcome: outcome === undefined ? 'approved' : (outcomeNamed(outcome)?.message ?? outcome),
})

const offered = cards.filter(isOffered).map(offer)

const names = new Set(offered.map(({ name }) => name))

/** Every test card that can pay online: the approved ones, then the declined ones. */
export const offeredCards = (): readonly OfferedCard[] => [
  ...offered.filter(({ outcome }) => outcome === 'approved'),
  ...offered.filter(({ outcome }) => outcome !== 'approved'),
]

/** True for the name of a card that is offered. */
export const isOfferedCard = (name: string): boolean => names.has(name)

/** Numbers that may be typed, with the names of their cards. */
export const offeredNumbers: ReadonlyMap<string, string> = new Map(
  offered.map(({ number, name }) => [number, name]),
)

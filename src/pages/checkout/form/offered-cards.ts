import { cards, outcomeNamed } from '../../../fixtures.ts'
import type { OfferedCard } from './checkout-form.ts'

const offered = cards.flatMap(({ category, name, number, paymentMethod: network, outcome }): OfferedCard[] =>
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

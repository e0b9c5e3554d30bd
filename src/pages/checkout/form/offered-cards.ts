import type { Catalogue } from '../../../fixtures.ts'
import type { OfferedCard } from './checkout-form.ts'

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

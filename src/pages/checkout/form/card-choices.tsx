import type { PropsWithChildren } from 'hono/jsx'
import { Fold } from '../../components/basics.tsx'
import { NetworkMark } from '../../components/network-mark.tsx'
import { networkName } from '../../components/network-names.ts'
import { groupDigits } from './card-digits.ts'
import type { OfferedCard } from './checkout-form.ts'

/** Declined cards among the first: the usual reason, and one that shoppers can act on. */
const firstDeclined = ['visa-declined', 'visa-insufficient-funds']

/** The test cards in the order the page shows them: one of each network and two declined, the others of both. */
export function groupCards(offered: readonly OfferedCard[]) {
  const approved = offered.filter(({ outcome }) => outcome === 'approved')
  const isFirst = ({ network }: OfferedCard, index: number) =>
    approved.findIndex((card) => card.network === network) === index
  const declined = offered.filter(({ outcome }) => outcome !== 'approved')
  const isPromoted = ({ name }: OfferedCard) => firstDeclined.includes(name)
  return {
    first: [...approved.filter(isFirst), ...declined.filter(isPromoted)],
    more: approved.filter((card, index) => !isFirst(card, index)),
    declined: declined.filter((card) => !isPromoted(card)),
  }
}

interface ChoicesProps {
  readonly cards: readonly OfferedCard[]
  readonly chosen: string | undefined
}

/** Tiles of test cards, one of which can be selected. Children are appended as another tile. */
export const CardTiles = ({ cards, chosen, children }: PropsWithChildren<ChoicesProps>) => (
  <div class="tiles stack gap-2">
    {cards.map((card) => cardTile(card, card.name === chosen))}
    {children}
  </div>
)

/** Tiles that are folded away until they are asked for, or one of them is the chosen one. */
export const FoldedTiles = ({ summary, cards, chosen }: ChoicesProps & { readonly summary: string }) =>
  cards.length === 0 ? null : (
    <Fold summary={summary} open={cards.some(({ name }) => name === chosen)}>
      <CardTiles cards={cards} chosen={chosen} />
    </Fold>
  )

const cardTile = (card: OfferedCard, chosen: boolean) => (
  <label class="tile pressable lined round-m pad-2-3 row gap-3">
    <input type="radio" name="choice" value={card.name} checked={chosen} data-number={card.number} />
    <NetworkMark network={card.network} />
    <span class="stack shrinks">
      <span class="tile-number small medium tabular">{groupDigits(card.number)}</span>
      <span class="tile-note note">
        {networkName(card.network)}
        <span> · </span>
        {card.outcome === 'approved' ? (
          <span class="approved">Approved</span>
        ) : (
          <span class="declined">
            <span class="visually-hidden">Declined: </span>
            {card.outcome}
          </span>
        )}
      </span>
    </span>
  </label>
)

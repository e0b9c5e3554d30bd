import type { CardChoice, ScreenView } from '../../contract/sandbox/screens.ts'
import type { Catalogue } from '../../fixtures.ts'
import { cardChoices } from '../../records/screen-view.ts'
import { Fold } from '../components/basics.tsx'
import { CommandWords } from '../components/command.tsx'
import { Icon } from '../components/icons.tsx'
import { CardFace } from './screens/card-face.tsx'
import { WorkbenchForm } from './screens/forms.tsx'
import { cardAndEntry } from './terminal-actions.ts'

interface CardPickerProps {
  readonly view: ScreenView
  readonly catalogue: Catalogue
  /** That starts a payment here. */
  readonly command: string
}

/** The cards that can be presented now, each in its ways; at rest, how a payment is started. */
export const CardPicker = ({ view, catalogue, command }: CardPickerProps) =>
  view.cards.length > 0 && view.acts.includes('present') ? (
    <Cards view={view} catalogue={catalogue} />
  ) : (
    <AtRest view={view} catalogue={catalogue} command={command} />
  )

const Cards = ({ view, catalogue }: Omit<CardPickerProps, 'command'>) => {
  const { first, more, declined } = groupCards(view.cards, catalogue)
  return (
    <WorkbenchForm view={view} act="present" className="card-picker">
      <h2 class="body-size below-3">Cards</h2>
      <Row cards={first} catalogue={catalogue} />
      <FoldedRow what="more" cards={more} catalogue={catalogue} />
      <FoldedRow what="declined" cards={declined} catalogue={catalogue} />
    </WorkbenchForm>
  )
}

interface RowProps {
  readonly cards: readonly CardChoice[]
  readonly catalogue: Catalogue
}

const FoldedRow = ({ what, cards, catalogue }: RowProps & { readonly what: string }) =>
  cards.length === 0 ? null : (
    <Fold summary={`${cards.length} ${what}`}>
      <Row cards={cards} catalogue={catalogue} />
    </Fold>
  )

/** One approved card of each network and entry mode, always shown. */
function cardsAtHand(catalogue: Catalogue): readonly CardChoice[] {
  const approved = cardChoices(catalogue, null, 'present-card').filter(({ outcome }) => outcome === null)
  const firsts = new Map<string, CardChoice>()
  for (const card of approved) {
    const kind = `${card.network} ${card.entries[0]}`
    if (!firsts.has(kind)) firsts.set(kind, card)
  }
  return [...firsts.values()]
}

/** Those at hand, the other approved ones, the declined. */
function groupCards(cards: readonly CardChoice[], catalogue: Catalogue) {
  const namesAtHand = new Set(cardsAtHand(catalogue).map(({ name }) => name))
  const good = cards.filter(({ outcome }) => outcome === null)
  const first = good.filter(({ name }) => namesAtHand.has(name))
  return {
    first: first.length === 0 ? good : first,
    more: first.length === 0 ? [] : good.filter(({ name }) => !namesAtHand.has(name)),
    declined: cards.filter(({ outcome }) => outcome !== null),
  }
}

const Row = ({ cards, catalogue }: RowProps) => (
  <ul class="cards">
    {cards.map((card) => (
      <li class="card-choice" data-card={card.name}>
        {waysOf(card, catalogue)}
      </li>
    ))}
  </ul>
)

const words = { tap: 'Tap', insert: 'Insert', swipe: 'Swipe', key: 'Key in', scan: 'Scan' } as const

/** A card with a button for each way to present it. */
function waysOf(card: CardChoice, { outcomeNamed, cardNamed }: Catalogue) {
  const [own, ...others] = card.entries
  const declines = outcomeNamed(card.outcome ?? '')
  if (own === undefined) return null
  return (
    <>
      <button
        class="card-choice-button text-start block wide relative"
        type="submit"
        name="card"
        value={cardAndEntry(card.name, own)}
      >
        <CardFace card={card} known={cardNamed(card.name)} />
        <span class="card-choice-entry round row smallest bold absolute">
          <Icon name={own} />
          {words[own]}
        </span>
      </button>
      {declines !== undefined && (
        <p class="bad smaller above-1">
          <span class="code">{declines.code}</span> {declines.message}
        </p>
      )}
      {others.length > 0 && (
        <p class="flex gap-1 above-1">
          {others.map((entry) => (
            <button
              class="card-choice-other pad-0-2 round note medium grows h-2"
              type="submit"
              name="card"
              value={cardAndEntry(card.name, entry)}
            >
              {words[entry]}
              <span class="visually-hidden"> {card.name}</span>
            </button>
          ))}
        </p>
      )}
    </>
  )
}

const AtRest = ({ view: { mode, transaction }, catalogue, command }: CardPickerProps) => (
  <div class="card-picker">
    <h2 class="body-size below-3">Cards</h2>
    {mode === 'auto' ? (
      <p class="card-picker-note lined round-m stack soft small on-paper">
        This terminal presents cards automatically. Switch it to attended to present them yourself.
      </p>
    ) : transaction === null ? (
      <div class="card-picker-note lined round-m stack soft small on-paper">
        <p>You can present a card once a payment arrives. Start one:</p>
        <p class="above-2 pad-2-3 round-s ink on-sunken code">
          <CommandWords text={command} />
        </p>
      </div>
    ) : (
      <p class="card-picker-note lined round-m stack soft small on-paper card-picker-short">
        This screen takes no card.
      </p>
    )}
    <ul class="cards cards-at-rest no-pointer" aria-hidden="true">
      {cardsAtHand(catalogue).map((card) => (
        <li>
          <CardFace card={card} known={catalogue.cardNamed(card.name)} />
          {card.entries.length > 1 && <p class="flex gap-1 above-1 h-2" />}
        </li>
      ))}
    </ul>
  </div>
)

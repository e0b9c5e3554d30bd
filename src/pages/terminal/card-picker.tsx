import type { CardChoice, ScreenView } from '../../contract/sandbox/screens.ts'
import { outcomeNamed } from '../../fixtures.ts'
import { addressed } from '../../presentation/copy-as.ts'
import { cardChoices } from '../../records/screen.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { Fold } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { ActionForm } from './screens/action-form.tsx'
import { CardFace } from './screens/card-face.tsx'
import { cardAndEntry } from './terminal-actions.ts'

interface CardPickerProps {
  readonly view: ScreenView
  /** Where the browser reached the sandbox. */
  readonly origin: string
}

/** The cards that can be presented now, each in its ways; at rest, how a payment is started. */
export const CardPicker = ({ view, origin }: CardPickerProps) =>
  view.cards.length > 0 && view.acts.includes('present') ? (
    <Cards view={view} />
  ) : (
    <AtRest view={view} origin={origin} />
  )

const Cards = ({ view }: { readonly view: ScreenView }) => {
  const { first, more, declined } = groupCards(view.cards)
  return (
    <ActionForm view={view} act="present" className="card-picker card-picker-open">
      <h2 class="card-picker-title">Cards</h2>
      <Row cards={first} />
      <FoldedRow what="more" cards={more} />
      <FoldedRow what="declined" cards={declined} />
    </ActionForm>
  )
}

const FoldedRow = ({ what, cards }: { readonly what: string; readonly cards: readonly CardChoice[] }) =>
  cards.length === 0 ? null : (
    <Fold summary={`${cards.length} ${what}`}>
      <Row cards={cards} />
    </Fold>
  )

/** They lie there, whether they are asked for or not. */
const everyCard = cardChoices(null, 'present-card')
const approved = everyCard.filter(({ outcome }) => outcome === null)
const kind = ({ network, entries }: CardChoice) => `${network} ${entries[0]}`

/** One approved card of each network and way. */
const atHand = approved.filter(
  (card, index) => approved.findIndex((other) => kind(other) === kind(card)) === index,
)
const namesAtHand = new Set(atHand.map(({ name }) => name))

/** Those at hand, the other approved ones, the declined. */
function groupCards(cards: readonly CardChoice[]) {
  const good = cards.filter(({ outcome }) => outcome === null)
  const first = good.filter(({ name }) => namesAtHand.has(name))
  return {
    first: first.length === 0 ? good : first,
    more: first.length === 0 ? [] : good.filter(({ name }) => !namesAtHand.has(name)),
    declined: cards.filter(({ outcome }) => outcome !== null),
  }
}

const Row = ({ cards }: { readonly cards: readonly CardChoice[] }) => (
  <ul class="cards">
    {cards.map((card) => (
      <li class="card-choice" data-card={card.name}>
        {waysOf(card)}
      </li>
    ))}
  </ul>
)

const words = { tap: 'Tap', insert: 'Insert', swipe: 'Swipe', key: 'Key in', scan: 'Scan' } as const

/** A card with a button for each way to present it. */
function waysOf(card: CardChoice) {
  const [own, ...others] = card.entries
  const declines = outcomeNamed(card.outcome ?? '')
  if (own === undefined) return null
  return (
    <>
      <button class="card-choice-button" type="submit" name="card" value={cardAndEntry(card.name, own)}>
        <CardFace card={card} />
        <span class="card-choice-entry">
          <Icon name={own} />
          {words[own]}
        </span>
      </button>
      {declines !== undefined && (
        <p class="card-choice-note">
          <span class="code">{declines.code}</span> {declines.message}
        </p>
      )}
      {others.length > 0 && (
        <p class="card-choice-others">
          {others.map((entry) => (
            <button
              class="card-choice-other"
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

const AtRest = ({ view: { mode, transaction, terminalSn }, origin }: CardPickerProps) => (
  <div class="card-picker">
    <h2 class="card-picker-title">Cards</h2>
    {mode === 'auto' ? (
      <p class="card-picker-note">
        This terminal presents cards automatically. Switch it to attended to present them yourself.
      </p>
    ) : transaction === null ? (
      <div class="card-picker-note">
        <p>You can present a card once a payment arrives. Start one:</p>
        <p class="command code">
          {addressed(`tillbox sale --amount 12.50 --terminal-sn ${shellQuote(terminalSn)}`, origin)}
        </p>
      </div>
    ) : (
      <p class="card-picker-note">This screen takes no card.</p>
    )}
    <ul class="cards cards-at-rest" aria-hidden="true">
      {atHand.map((card) => (
        <li>
          <CardFace card={card} />
        </li>
      ))}
    </ul>
  </div>
)

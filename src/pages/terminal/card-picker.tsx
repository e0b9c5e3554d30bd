import type { CardChoice } from '../../contract/control/screens.ts'
import type { Card, Catalogue } from '../../domain/fixtures.ts'
import { Fold } from '../components/basics.tsx'
import { AddressedCommand } from '../components/command.tsx'
import { Icon } from '../components/icons.tsx'
import { networkName } from '../components/network-names.ts'
import { WorkbenchForm } from './screens/forms.tsx'
import type { WorkbenchView } from './screens/workbench-view.ts'
import { cardAndEntry } from './terminal-actions.ts'

/** The cards that can be presented now; between two payments, what happens to the next one. */
export const cardPicker = (workbench: WorkbenchView) => {
  const { screen: view, catalogue } = workbench
  if (!view.acts.includes('present')) return hint(workbench)
  const favourites = favouritesAmong(view.cards, catalogue)
  const first = view.cards.filter((card) => favourites.has(card))
  const others = view.cards.filter((card) => !favourites.has(card))
  return (
    <WorkbenchForm view={view} act="present" className="card-picker">
      {row(first, catalogue)}
      {others.length > 0 && <Fold summary={`More: ${others.length} cards`}>{row(others, catalogue)}</Fold>}
    </WorkbenchForm>
  )
}

const mostFavourites = 8

/** The first card of each way to behave; the list fills up with other cards. */
function favouritesAmong(cards: readonly CardChoice[], { cardNamed }: Catalogue): ReadonlySet<CardChoice> {
  const firsts = new Map<string, CardChoice>()
  for (const card of cards) {
    const way =
      card.outcome === null ? `${card.entries[0]} ${cardNamed(card.name)?.authenticationMethod}` : 'declined'
    if (!firsts.has(way)) firsts.set(way, card)
  }
  return new Set([...new Set([...firsts.values(), ...cards])].slice(0, mostFavourites))
}

const row = (cards: readonly CardChoice[], catalogue: Catalogue) => (
  <ul class="cards relative">
    {cards.map((card) => (
      <li class="card-choice" data-card={card.name}>
        {cardButtons(card, catalogue)}
      </li>
    ))}
  </ul>
)

/** A card with a button for each way to present it. */
function cardButtons(card: CardChoice, { outcomeNamed, cardNamed }: Catalogue) {
  const [mainEntry, ...others] = card.entries
  const declines = outcomeNamed(card.outcome ?? '')
  if (mainEntry === undefined) return null
  return (
    <>
      <button
        class="card-choice-button text-start block w-full"
        type="submit"
        name="card"
        value={cardAndEntry(card.name, mainEntry)}
        title={[card.name, declines?.code, declines?.message].filter(Boolean).join(' ')}
      >
        {cardFace(card, cardNamed(card.name), declines?.message)}
      </button>
      {others.length > 0 && (
        <p class="flex gap-1 mt-1">
          {others.map((entry) => (
            <button
              class="min-h-control flex-1 rounded-full border bg-raised text-xs font-medium text-ink-soft hover:border-line-strong hover:text-ink"
              type="submit"
              name="card"
              value={cardAndEntry(card.name, entry)}
            >
              {words[entry]}
              <span class="sr-only"> {card.name}</span>
            </button>
          ))}
        </p>
      )}
    </>
  )
}

const hint = ({ screen: { online, mode, transaction }, command }: WorkbenchView) => {
  if (online && mode === 'auto')
    return (
      <p class="card-hint text-ink-soft text-sm">
        This terminal presents cards automatically. Switch it to attended to present them yourself.
      </p>
    )
  if (online && transaction !== null) return null
  const [what, orElse] = online
    ? ['Type an amount', ', or start a payment from a shell:']
    : [
        <>
          This terminal has no network, as if it were unplugged. Payments wait for it until they expire. Bring
          it back with <strong class="whitespace-nowrap">Go online</strong>
        </>,
        ', or from a shell:',
      ]
  return (
    <p class="card-hint flex items-center flex-wrap gap-2 text-ink-soft text-sm">
      <span class={online ? 'with-scripts' : ''}>
        {what}
        <span>{orElse}</span>
      </span>
      <AddressedCommand text={command} />
    </p>
  )
}

/** The ground of a card, by its network. */
const grounds: Readonly<Record<string, string>> = {
  VISA: '[--card:linear-gradient(135deg,#3d56b0,#1d2b66_70%)]',
  MASTERCARD: '[--card:linear-gradient(135deg,#a34a1f,#5c1f14_70%)]',
  AMEX: '[--card:linear-gradient(135deg,#23768f,#0e3f52_70%)]',
  DISCOVER: '[--card:linear-gradient(135deg,#8f5a10,#4d2d06_70%)]',
  JCB: '[--card:linear-gradient(135deg,#357443,#163c20_70%)]',
  DINERS: '[--card:linear-gradient(135deg,#5d637d,#2d3142_70%)]',
  UNIONPAY: '[--card:linear-gradient(135deg,#9c3258,#4d1230_70%)]',
  EBT: '[--card:linear-gradient(135deg,#2f6f6a,#123b3c_70%)]',
}

/** Class of a card's ground, from its network or from a text that begins with it. */
export const cardLook = (network: string): string =>
  grounds[network.split(' ')[0] ?? ''] ?? '[--card:linear-gradient(135deg,#4b5751,#222a26_70%)]'

/** Ways to present a card. */
const words = { tap: 'Tap', insert: 'Insert', swipe: 'Swipe', key: 'Key in', scan: 'Scan' } as const

const ways: Readonly<Record<string, string>> = {
  CONTACTLESS: 'contactless',
  CONTACT: 'chip',
  SWIPE: 'swipe',
  MANUAL: 'keyed in',
  FALLBACK_SWIPE: 'fallback swipe',
}

const checks: Readonly<Record<string, string>> = { PIN: ' & PIN', SIGNATURE: ' & sign' }

/** Title of a card: `Visa contactless`, `Mastercard chip & sign`, `Visa debit`. */
export function cardTitle(card: Card): string {
  const { category, cardNetworkType, paymentMethod, entryMode, authenticationMethod } = card
  const name = networkName(paymentMethod)
  if (category === 'QR') return name
  if (cardNetworkType === 'DEBIT') return `${name} debit`
  const entryWord = ways[entryMode ?? ''] ?? 'card'
  return `${name} ${entryWord}${entryWord === 'chip' ? (checks[authenticationMethod] ?? '') : ''}`
}

/**
 * A test card, with the way in which it is presented. `fixtureCard`: the card of the fixtures; without it
 * only the name is shown. `declines`: the answer that it is declined with.
 */
const cardFace = (card: CardChoice, fixtureCard?: Card, declines?: string) => {
  const [mainEntry = 'tap'] = card.entries
  return (
    <span class={`card grid ${cardLook(card.network)}`}>
      <span class="leading-snug font-semibold">
        {fixtureCard === undefined ? card.name : cardTitle(fixtureCard)}
      </span>
      {declines !== undefined && <span class="text-[#ffe3dc] leading-snug">{declines}</span>}
      <span class="flex items-center gap-1 font-medium tabular-nums whitespace-nowrap">
        <Icon name={mainEntry} look="w-4" />
        <span class="sr-only">{words[mainEntry]}</span>
        {card.maskedPan === null ? 'QR' : card.maskedPan.slice(-4)}
      </span>
    </span>
  )
}

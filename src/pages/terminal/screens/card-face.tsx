import type { CardChoice } from '../../../contract/sandbox/screens.ts'
import type { Card } from '../../../fixtures.ts'
import { Icon } from '../../components/icons.tsx'
import { networkName } from '../../components/network-names.ts'

const drawn = new Set(['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'DINERS', 'UNIONPAY', 'EBT'])

/** Class of a card's colours, from its network or from a text that begins with it. */
export function cardLook(network: string): string {
  const [name = ''] = network.split(' ')
  return `card-${drawn.has(name) ? name : 'OTHER'}`
}

/** Ways to present a card. */
export const words = { tap: 'Tap', insert: 'Insert', swipe: 'Swipe', key: 'Key in', scan: 'Scan' } as const

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

/** A test card, with the way in which it is presented. `known`: the card of the fixtures; without it only the name is shown. `declines`: the answer that it is declined with. */
export const cardFace = (card: CardChoice, known?: Card, declines?: string) => {
  const [own = 'tap'] = card.entries
  return (
    <span class={`card stack ${cardLook(card.network)}`}>
      <span class="line-1-3 bold">{known === undefined ? card.name : cardTitle(known)}</span>
      {declines !== undefined && <span class="card-declines cut one-line">{declines}</span>}
      <span class="card-number row gap-1 medium tabular one-line">
        <Icon name={own} />
        <span class="visually-hidden">{words[own]}</span>
        {card.maskedPan === null ? 'QR' : card.maskedPan.slice(-4)}
      </span>
    </span>
  )
}

import type { CardChoice } from '../../../contract/sandbox/screens.ts'
import type { Card } from '../../../fixtures.ts'
import { NetworkMark } from '../../components/icons.tsx'
import { networkName } from '../../components/network-names.ts'

const drawn = new Set(['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'DINERS', 'UNIONPAY', 'EBT'])

/** Class of a card's colours, from its network or from a text that begins with it. */
export function cardLook(network: string): string {
  const [name = ''] = network.split(' ')
  return `card-${drawn.has(name) ? name : 'OTHER'}`
}

/** A chip where it can be inserted, a code where it is scanned; a card that is only swiped or typed has neither. */
const hasFigure = ({ entries }: CardChoice): boolean => entries.includes('insert') || entries.includes('scan')

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

interface CardFaceProps {
  readonly card: CardChoice
  /** The card of the fixtures; without it only the name is shown. */
  readonly known?: Card | undefined
}

/** A test card with the name to type; a wallet that pays by code is shown as a phone. */
export const CardFace = ({ card, known }: CardFaceProps) => (
  <span class={`card stack ${cardLook(card.network)}${card.entries[0] === 'scan' ? ' card-phone' : ''}`}>
    <span class="card-names stack line-1-3">
      {known !== undefined && <span class="smallest bold">{cardTitle(known)}</span>}
      <span class="card-name code">{card.name}</span>
    </span>
    {hasFigure(card) && <span class="card-chip" aria-hidden="true" />}
    <span class="card-number bold tabular">
      {card.maskedPan === null ? 'QR code' : `•••• ${card.maskedPan.slice(-4)}`}
    </span>
    <NetworkMark network={card.network} />
  </span>
)

import type { CardChoice } from '../../../contract/sandbox/screens.ts'
import { NetworkMark } from '../../components/network-mark.tsx'

const drawn = new Set(['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'DINERS', 'UNIONPAY', 'EBT'])

/** Class of a card's colours, from its network or from a text that begins with it. */
export function cardLook(network: string): string {
  const [name = ''] = network.split(' ')
  return `card-${drawn.has(name) ? name : 'OTHER'}`
}

/** A chip where it can be inserted, a code where it is scanned; a card that is only swiped or typed has neither. */
const hasFigure = ({ entries }: CardChoice): boolean => entries.includes('insert') || entries.includes('scan')

/** A test card as it lies on the workbench; what pays by a code is a telephone that shows one. */
export const CardFace = ({ card }: { readonly card: CardChoice }) => (
  <span class={`card ${cardLook(card.network)}${card.entries[0] === 'scan' ? ' card-phone' : ''}`}>
    <span class="card-name code">{card.name}</span>
    {hasFigure(card) && <span class="card-chip" aria-hidden="true" />}
    <span class="card-number tabular">
      {card.maskedPan === null ? 'QR code' : `•••• ${card.maskedPan.slice(-4)}`}
    </span>
    <NetworkMark network={card.network} />
  </span>
)

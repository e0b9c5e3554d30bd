import type { CardEntry } from '../../contract/sandbox/screens.ts'
import type { Card, CardRead } from '../../fixtures.ts'
import type { Ledger, Terminal } from './ledger.ts'
import type { TerminalInstructions, Transaction } from './transaction.ts'

/**
 * Data read from the presented card; null before that, and for a card that the fixtures no longer have.
 * assumption: wallets, cards
 */
export function cardReadOf(
  { catalogue }: Pick<Ledger, 'catalogue'>,
  {
    card: name,
    entry,
    online,
    instructions,
  }: Pick<Transaction, 'card' | 'entry' | 'online' | 'instructions'>,
): CardRead | null {
  const read = catalogue.cardReadNamed(name ?? '') ?? null
  if (read === null) return null
  if (online !== null) {
    const { wallet: subPaymentMethod } = online
    return { ...read, subPaymentMethod, entryMode: null, authenticationMethod: 'NOT_AUTHENTICATED' }
  }
  const subPaymentMethod = instructions?.subMethod
  if (entry === null && subPaymentMethod === undefined) return read
  return {
    ...read,
    ...(entry !== null && presentedBy(catalogue.cardNamed(name ?? '') as Card, entry)),
    ...(subPaymentMethod !== undefined && { subPaymentMethod }),
  }
}

/**
 * The card that a person would present, if the request allows it: the terminal's own, otherwise the first that is not
 * declined. Undefined when none fits. assumption: cards
 */
export function cardFor(
  { catalogue: { cardNamed, cards } }: Pick<Ledger, 'catalogue'>,
  { profile }: Pick<Terminal, 'profile'>,
  instructions: TerminalInstructions | null,
): Card | undefined {
  const own = profile.mode === 'attended' ? undefined : cardNamed(profile.card ?? '')
  const fitting = (own === undefined ? cards : [own]).filter((card) => cardFits(card, instructions))
  return fitting.find(({ outcome }) => outcome === undefined) ?? fitting[0]
}

/** The entry mode of the record for each. docs/api.md#record-entry-mode */
const entryModes: Readonly<Record<CardEntry, string | null>> = {
  tap: 'CONTACTLESS',
  insert: 'CONTACT',
  swipe: 'SWIPE',
  key: 'MANUAL',
  scan: null,
}

/** The usual entry mode of a card. */
export function entryOf({ category, entryMode }: Card): CardEntry {
  if (category === 'QR') return 'scan'
  if (entryMode === 'FALLBACK_SWIPE') return 'swipe'
  return (Object.keys(entryModes) as CardEntry[]).find((entry) => entryModes[entry] === entryMode) ?? 'insert'
}

/** Every entry mode of a card: a card with a chip has several. */
export function cardEntriesOf(card: Card): readonly CardEntry[] {
  const own = entryOf(card)
  return own === 'tap' || own === 'insert' ? ['tap', 'insert', 'swipe'] : [own]
}

/** How the cardholder is verified when the card is presented in this entry mode. assumption: attended-terminal */
export function verificationFor(card: Card, entry: CardEntry): string {
  if (entry === entryOf(card)) return card.authenticationMethod
  if (entry === 'insert') return 'PIN'
  return entry === 'swipe' ? 'SIGNATURE' : 'NOT_AUTHENTICATED'
}

const presentedBy = (card: Card, entry: CardEntry) => ({
  entryMode: entryModes[entry],
  authenticationMethod: verificationFor(card, entry),
})

/** True when the request allows the card; a sub-method excludes none. assumption: cards */
export function cardFits(card: Card, instructions: TerminalInstructions | null): boolean {
  const [category, type] = instructions?.category?.split('-') ?? []
  if (category !== undefined && card.category !== category) return false
  if (category === 'CARD' && type !== undefined && card.cardNetworkType !== type) return false
  const method = instructions?.method
  if (method !== undefined && ![card.paymentMethod, card.cardNetworkType, card.category].includes(method))
    return false
  const network = instructions?.cardNetworkType
  return network === undefined || network === 'UNKNOWN' || card.cardNetworkType === network
}

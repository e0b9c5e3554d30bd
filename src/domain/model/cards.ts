import type { CardEntry } from '../../contract/control/screens.ts'
import { type Card, type CardRead, readCard } from '../fixtures.ts'
import type { Ledger, Terminal } from './ledger.ts'
import type { TerminalInstructions } from './transaction.ts'

/** What is read of a card at a terminal. A sub-method is recorded as it was requested. assumption: cards */
export function readAtTerminal(
  card: Card,
  instructions: TerminalInstructions | null,
  entry = usualEntry(card),
): CardRead {
  const read = readCard(card)
  return {
    ...read,
    subPaymentMethod: instructions?.subMethod ?? read.subPaymentMethod,
    ...(entry !== usualEntry(card) && {
      entryMode: entryModes[entry],
      authenticationMethod: verificationFor(entry),
    }),
  }
}

/** What is read of a card that pays online. assumption: wallets */
export const readOnline = (card: Card, wallet: string | null): CardRead => ({
  ...readCard(card),
  subPaymentMethod: wallet,
  entryMode: null,
  authenticationMethod: 'NOT_AUTHENTICATED',
})

/**
 * The card that a person would present, if the request allows it: the terminal's own, otherwise the first
 * that is not declined. Undefined when none fits. assumption: cards
 */
export function cardFor(
  { catalogue: { cardNamed, cards } }: Pick<Ledger, 'catalogue'>,
  { profile }: Pick<Terminal, 'profile'>,
  instructions: TerminalInstructions | null,
): Card | undefined {
  const chosen = profile.mode === 'attended' ? undefined : cardNamed(profile.card ?? '')
  const fitting = (chosen === undefined ? cards : [chosen]).filter((card) => cardFits(card, instructions))
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
export function usualEntry({ category, entryMode }: Card): CardEntry {
  if (category === 'QR') return 'scan'
  if (entryMode === 'FALLBACK_SWIPE') return 'swipe'
  return (Object.keys(entryModes) as CardEntry[]).find((entry) => entryModes[entry] === entryMode) ?? 'insert'
}

/** Every entry mode of a card: a card with a chip has several. */
export function possibleEntries(card: Card): readonly CardEntry[] {
  const usual = usualEntry(card)
  return usual === 'tap' || usual === 'insert' ? ['tap', 'insert', 'swipe'] : [usual]
}

/** How the cardholder is verified for a card presented in an unusual way. assumption: attended-terminal */
function verificationFor(entry: CardEntry): string {
  if (entry === 'insert') return 'PIN'
  return entry === 'swipe' ? 'SIGNATURE' : 'NOT_AUTHENTICATED'
}

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

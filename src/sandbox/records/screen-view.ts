import {
  type CardChoice,
  resultTime,
  type ScreenAction,
  type ScreenName,
  type ScreenView,
  type ShownTransaction,
} from '../../contract/control/screens.ts'
import { isFinal } from '../../contract/statuses.ts'
import { type Catalogue, readCard } from '../../domain/fixtures.ts'
import { cardFits, possibleEntries, usualEntry } from '../../domain/model/cards.ts'
import type { Ledger, Terminal, UnpairedTerminal } from '../../domain/model/ledger.ts'
import {
  amountOf,
  type Screen,
  type TerminalInstructions,
  type Transaction,
} from '../../domain/model/transaction.ts'
import { outcomeStands, pinTriesLeft, tipChoices } from '../../domain/screen-flow.ts'

/** Milliseconds until a terminal stops showing a result by itself; null if it shows none. */
export const resultEnds = ({ screen, transaction, now }: ScreenView): number | null =>
  screen === 'result' ? resultTime - Math.max(now - (transaction?.completedAt ?? now), 0) + leastLook : null

/** Least time until the next look: a frozen clock causes no busy loop. Milliseconds. */
const leastLook = 100

/** The state of a terminal: its screen, and how many transactions wait. */
interface TerminalStatus {
  readonly screen: ScreenName
  readonly online: boolean
  /** Transactions that wait behind the running one; while the terminal is offline, all in its line. */
  readonly waiting: number
}

/** The screen of a terminal at that time, and how many transactions wait for it. */
export function terminalStatus(ledger: Ledger, terminal: Terminal, now: number): TerminalStatus {
  const { profile, line, last } = terminal
  const running = ledger.transactions.get(line[0] ?? '')
  const online = profile.online !== false
  return {
    screen: currentScreen(online, running, ledger.transactions.get(last ?? ''), now),
    online,
    waiting: online ? Math.max(0, line.length - 1) : line.length,
  }
}

/** What a terminal shows at that time, and what a person can do there. */
export function screenView(ledger: Ledger, terminal: Terminal, merchant: string, now: number): ScreenView {
  const { terminalSn, profile, line, queue } = terminal
  const running = ledger.transactions.get(line[0] ?? '')
  const ended = ledger.transactions.get(terminal.last ?? '')
  const { screen, online, waiting } = terminalStatus(ledger, terminal, now)
  const shown = screen === 'result' ? ended : running
  return {
    terminalSn,
    ...(profile.label !== undefined && { label: profile.label }),
    merchantId: ledger.settings.merchantId,
    merchantName: merchant,
    mode: profile.mode,
    online,
    screen,
    transaction: shown === undefined ? null : shownTransaction(shown),
    last: ended === undefined ? null : shownTransaction(ended),
    waiting,
    queue,
    tips: screen === 'tip' && running ? tipChoices(running, ledger.settings) : [],
    pinTriesLeft: screen === 'pin' && running ? pinTriesLeft(running) : null,
    cards:
      running && (screen === 'present-card' || screen === 'insert-card')
        ? cardChoices(ledger.catalogue, running.instructions, screen)
        : [],
    acts: actionsAt(terminal, screen, running),
    now,
  }
}

/** The view of an unpaired terminal: its pairing code, and no actions. assumption: pairing */
export const pairingView = ({ profile, code }: UnpairedTerminal, now: number): ScreenView => ({
  terminalSn: profile.terminalSn,
  ...(profile.label !== undefined && { label: profile.label }),
  merchantId: null,
  merchantName: null,
  pairingCode: code,
  mode: profile.mode,
  online: profile.online !== false,
  screen: 'pairing',
  transaction: null,
  last: null,
  waiting: 0,
  queue: [],
  tips: [],
  pinTriesLeft: null,
  cards: [],
  acts: [],
  now,
})

function currentScreen(
  online: boolean,
  running: Transaction | undefined,
  ended: Transaction | undefined,
  now: number,
): ScreenName {
  if (!online) return 'offline'
  if (running !== undefined) return names[running.screen]
  const age = now - (ended?.completedAt ?? Number.NEGATIVE_INFINITY)
  return age >= 0 && age < resultTime ? 'result' : 'idle'
}

const names: Readonly<Record<Screen, ScreenName>> = {
  waiting: 'processing',
  'present-card': 'present-card',
  'insert-card': 'insert-card',
  tip: 'tip',
  pin: 'pin',
  processing: 'processing',
  host: 'processing',
  signature: 'signature',
  done: 'result',
}

function actionsAt({ profile }: Terminal, screen: ScreenName, running?: Transaction): ScreenAction[] {
  if (running === undefined || profile.online === false || running.screen === 'host') return []
  const act = profile.mode === 'attended' ? screenActions[screen] : undefined
  return act === undefined ? ['cancel'] : [act, 'cancel']
}

const screenActions: Readonly<Partial<Record<ScreenName, ScreenAction>>> = {
  'present-card': 'present',
  'insert-card': 'present',
  tip: 'tip',
  pin: 'pin',
  signature: 'sign',
}

/** Test cards that match the instructions, each with the entry modes that the screen takes. */
const cardChoices = (
  { cards }: Pick<Catalogue, 'cards'>,
  instructions: TerminalInstructions | null,
  screen: ScreenName,
): CardChoice[] =>
  cards
    .filter((card) => cardFits(card, instructions))
    .map((card) => ({
      name: card.name,
      network: card.paymentMethod,
      maskedPan: readCard(card).maskedPan,
      entries: [
        usualEntry(card),
        ...possibleEntries(card).filter((entry) => entry !== usualEntry(card)),
      ].filter((entry) => screen !== 'insert-card' || entry !== 'tap'),
      outcome: card.outcome ?? null,
    }))
    .filter(({ entries }) => entries.length > 0)

/** A transaction as a terminal shows it. */
export function shownTransaction(transaction: Transaction): ShownTransaction {
  const { cardRead: card } = transaction
  return {
    transactionId: transaction.id,
    type: transaction.type,
    status: transaction.status,
    currency: transaction.currency,
    transactionAmount: amountOf(transaction),
    orderAmount: transaction.order,
    tipAmount: transaction.tip,
    description: transaction.description,
    referenceOrderId: transaction.orderId,
    card: card && [card.paymentMethod, card.maskedPan].filter(Boolean).join(' '),
    resultCode: transaction.resultCode,
    resultMsg: transaction.resultMsg,
    authCode: transaction.authCode,
    expiresAt: isFinal(transaction.status) || outcomeStands(transaction) ? null : transaction.expiresAt,
    completedAt: transaction.completedAt,
  }
}

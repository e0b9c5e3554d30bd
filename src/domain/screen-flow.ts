import type { Waiting } from '../contract/control/waiting.ts'
import { limits } from '../contract/headers.ts'
import { isFinal } from '../contract/statuses.ts'
import { type Ledger, type RuleSettings, type Terminal, terminalOf } from './model/ledger.ts'
import { localDateTime } from './model/local-time.ts'
import { momentsOf } from './model/timeline.ts'
import { amountOf, type Screen, type TipSuggestion, type Transaction } from './model/transaction.ts'

/** The order of a terminal's screens, with or without a person. */

/** A follow-up uses the card of its original; every other transaction asks for a card. assumption: cards */
export function firstScreen(transaction: Transaction, terminal: Terminal): Screen {
  if (transaction.originalId === null) return 'present-card'
  return asksTip(transaction, terminal) ? 'tip' : 'processing'
}

/** The screen after a card was read. `verification`: of the cardholder. */
export const screenAfterCard = (
  transaction: Transaction,
  terminal: Terminal,
  verification: string,
): Screen => (asksTip(transaction, terminal) ? 'tip' : screenAfterTip(verification))

/** The screen after a tip was chosen. */
export const screenAfterTip = (verification: string | undefined): Screen =>
  verification === 'PIN' || verification === 'OFFLINE_PIN' ? 'pin' : 'processing'

/** How the cardholder is verified; undefined for a follow-up, which presents no card. */
export const verificationMethod = ({ originalId, cardRead }: Transaction): string | undefined =>
  originalId === null ? cardRead?.authenticationMethod : undefined

/** assumption: terminal-screens */
function asksTip(transaction: Transaction, terminal: Terminal): boolean {
  const takesTip = transaction.type === 'SALE' || transaction.type === 'POST_AUTH'
  const wanted = transaction.instructions?.tip !== undefined || terminal.profile.tipPercent !== undefined
  return takesTip && transaction.tip === 0 && wanted
}

/** Percentages are rounded to this fraction of a percent. */
const percentStep = 10_000

/** The tip for a percentage in minor units, rounded half up and limited by `mostTip`. */
export function tipForPercent(transaction: Transaction, percent: number, rules: TipRules): number {
  const base = transaction.order + (transaction.instructions?.tip?.withTax ? transaction.tax : 0)
  const [share, whole] = [BigInt(Math.round(percent * percentStep)), BigInt(100 * percentStep)]
  return Math.min(Number((BigInt(base) * share + whole / 2n) / whole), mostTip(transaction, rules))
}

/** The settings that limit the tip of a capture. */
type TipRules = Pick<RuleSettings, 'captureTip'>

/** The maximum tip: up to the maximum amount, and for a capture its share. assumption: capture-limits */
export function mostTip(transaction: Transaction, { captureTip }: TipRules): number {
  const room = limits.amount - amountOf(transaction) + transaction.tip
  return transaction.type === 'POST_AUTH' ? Math.min(room, mostCaptureTip(transaction, captureTip)) : room
}

/** The maximum tip of a capture: a share of its order amount, in percent. assumption: capture-limits */
export const mostCaptureTip = ({ order }: Pick<Transaction, 'order'>, captureTip: number): number =>
  Math.floor((order * captureTip) / 100)

/** The default suggestions of a tip screen. */
const usualTips: readonly TipSuggestion[] = [{ percent: 15 }, { percent: 18 }, { percent: 20 }]

/** The choices of the tip screen, in minor units: the request's or the usual. assumption: terminal-screens */
export const tipChoices = (transaction: Transaction, rules: TipRules) =>
  (transaction.instructions?.tip?.choices ?? usualTips).map(({ percent, amount, name }) => ({
    label: name ?? (percent === undefined ? '' : `${percent} %`),
    tipAmount:
      percent === undefined
        ? Math.min(amount ?? 0, mostTip(transaction, rules))
        : tipForPercent(transaction, percent, rules),
  }))

/** Most tries for a PIN; the last wrong one ends with 075. */
const mostPinTries = 3

/** Remaining tries for a PIN. */
export const pinTriesLeft = (transaction: Transaction): number =>
  mostPinTries - momentsOf(transaction).filter(({ what }) => what === 'pin-wrong').length

/** Screens that wait for a person when the terminal is attended. */
const personScreens: ReadonlySet<Screen> = new Set(['present-card', 'insert-card', 'tip', 'pin', 'signature'])

/**
 * True once the host was asked: its answer stands, and no abort and no expiry closes the transaction.
 * assumption: abort-and-expiry
 */
export const outcomeStands = ({ screen }: Pick<Transaction, 'screen'>): boolean =>
  screen === 'host' || screen === 'signature'

/** True when nobody paid in time, and the transaction closes. */
export const isOverdue = (transaction: Transaction, at: number): boolean =>
  transaction.expiresAt !== null &&
  transaction.expiresAt <= at &&
  !isFinal(transaction.status) &&
  !outcomeStands(transaction)

/** Time for a signature in sandbox time, milliseconds; then it is skipped. assumption: terminal-screens */
const signatureTime = 60_000

/** Latest end of what a transaction shows, or waits before. Milliseconds; null: none. */
const latestEnd = (transaction: Transaction): number | null =>
  outcomeStands(transaction) ? transaction.wakeAt : transaction.expiresAt

/** True for a screen that waits for a person when the terminal is attended. */
export const waitsForPerson = (screen: Screen): boolean => personScreens.has(screen)

/** True when a new transaction starts at once; else it waits in line, or until the terminal is online. */
export const startsAtOnce = ({ line, profile }: Terminal): boolean =>
  line.length === 0 && profile.online !== false

/**
 * When the first transaction in line acts by itself next, after a change of its terminal's settings; null:
 * unchanged. Depends on what it waits for: a person, the terminal to come online, or the pace of its screens.
 */
export function wakeTimeAfterChange(
  transaction: Transaction,
  before: Terminal['profile'],
  after: Terminal['profile'],
  at: number,
): number | null {
  const same = before.mode === after.mode && before.online === after.online && before.pace === after.pace
  if (same || transaction.screen === 'host') return null
  const waits = after.online === false || (after.mode === 'attended' && waitsForPerson(transaction.screen))
  if (!waits) return at
  return transaction.screen === 'signature' ? signatureEnd(transaction, at) : transaction.expiresAt
}

/** Latest end of a signature screen that waits for a person: its minute counts from when it was shown. */
function signatureEnd(transaction: Transaction, at: number): number {
  const shown = momentsOf(transaction).findLast(({ what }) => what === 'signature-asked')
  return (shown?.at ?? at) + signatureTime
}

/**
 * The members of the event that shows a screen. The transaction continues after the terminal's pace (absent:
 * immediately) or, if the screen waits for a person or for the terminal to come online, at its latest end.
 */
export const showScreen = (ledger: Ledger, transaction: Transaction, at: number) => (screen: Screen) => {
  const { id, expiresAt } = transaction
  const profile = terminalOf(ledger, transaction)?.profile
  const end = screen === 'signature' ? at + signatureTime : expiresAt
  const waits = profile?.online === false || (profile?.mode === 'attended' && waitsForPerson(screen))
  if (waits) return { id, screen, wakeAt: end }
  const pace = profile?.pace ?? ledger.settings.pace
  return { id, screen, wakeAt: pace > 0 ? Math.min(at + pace, end ?? Number.POSITIVE_INFINITY) : undefined }
}

/** What a transaction waits for; null when it is final, or continues by itself. */
export function waitingReason(ledger: Ledger, transaction: Transaction): Waiting | null {
  const { status, screen, terminalSn } = transaction
  if (isFinal(status)) return null
  const common = { terminalSn, sessionId: null, behind: null, ahead: 0, until: latestEnd(transaction) }
  if (screen === 'host') return { ...common, for: 'host' }
  const sessionId = transaction.online?.sessionId ?? null
  if (sessionId !== null) return { ...common, for: 'shopper', sessionId }
  const terminal = terminalOf(ledger, transaction)
  const inLine = terminal === undefined ? null : positionInLine(ledger, transaction, terminal)
  if (inLine !== null) return { ...common, for: 'line', ...inLine }
  if (terminal?.profile.online === false) return { ...common, for: 'online' }
  const waitsHere = terminal?.profile.mode === 'attended' && screen !== 'processing' // from there it goes on by itself
  return waitsHere ? { ...common, for: 'person' } : null
}

/**
 * The transaction that the terminal shows, its latest end, and the number of transactions ahead; null when it
 * is not in line.
 */
function positionInLine({ transactions }: Ledger, { id, screen }: Transaction, { line }: Terminal) {
  const ahead = screen === 'waiting' ? line.indexOf(id) : -1
  const first = transactions.get(line[0] ?? '')
  if (ahead < 1 || first === undefined) return null
  return { behind: first.id, ahead, until: latestEnd(first) }
}

/** What a transaction waits for, in words; null as for `waitingReason`. */
export function waitsFor(ledger: Ledger, transaction: Transaction): string | null {
  const waiting = waitingReason(ledger, transaction)
  if (waiting === null) return null
  const { terminalSn, until } = waiting
  const { timeZone } = ledger.settings
  const time =
    until === null ? '' : `${localDateTime(until, timeZone).replace('T', ' ')} ${timeZone} (sandbox clock)`
  switch (waiting.for) {
    case 'host':
      return `the host, until ${time}`
    case 'shopper':
      return 'the shopper, on the hosted page'
    case 'online':
      return `${terminalSn} to come online`
    case 'person':
      return `a person at ${terminalSn}`
    case 'line':
      return `${terminalSn}, in line ${behindText(waiting)}${time && `; free by ${time}`}`
  }
}

/** The transactions ahead of it in line, in words. */
const behindText = ({ behind, ahead }: Waiting): string =>
  `behind ${behind}${ahead > 1 ? ` and ${ahead - 1} more` : ''}`

/** The terminal and the payment ahead that it waits for, in words; null when it is not in line. */
export const waitsBehind = (ledger: Ledger, transaction: Transaction): string | null =>
  !transaction.inCloud && waitingReason(ledger, transaction)?.for === 'line'
    ? waitsFor(ledger, transaction)
    : null

import type { Waiting } from '../contract/sandbox/transactions/waiting.ts'
import { isFinal } from '../contract/statuses.ts'
import { type Ledger, type Terminal, terminalOf } from './model/ledger.ts'
import { localDateTime } from './model/local-time.ts'
import type { Screen, Transaction } from './model/transaction.ts'
import { waitsForPerson } from './screen-flow.ts'

/** True when a new transaction starts immediately; otherwise it waits in line, or for the terminal to come online. */
export const startsAtOnce = ({ line, profile }: Terminal): boolean =>
  line.length === 0 && profile.online !== false

/**
 * When the first transaction in line acts by itself next, after a change of its terminal's settings; null: unchanged.
 * Depends on what it waits for: a person, the terminal to come online, or the pace of its screens.
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
  return waits ? transaction.expiresAt : at
}

/**
 * When the transaction continues after a screen that is shown now: after the terminal's pace (absent: immediately) or,
 * if the screen waits for a person, at its expiry.
 */
export function wakeTimeAfterScreen(
  ledger: Ledger,
  transaction: Transaction,
  screen: Screen,
  at: number,
): number | null | undefined {
  const profile = terminalOf(ledger, transaction)?.profile
  if (profile?.mode === 'attended' && waitsForPerson(screen)) return transaction.expiresAt
  const pace = profile?.pace ?? ledger.settings.pace
  return pace > 0 ? Math.min(at + pace, transaction.expiresAt ?? Number.POSITIVE_INFINITY) : undefined
}

/** The members of the event that shows a screen. */
export const showScreen = (ledger: Ledger, transaction: Transaction, at: number) => (screen: Screen) => ({
  id: transaction.id,
  screen,
  wakeAt: wakeTimeAfterScreen(ledger, transaction, screen, at),
})

/** What a transaction waits for; null when it is final, or continues by itself. */
export function waitingOf(ledger: Ledger, transaction: Transaction): Waiting | null {
  const { status, screen, terminalSn, expiresAt } = transaction
  if (isFinal(status)) return null
  const common = { terminalSn, sessionId: null, behind: null, ahead: 0, until: expiresAt }
  if (screen === 'host') return { ...common, for: 'host', until: transaction.wakeAt ?? transaction.createdAt }
  const sessionId = transaction.online?.sessionId ?? null
  if (sessionId !== null) return { ...common, for: 'shopper', sessionId }
  const terminal = terminalOf(ledger, transaction)
  const inLine = terminal === undefined ? null : positionInLine(ledger, transaction, terminal)
  if (inLine !== null) return { ...common, for: 'line', ...inLine }
  if (terminal?.profile.online === false) return { ...common, for: 'online' }
  return terminal?.profile.mode === 'attended' ? { ...common, for: 'person' } : null
}

/**
 * The transaction that the terminal shows, its latest end, and the number of transactions ahead; null when it is not in
 * line.
 */
function positionInLine({ transactions }: Ledger, { id, screen }: Transaction, { line }: Terminal) {
  const ahead = screen === 'waiting' ? line.indexOf(id) : -1
  const first = transactions.get(line[0] ?? '')
  if (ahead < 1 || first === undefined) return null
  return { behind: first.id, ahead, until: first.screen === 'host' ? first.wakeAt : first.expiresAt }
}

/** What a transaction waits for, in words; null as for `waitingOf`. */
export function waitsFor(ledger: Ledger, transaction: Transaction): string | null {
  const waiting = waitingOf(ledger, transaction)
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
  !transaction.inCloud && waitingOf(ledger, transaction)?.for === 'line'
    ? waitsFor(ledger, transaction)
    : null

import { isFinal } from '../contract/statuses.ts'
import { type Ledger, type Terminal, terminalOf } from './model/ledger.ts'
import { localDateTime } from './model/local-time.ts'
import type { Screen, Transaction } from './model/transaction.ts'
import { waitsForPerson } from './screens.ts'

/** True when a new transaction is taken up at once; else it waits in line, or for the terminal to come online. */
export const startsAtOnce = ({ line, profile }: Terminal): boolean =>
  line.length === 0 && profile.online !== false

/**
 * When the first transaction in line acts by itself next, after the terminal was set otherwise; null leaves it. Only
 * what it waits for matters: a person, the terminal to come online, or the pace of its screens.
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
 * When the transaction goes on after a screen that is shown from now on: when the terminal's pace is over (left out: at once),
 * or with a person, not before it expires.
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

/** A screen that a transaction shows from now on, as the members of its event. */
export const showScreen = (ledger: Ledger, transaction: Transaction, at: number) => (screen: Screen) => ({
  id: transaction.id,
  screen,
  wakeAt: wakeTimeAfterScreen(ledger, transaction, screen, at),
})

/** Behind which transaction it waits in line at its terminal, and until when at the latest; null when it is not in line. */
export function waitsBehind(ledger: Ledger, transaction: Transaction): string | null {
  if (transaction.screen !== 'waiting') return null
  const terminal = terminalOf(ledger, transaction)
  const place = terminal?.line.indexOf(transaction.id) ?? -1
  const first = ledger.transactions.get(terminal?.line[0] ?? '')
  if (place < 1 || first === undefined) return null
  const until = first.screen === 'host' ? first.wakeAt : first.expiresAt
  const { timeZone } = ledger.settings
  const end =
    until === null
      ? ''
      : `, until ${localDateTime(until, timeZone).replace('T', ' ')} ${timeZone} at the latest`
  const others = place > 1 ? ` and ${place - 1} more` : ''
  return `${terminal?.terminalSn} to be free, behind ${first.id}${end}${others}`
}

/** What a transaction waits for, in words; null for one that is final, or goes on by itself. */
export function waitsFor(ledger: Ledger, transaction: Transaction): string | null {
  const { status, screen, terminalSn, wakeAt } = transaction
  if (isFinal(status)) return null
  if (screen === 'host')
    return `the host, until ${localDateTime(wakeAt ?? transaction.createdAt, ledger.settings.timeZone)}`
  if (transaction.online?.sessionId != null) return 'the shopper, on the hosted page'
  const behind = waitsBehind(ledger, transaction)
  if (behind !== null) return behind
  const terminal = terminalOf(ledger, transaction)
  if (terminal?.profile.online === false) return `${terminalSn} to come online`
  return terminal?.profile.mode === 'attended' ? `a person at ${terminalSn}` : null
}

import type { Ledger, Terminal, Transaction } from './ledger.ts'

/** When a new transaction at the end of the terminal's line acts by itself: now, or not before it expires. */
export const wakeTimeInLine = (terminal: Terminal, expiresAt: number, at: number): number =>
  terminal.line.length === 0 && terminal.profile.online !== false ? at : expiresAt

/** When the first transaction in line acts by itself next, after the terminal was set otherwise. */
export function wakeTimeOfFirst(
  transaction: Transaction,
  profile: Terminal['profile'],
  at: number,
): number | null {
  if (transaction.screen === 'host') return null
  const waits = profile.online === false || (profile.mode === 'attended' && transaction.screen !== 'waiting')
  return waits ? transaction.expiresAt : at
}

/** Milliseconds that an automatic terminal shows a screen. */
export const paceOf = (ledger: Ledger, terminal: Terminal): number =>
  terminal.profile.pace ?? ledger.settings.pace

import type { Ledger, Terminal, Transaction } from './ledger.ts'

/** True when a new transaction is taken up at once; else it waits in line, or for the terminal to come online. */
export const actsAtOnce = ({ line, profile }: Terminal): boolean =>
  line.length === 0 && profile.online !== false

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

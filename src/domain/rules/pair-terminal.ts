import type { PairTerminal, UnpairTerminal } from '../model/commands.ts'
import type { TerminalPaired, TerminalUnpaired } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { requireUnused } from './remove-terminal.ts'
import { requireNewTerminal, requireTerminal } from './terminal/set-terminal.ts'

/** assumption: pairing. Errors: SBX_UNREGISTERED; SBX_TERM_IN_USE with a payment in its line or an open batch. */
export function unpairTerminal(
  ledger: Ledger,
  { terminalSn, code }: UnpairTerminal,
): readonly TerminalUnpaired[] {
  const { profile } = requireTerminal(ledger, terminalSn)
  requireUnused(ledger, terminalSn)
  return [{ type: 'terminal-unpaired', profile, code }]
}

/** Gives the terminal to the merchant, with its settings. Errors: SBX_TERM_EXISTS. */
export function pairTerminal(ledger: Ledger, { profile, code }: PairTerminal): readonly TerminalPaired[] {
  requireNewTerminal(ledger, profile.terminalSn)
  return [{ type: 'terminal-paired', profile, code }]
}

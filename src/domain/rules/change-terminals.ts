import { reject } from '../../contract/errors.ts'
import type { PairTerminal, RemoveTerminal, UnpairTerminal } from '../model/commands.ts'
import type { TerminalPaired, TerminalRemoved, TerminalUnpaired } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { countedBatches } from './settlement.ts'
import { requireNewTerminal, requireTerminal } from './terminal/set-terminal.ts'

/** assumption: terminal-removal. Errors: SBX_UNREGISTERED; SBX_TERM_IN_USE with a payment in its line or an open batch. */
export function removeTerminal(ledger: Ledger, { terminalSn }: RemoveTerminal): readonly TerminalRemoved[] {
  if (!ledger.unpaired.has(terminalSn)) requireUnused(ledger, terminalSn) // an unpaired one takes no payments
  return [{ type: 'terminal-removed', terminalSn }]
}

/** Refuses a terminal with a payment in its line or an open batch. Errors: SBX_UNREGISTERED; SBX_TERM_IN_USE. */
function requireUnused(ledger: Ledger, terminalSn: string): void {
  const { line } = requireTerminal(ledger, terminalSn)
  const [first] = line
  if (first !== undefined)
    reject('SBX_TERM_IN_USE', {
      field: 'terminalSn',
      detail: `${terminalSn} has ${line.length === 1 ? `the payment ${first}` : `${line.length} payments, the first is ${first}`}`,
      remedy: `End it first: tillbox abort ${first}, or tillbox terminal show ${terminalSn}`,
    })
  const batches = countedBatches(ledger, { terminalSn })
  if (batches.length > 0)
    reject('SBX_TERM_IN_USE', {
      field: 'terminalSn',
      detail: `${terminalSn} has ${batches.length === 1 ? 'an open batch' : `${batches.length} open batches`}`,
      remedy: `Settle first: tillbox batch close --terminal ${terminalSn}`,
    })
}

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

import { reject } from '../../contract/errors.ts'
import type { RemoveTerminal } from '../model/commands.ts'
import type { TerminalRemoved } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { countedBatches } from './settlement.ts'
import { requireTerminal } from './terminal/set-terminal.ts'

/** assumption: terminal-removal. Errors: SBX_UNREGISTERED; SBX_TERM_IN_USE with a payment in its line or an open batch. */
export function removeTerminal(ledger: Ledger, { terminalSn }: RemoveTerminal): readonly TerminalRemoved[] {
  if (!ledger.unpaired.has(terminalSn)) requireUnused(ledger, terminalSn) // an unpaired one takes no payments
  return [{ type: 'terminal-removed', terminalSn }]
}

/** Refuses a terminal with a payment in its line or an open batch. Errors: SBX_UNREGISTERED; SBX_TERM_IN_USE. */
export function requireUnused(ledger: Ledger, terminalSn: string): void {
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

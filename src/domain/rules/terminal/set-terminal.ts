import { rejectField } from '../../../contract/errors.ts'
import { type Catalogue, withMembers } from '../../../fixtures.ts'
import type { AddTerminal, QueueOutcome, SetTerminal, Stamp } from '../../model/commands.ts'
import type { Event, TerminalSet, TerminalUnpaired } from '../../model/events.ts'
import type { Ledger, Terminal } from '../../model/ledger.ts'
import { wakeTimeAfterChange } from '../../screen-flow.ts'
import { refuseAt, refuseUnknownTerminal, requireCard, requireOutcome } from './refuse-at.ts'

/** Errors: SBX_UNREGISTERED; C17 for a card or an outcome that no fixture has. */
export function setTerminal(
  ledger: Ledger,
  { terminalSn, changes }: SetTerminal,
  stamp: Stamp,
): readonly TerminalSet[] {
  const terminal = requireTerminal(ledger, terminalSn)
  requireKnown(ledger.catalogue, changes)
  if (changes.mode === null) rejectField('mode', 'must be auto or attended')
  const profile = withMembers(terminal.profile, changes)
  const first = ledger.transactions.get(terminal.line[0] ?? '')
  const wakeAt = first === undefined ? null : wakeTimeAfterChange(first, terminal.profile, profile, stamp.at)
  return [{ type: 'terminal-set', profile, wakeAt }]
}

/** Errors: SBX_TERM_EXISTS. */
export function requireNewTerminal({ terminals }: Ledger, terminalSn: string): void {
  if (terminals.has(terminalSn))
    refuseAt('SBX_TERM_EXISTS', terminalSn, { detail: `terminal ${terminalSn} exists already` })
}

/** Errors: SBX_TERM_EXISTS; C17 for a card or an outcome that no fixture has. */
export function addTerminal(
  ledger: Ledger,
  { profile, code }: AddTerminal,
): readonly (TerminalSet | TerminalUnpaired)[] {
  requireNewTerminal(ledger, profile.terminalSn)
  requireKnown(ledger.catalogue, profile)
  if (code !== undefined) return [{ type: 'terminal-unpaired', profile, code }]
  return [{ type: 'terminal-set', profile, wakeAt: null }]
}

/** Errors: SBX_UNREGISTERED; C17 for an outcome that no fixture has. */
export function queueOutcome(ledger: Ledger, { terminalSn, outcome, times }: QueueOutcome): readonly Event[] {
  requireTerminal(ledger, terminalSn)
  if (times > 0) requireOutcome(ledger.catalogue, outcome)
  return [{ type: 'outcome-queued', terminalSn, outcome, times }]
}

/** Errors: SBX_UNREGISTERED. */
export const requireTerminal = (ledger: Ledger, terminalSn: string): Terminal =>
  ledger.terminals.get(terminalSn) ?? refuseUnknownTerminal(terminalSn)

function requireKnown(catalogue: Catalogue, { card, outcome }: SetTerminal['changes']): void {
  if (card != null) requireCard(catalogue, card)
  if (outcome != null) requireOutcome(catalogue, outcome)
}

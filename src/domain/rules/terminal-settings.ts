import { reject, rejectField } from '../../api/errors.ts'
import { cardNamed, outcomeNamed, type TerminalProfile } from '../../fixtures.ts'
import type { QueueOutcome, SetTerminal, Stamp } from '../commands.ts'
import type { Event, TerminalSet } from '../events.ts'
import type { Ledger, Terminal } from '../ledger.ts'
import { wakeTimeAfter } from '../waking.ts'

/** Errors: SBX_UNREGISTERED; C17 for a card or an outcome that no fixture has. */
export function setTerminal(
  ledger: Ledger,
  { terminalSn, changes }: SetTerminal,
  stamp: Stamp,
): readonly TerminalSet[] {
  const terminal = requireTerminal(ledger, terminalSn)
  if (changes.card != null && cardNamed(changes.card) === undefined)
    rejectField('card', `there is no card ${changes.card}`)
  if (changes.outcome != null) requireOutcome(changes.outcome)
  if (changes.mode === null) rejectField('mode', 'must be auto or attended')
  const profile = changed(terminal.profile, changes)
  const first = ledger.transactions.get(terminal.line[0] ?? '')
  const wakeAt = first === undefined ? null : wakeTimeAfter(first, terminal.profile, profile, stamp.at)
  return [{ type: 'terminal-set', profile, wakeAt }]
}

function changed(profile: TerminalProfile, changes: SetTerminal['changes']): TerminalProfile {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const all = { ...profile, ...Object.fromEntries(given) }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null),
  ) as unknown as TerminalProfile
}

/** Errors: SBX_UNREGISTERED; C17 for an outcome that no fixture has. */
export function queueOutcome(ledger: Ledger, { terminalSn, outcome, times }: QueueOutcome): readonly Event[] {
  requireTerminal(ledger, terminalSn)
  if (times > 0) requireOutcome(outcome)
  return [{ type: 'outcome-queued', terminalSn, outcome, times }]
}

const requireTerminal = (ledger: Ledger, terminalSn: string): Terminal =>
  ledger.terminals.get(terminalSn) ??
  reject('SBX_UNREGISTERED', { field: 'terminalSn', detail: `there is no terminal ${terminalSn}` })

function requireOutcome(name: string): void {
  if (outcomeNamed(name) === undefined) rejectField('outcome', `there is no outcome ${name}`)
}

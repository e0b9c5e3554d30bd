import { reject, rejectField } from '../../../contract/errors.ts'
import { type Catalogue, withMembers } from '../../fixtures.ts'
import type {
  AddTerminal,
  PairTerminal,
  QueueOutcome,
  RemoveTerminal,
  SetTerminal,
  Stamp,
  UnpairTerminal,
} from '../../model/commands.ts'
import type { Events } from '../../model/events.ts'
import type { Ledger, Terminal } from '../../model/ledger.ts'
import { wakeTimeAfterChange } from '../../screen-flow.ts'
import { countedBatches } from '../settlement.ts'
import { refuseAt, refuseUnknownTerminal, requireCard, requireOutcome } from './refuse-at.ts'

/** Errors: SBX_UNREGISTERED; C17 for a card or an outcome that no fixture has. */
export function setTerminal(ledger: Ledger, { terminalSn, changes }: SetTerminal, stamp: Stamp): Events {
  const terminal = requireTerminal(ledger, terminalSn)
  const known = withKnownNames(ledger.catalogue, changes)
  if (changes.mode === null) rejectField('mode', 'must be auto or attended')
  const profile = withMembers(terminal.profile, known)
  const first = ledger.transactions.get(terminal.line[0] ?? '')
  const wakeAt = first === undefined ? null : wakeTimeAfterChange(first, terminal.profile, profile, stamp.at)
  return [{ type: 'terminal-set', profile, wakeAt }]
}

function requireNewTerminal({ terminals }: Ledger, terminalSn: string): void {
  if (terminals.has(terminalSn))
    refuseAt('SBX_TERM_EXISTS', terminalSn, { message: `Terminal ${terminalSn} exists already` })
}

/** Errors: SBX_TERM_EXISTS; C17 for a card or an outcome that no fixture has. */
export function addTerminal(ledger: Ledger, { profile: typed, code }: Omit<AddTerminal, 'type'>): Events {
  requireNewTerminal(ledger, typed.terminalSn)
  const profile = withKnownNames(ledger.catalogue, typed)
  if (code !== undefined) return [{ type: 'terminal-unpaired', profile, code }]
  return [{ type: 'terminal-set', profile, wakeAt: null }]
}

/** Errors: SBX_UNREGISTERED; C17 for an outcome that no fixture has. */
export function queueOutcome(ledger: Ledger, { terminalSn, outcome, times }: QueueOutcome): Events {
  requireTerminal(ledger, terminalSn)
  const { name } = times > 0 ? requireOutcome(ledger.catalogue, outcome) : { name: outcome }
  return [{ type: 'outcome-queued', terminalSn, outcome: name, times }]
}

/** Errors: SBX_UNREGISTERED. */
export const requireTerminal = (ledger: Ledger, terminalSn: string): Terminal =>
  ledger.terminals.get(terminalSn) ?? refuseUnknownTerminal(terminalSn)

/** The settings, with the outcome by its own name. */
function withKnownNames<T extends SetTerminal['changes']>(catalogue: Catalogue, settings: T): T {
  const { card, outcome } = settings
  if (card != null) requireCard(catalogue, card)
  return outcome == null ? settings : { ...settings, outcome: requireOutcome(catalogue, outcome).name }
}

/** assumption: terminal-identity */
export function removeTerminal(ledger: Ledger, { terminalSn }: RemoveTerminal): Events {
  if (!ledger.unpaired.has(terminalSn)) requireUnused(ledger, terminalSn) // an unpaired one takes no payments
  return [{ type: 'terminal-removed', terminalSn }]
}

/** Refuses a terminal with a payment in its line or an open batch. */
function requireUnused(ledger: Ledger, terminalSn: string): void {
  const { line } = requireTerminal(ledger, terminalSn)
  const [first] = line
  if (first !== undefined)
    reject('SBX_TERM_IN_USE', {
      field: 'terminalSn',
      detail: `${terminalSn} has ${line.length === 1 ? `the payment ${first}` : `${line.length} payments, the first is ${first}`}`,
      remedy: { action: 'end-payment', id: first, terminalSn },
    })
  const batches = countedBatches(ledger, { terminalSn })
  if (batches.length > 0)
    reject('SBX_TERM_IN_USE', {
      field: 'terminalSn',
      detail: `${terminalSn} has ${batches.length === 1 ? 'an open batch' : `${batches.length} open batches`}`,
      remedy: { action: 'settle', terminalSn },
    })
}

/** assumption: pairing */
export function unpairTerminal(ledger: Ledger, { terminalSn, code }: UnpairTerminal): Events {
  const { profile } = requireTerminal(ledger, terminalSn)
  requireUnused(ledger, terminalSn)
  return [{ type: 'terminal-unpaired', profile, code }]
}

/** Gives the terminal to the merchant, with its settings. */
export function pairTerminal(ledger: Ledger, { profile, code }: PairTerminal): Events {
  requireNewTerminal(ledger, profile.terminalSn)
  return [{ type: 'terminal-paired', profile, code }]
}

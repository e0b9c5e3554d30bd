import { reject, rejectField } from '../../api/errors.ts'
import { isFinal } from '../../api/statuses.ts'
import { cardNamed, outcomeNamed } from '../../fixtures.ts'
import { cardFor, cardReadOf } from '../cards.ts'
import type { QueueOutcome, Request, SetTerminal, Stamp } from '../commands.ts'
import type { Event, TerminalSet } from '../events.ts'
import type { Ledger, Screen, Terminal, Transaction } from '../ledger.ts'
import { outcomeFor } from '../outcomes.ts'
import { paceOf, wakeTimeOfFirst } from '../waking.ts'
import { refuseState, requireOriginal } from './originals.ts'

/**
 * What a transaction does by itself when its time has come: the next screen of its terminal, the host's answer, or its
 * expiry. Nothing when it is too early, or not its turn.
 */
export function wake(ledger: Ledger, transactionId: string, stamp: Stamp): readonly Event[] {
  const transaction = ledger.transactions.get(transactionId)
  if (transaction?.wakeAt == null || transaction.wakeAt > stamp.at) return []
  if (transaction.screen === 'host') return [answerOf(transaction, undefined, stamp)]
  if (transaction.expiresAt !== null && transaction.expiresAt <= stamp.at && !isFinal(transaction.status))
    return [{ type: 'closed', id: transaction.id, reason: 'expiry' }]
  const terminal = ledger.terminals.get(transaction.terminalSn)
  if (transaction.inCloud) return processInCloud(transaction, terminal, stamp)
  if (terminal === undefined || terminal.line[0] !== transaction.id || terminal.profile.online === false)
    return []
  return show(ledger, transaction, terminal, stamp)
}

function processInCloud(
  transaction: Transaction,
  terminal: Terminal | undefined,
  stamp: Stamp,
): readonly Event[] {
  const takenUp = { type: 'taken-up', id: transaction.id, screen: 'processing' } as const
  return [takenUp, ...askHost(transaction, terminal, stamp)]
}

/** One screen of the terminal. An attended terminal goes on only when a person acts. */
function show(ledger: Ledger, transaction: Transaction, terminal: Terminal, stamp: Stamp): readonly Event[] {
  const { id } = transaction
  const attended = terminal.profile.mode === 'attended'
  const pace = paceOf(ledger, terminal)
  const wakeAt = attended ? transaction.expiresAt : pace > 0 ? stamp.at + pace : undefined
  if (transaction.screen === 'waiting')
    return [{ type: 'taken-up', id, screen: firstScreen(transaction, terminal), wakeAt }]
  if (attended) return []
  switch (transaction.screen) {
    case 'present-card': {
      if (terminal.profile.cancels) return [{ type: 'closed', id, reason: 'cancel' }]
      const card = cardFor(terminal, transaction.wishes)
      const screen = screenAfterCard(transaction, terminal, card.authenticationMethod)
      return [{ type: 'card-presented', id, card: card.name, screen, wakeAt }]
    }
    case 'tip': {
      const screen = screenAfterTip(
        transaction.originalId === null ? cardReadOf(transaction)?.authenticationMethod : undefined,
      )
      return [{ type: 'tip-chosen', id, tipAmount: tipOf(transaction, terminal), screen, wakeAt }]
    }
    case 'pin':
      return [{ type: 'pin-entered', id, screen: 'processing', wakeAt }]
    case 'processing':
      return askHost(transaction, terminal, stamp)
    case 'signature':
      return [{ type: 'signed', id }]
    case 'host':
    case 'done':
      return []
  }
}

/** A follow-up uses the card of its original; everything else asks for one. assumption: follow-up-card */
function firstScreen(transaction: Transaction, terminal: Terminal): Screen {
  if (transaction.originalId === null) return 'present-card'
  return asksTip(transaction, terminal) ? 'tip' : 'processing'
}

const screenAfterCard = (transaction: Transaction, terminal: Terminal, verification: string): Screen =>
  asksTip(transaction, terminal) ? 'tip' : screenAfterTip(verification)

/** assumption: tip-screen */
function asksTip(transaction: Transaction, terminal: Terminal): boolean {
  const takesTip = transaction.type === 'SALE' || transaction.type === 'POST_AUTH'
  const wanted = transaction.wishes?.tip !== undefined || terminal.profile.tipPercent !== undefined
  return takesTip && transaction.tip === 0 && wanted
}

const screenAfterTip = (verification: string | undefined): Screen =>
  verification === 'PIN' ? 'pin' : 'processing'

/** Tip in minor units, rounded half up; 0 where the terminal has no percentage. */
function tipOf(transaction: Transaction, terminal: Terminal): number {
  const base = transaction.order + (transaction.wishes?.tip?.withTax ? transaction.tax : 0)
  return Math.floor((base * (terminal.profile.tipPercent ?? 0) + 50) / 100)
}

/** Asks the host; its answer follows at once, or when the outcome's delay is over. */
function askHost(transaction: Transaction, terminal: Terminal | undefined, stamp: Stamp): readonly Event[] {
  const { outcome, rule } = outcomeFor(transaction, terminal)
  const delay = outcome.delay ?? 0
  const asked = {
    type: 'host-asked',
    id: transaction.id,
    outcome: outcome.name,
    rule,
    screen: 'host',
    wakeAt: delay > 0 ? stamp.at + delay : undefined,
  } as const
  return delay > 0 ? [asked] : [asked, answerOf(transaction, outcome.name, stamp)]
}

function answerOf(transaction: Transaction, asked: string | undefined, stamp: Stamp): Event {
  const name = asked ?? transaction.outcome ?? 'approve'
  const { code, message, status } = outcomeNamed(name) ?? {
    code: '000',
    message: 'Approved',
    status: 'SUCCESS',
  }
  const { id } = transaction
  if (status === 'FAIL') return { type: 'declined', id, code, message }
  const signs = !transaction.inCloud && wantsSignature(transaction)
  const screen = signs ? 'signature' : 'done'
  return {
    type: 'approved',
    id,
    authCode: stamp.authCode,
    code,
    message,
    screen,
    wakeAt: signs ? undefined : null,
  }
}

function wantsSignature(transaction: Transaction): boolean {
  if (transaction.originalId !== null) return false
  const from = transaction.wishes?.signatureFrom
  return (
    cardReadOf(transaction)?.authenticationMethod === 'SIGNATURE' ||
    (from !== undefined && transaction.order >= from)
  )
}

/** spec: Endpoints 1.8, "Abort an unpaid transaction". Past the host the outcome stands. assumption: abort */
export function abort(ledger: Ledger, { input }: Request<'abort'>): readonly Event[] {
  const transaction = requireOriginal(ledger, input)
  if (input.terminalSn != null && input.terminalSn !== transaction.terminalSn)
    rejectField('terminalSn', `transaction ${transaction.id} is on terminal ${transaction.terminalSn}`)
  if (isFinal(transaction.status))
    refuseState(transaction, `is ${transaction.status} already; only an unpaid one can be aborted`)
  if (transaction.screen === 'host') return [{ type: 'abort-too-late', id: transaction.id }]
  return [{ type: 'closed', id: transaction.id, reason: 'abort' }]
}

/** Errors: SBX_UNREGISTERED; C17 for a card or an outcome that no fixture has. */
export function setTerminal(
  ledger: Ledger,
  { terminalSn, changes }: SetTerminal,
  stamp: Stamp,
): readonly TerminalSet[] {
  const terminal = requireTerminal(ledger, terminalSn)
  if (changes.card !== undefined && cardNamed(changes.card) === undefined)
    rejectField('card', `there is no card ${changes.card}`)
  if (changes.outcome !== undefined) requireOutcome(changes.outcome)
  const profile = { ...terminal.profile, ...changes }
  const first = ledger.transactions.get(terminal.line[0] ?? '')
  const wakeAt = first === undefined ? null : wakeTimeOfFirst(first, profile, stamp.at)
  return [{ type: 'terminal-set', profile, wakeAt }]
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

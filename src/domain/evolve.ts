import type { Status } from '../contract/statuses.ts'
import type {
  Approved,
  Closed,
  Declined,
  Event,
  OutcomeQueued,
  TerminalPaired,
  TerminalSet,
} from './model/events.ts'
import {
  dropTerminal,
  enterTerminal,
  type Ledger,
  newTerminal,
  type Terminal,
  terminalOf,
} from './model/ledger.ts'
import { noteAttempt, resendDelivery } from './model/outbox.ts'
import { addMoment, noteSetBack } from './model/timeline.ts'
import { adjustTotals, closeBatches, enterTotals } from './model/totals.ts'
import type { Screen, Transaction } from './model/transaction.ts'
import { addDelivery, notify } from './notifications.ts'
import { open } from './opening.ts'
import { holdOriginal, releaseOriginal, settleOriginal } from './original-effects.ts'

/**
 * Applies an event to the ledger, in place. Total: an event that was decided, or read back from the journal,
 * always applies. `at`: sandbox time of the entry; `setBack`: as in its stamp.
 */
export function evolve(ledger: Ledger, event: Event, at: number, setBack = 0): void {
  if ('id' in event && setBack > 0) noteSetBacks(ledger, event, at, setBack)
  apply(ledger, event, at, setBack)
  if ('id' in event) notify(ledger, event, at)
}

/** Notes set-backs of the clock in the event's transaction, and in its original if that is affected. */
function noteSetBacks(ledger: Ledger, event: Event & { readonly id: string }, at: number, setBack: number) {
  const transaction = ledger.transactions.get(event.id)
  const originalId = event.type === 'opened' ? event.originalId : transaction?.originalId
  noteSetBack(transaction, at, setBack)
  noteSetBack(ledger.transactions.get(originalId ?? ''), at, setBack)
}

function apply(ledger: Ledger, event: Event, at: number, setBack: number): void {
  switch (event.type) {
    case 'merchant-registered':
      ledger.registeredAt = at
      ledger.name = event.name ?? null
      return
    case 'batch-closed':
      return closeBatches(ledger, event, at)
    case 'id-used': {
      const { type: _, ...used } = event
      ledger.usedIds.set(used.transactionRequestId, used)
      return
    }
    case 'terminal-set':
      return applySettings(ledger, event, at)
    case 'terminal-removed':
      return dropTerminal(ledger, event.terminalSn)
    case 'terminal-unpaired':
      dropTerminal(ledger, event.profile.terminalSn)
      ledger.unpaired.set(event.profile.terminalSn, { profile: event.profile, code: event.code })
      return
    case 'terminal-paired':
      return enterPaired(ledger, event, at)
    case 'outcome-queued':
      return addToQueue(ledger, event)
    case 'delivery-attempted':
      noteAttempt(ledger.outbox, event.number, event)
      return
    case 'delivery-again':
      return resendDelivery(ledger.outbox, event.number, at)
    case 'delivery-posted': {
      const transaction = ledger.transactions.get(event.transactionId)
      return transaction && addDelivery(ledger, transaction, event.event, event, at, event.facts)
    }
    case 'opened':
      return holdOriginal(ledger, open(ledger, event, at, setBack))
  }
  if (!('id' in event)) return refuse(event)
  const transaction = ledger.transactions.get(event.id)
  if (transaction === undefined) return
  switch (event.type) {
    case 'taken-up':
      transaction.status = 'PROCESSING' satisfies Status
      return step(transaction, at, event, 'taken-up')
    case 'card-presented':
      transaction.card = event.card
      transaction.cardRead = event.cardRead
      if (event.byPerson) transaction.presentedByPerson = true
      if (event.outcome !== undefined) chooseOutcome(transaction, event.outcome)
      if (transaction.online?.sessionId != null) transaction.online.wallet = event.wallet ?? null
      return step(transaction, at, event, 'card-presented', event.card)
    case 'insert-asked':
    case 'pin-wrong':
    case 'signature-asked':
      return step(transaction, at, event, event.type)
    case 'tip-chosen':
      transaction.tip = event.tipAmount
      return step(transaction, at, event, 'tip-chosen', String(event.tipAmount))
    case 'pin-entered':
      return step(transaction, at, event, 'pin-entered')
    case 'host-asked':
      transaction.outcome = event.outcome
      transaction.rule = event.rule
      if (event.rule === 'queue') useQueued(terminalOf(ledger, transaction))
      return step(transaction, at, event, 'host-asked', event.outcome)
    case 'approved':
      return approve(ledger, transaction, event, at)
    case 'try-declined':
      countTry(transaction, event)
      return step(transaction, at, event, 'try-declined', event.code)
    case 'declined':
      countTry(transaction, event)
      return end(ledger, transaction, 'FAIL', event, at)
    case 'closed':
      return end(ledger, transaction, 'CLOSED', event, at)
    case 'signed':
    case 'signature-skipped':
    case 'abort-too-late':
      return addMoment(transaction, at, event.type)
    case 'tip-adjusted':
      adjustTotals(ledger, transaction, event.tipAmount)
      return addMoment(transaction, at, 'tip-adjusted', String(event.tipAmount))
    default:
      return refuse(event)
  }
}

/** Errors: an Error for an event that nobody decides: it was not written by this version. */
function refuse(event: never): never {
  throw new Error(`the event ${(event as Event).type} is unknown`)
}

function step(
  transaction: Transaction,
  at: number,
  { screen, wakeAt = at }: { screen: Screen; wakeAt?: number | null | undefined },
  what: string,
  detail?: string,
): void {
  transaction.screen = screen
  transaction.wakeAt = wakeAt
  if (screen === 'pin') transaction.pinAfter ??= what
  addMoment(transaction, at, what, detail)
}

function approve(ledger: Ledger, transaction: Transaction, event: Approved, at: number): void {
  transaction.status = 'SUCCESS'
  transaction.completedAt = at
  transaction.authCode = event.authCode
  transaction.resultCode = event.code
  transaction.resultMsg = event.message
  enterTotals(ledger, transaction, at)
  settleOriginal(ledger, transaction, at)
  addMoment(transaction, at, 'approved', event.code)
  release(ledger, transaction, at)
}

function end(
  ledger: Ledger,
  transaction: Transaction,
  status: 'FAIL' | 'CLOSED',
  event: Declined | Closed,
  at: number,
): void {
  transaction.status = status
  transaction.completedAt = at
  if (event.type === 'declined') {
    transaction.resultCode = event.code
    transaction.resultMsg = event.message
    transaction.rule = event.rule ?? transaction.rule
    transaction.outcome = event.outcome ?? transaction.outcome
  }
  addMoment(transaction, at, event.type, event.type === 'declined' ? event.code : event.reason)
  releaseOriginal(ledger, transaction)
  release(ledger, transaction, at)
}

function chooseOutcome(transaction: Transaction, outcome: string): void {
  transaction.outcome = outcome
  transaction.rule = 'person'
}

function countTry({ online }: Transaction, { code, message }: { code: string; message: string }): void {
  if (online === null) return
  online.tries += 1
  online.declined = { code, message }
}

/** Removes the transaction from its terminal, which then shows the next in line. */
function release(ledger: Ledger, transaction: Transaction, at: number): void {
  transaction.screen = 'done'
  transaction.wakeAt = null
  const terminal = terminalOf(ledger, transaction)
  if (terminal !== undefined) terminal.last = transaction.id
  const index = terminal?.line.indexOf(transaction.id) ?? -1
  if (terminal === undefined || index === -1) return
  terminal.line.splice(index, 1)
  const next = ledger.transactions.get(terminal.line[0] ?? '')
  if (index === 0 && next !== undefined) next.wakeAt = terminal.profile.online === false ? next.expiresAt : at
}

function applySettings(ledger: Ledger, { profile, wakeAt }: TerminalSet, at: number): void {
  const terminal = ledger.terminals.get(profile.terminalSn)
  if (terminal === undefined) {
    enterTerminal(ledger, newTerminal(ledger, profile, at))
    return
  }
  terminal.profile = profile
  terminal.asGiven = false
  const first = ledger.transactions.get(terminal.line[0] ?? '')
  if (first !== undefined && wakeAt !== null) first.wakeAt = wakeAt
}

function enterPaired(ledger: Ledger, { profile, code }: TerminalPaired, at: number): void {
  ledger.pairedCodes.set(code, profile.terminalSn)
  enterTerminal(ledger, newTerminal(ledger, profile, at))
}

function addToQueue(ledger: Ledger, { terminalSn, outcome, times }: OutcomeQueued): void {
  const queue = ledger.terminals.get(terminalSn)?.queue
  if (times === 0) queue?.splice(0)
  else queue?.push({ outcome, times })
}

function useQueued(terminal: Terminal | undefined): void {
  const first = terminal?.queue[0]
  if (first === undefined) return
  first.times -= 1
  if (first.times === 0) terminal?.queue.shift()
}

import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import { cardReadOf } from '../../domain/model/cards.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { happened, visitMoments } from '../../domain/model/timeline.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { StateNotification } from './notification.ts'
import { type NotificationKey, statusWhen } from './notification.ts'

/** A notification that is read back from the timeline of its transaction. */
export interface PastNotification extends StateNotification {
  /** Place among those of its transaction, from 0. */
  readonly place: number
}

/** Everything that a transaction told, in order, from its timeline: nothing else has to be kept. assumption: event-stream */
export function pastNotifications(
  { settings: { merchantId } }: Ledger,
  transaction: Transaction,
): PastNotification[] {
  const { id: transactionId, tip } = transaction
  const past: PastNotification[] = []
  visitNotifications(transaction, (events, order, createdAt, what) => {
    const status = statusWhen(what, transaction.status)
    for (const event of events)
      past.push({ merchantId, transactionId, event, createdAt, order, status, tip, place: past.length })
  })
  return past
}

/** What a transaction of the ledger has told, if it has. */
export function pastNotification(
  ledger: Ledger,
  { transactionId, event }: NotificationKey,
): PastNotification | undefined {
  const transaction = ledger.transactions.get(transactionId)
  return transaction && pastNotifications(ledger, transaction).find((past) => past.event === event)
}

type Events = readonly (TerminalEventName | null)[]

/** Visits each moment at which a transaction told something. */
export function visitNotifications(
  transaction: Transaction,
  visit: (events: Events, order: number, at: number, what: string) => void,
): void {
  visitMoments(transaction, (at, what, order) => {
    const events = toldAt(what, transaction)
    if (events.length > 0) visit(events, order, at, what)
  })
}

/** Of what runs in the cloud only the result is told. */
const toldAt = (what: string, transaction: Transaction): Events => {
  const all = everythingAt(what, transaction)
  return transaction.inCloud ? (all.includes(null) ? result : nothing) : all
}

const nothing: Events = []
const result: Events = [null]
const received: Events = ['ORDER_RECEIVED']
const presented: Events = ['PAYMENT_PRESENTED']
const presentedForPin: Events = ['PAYMENT_PRESENTED', 'PIN_ENTERING']
const pin: Events = ['PIN_ENTERING']
const processing: Events = ['PAYMENT_PROCESSING']
const ended: Events = ['TRANSACTION_ENDED']
const printed: Events = ['PRINTING', 'PRINT_COMPLETED', 'TRANSACTION_ENDED']
const resultAndEnd: Events = [null, ...ended]
const resultAndPrint: Events = [null, ...printed]

function everythingAt(what: string, transaction: Transaction): Events {
  const prints = transaction.instructions?.print === true
  switch (what) {
    case 'opened':
      return received
    case 'card-presented':
      return pinFollows(transaction) === what ? presentedForPin : presented
    case 'tip-chosen':
      return pinFollows(transaction) === what ? pin : nothing
    case 'host-asked':
      return processing
    case 'approved':
      if (asksForSignature(transaction)) return result
      return prints ? resultAndPrint : resultAndEnd
    case 'signed':
      return ['SIGNATURE_CAPTURED', ...(prints ? printed : ended)]
    case 'signature-skipped':
      return prints ? printed : ended
    case 'declined':
    case 'closed':
      return resultAndEnd
    default:
      return nothing
  }
}

const asksForSignature = (transaction: Transaction): boolean =>
  transaction.screen === 'signature' ||
  happened(transaction, 'signed') ||
  happened(transaction, 'signature-skipped')

/** After which screen the PIN was asked for, if it was. */
function pinFollows(transaction: Transaction): 'card-presented' | 'tip-chosen' | null {
  if (cardReadOf(transaction)?.authenticationMethod !== 'PIN') return null
  if (happened(transaction, 'tip-chosen')) return 'tip-chosen'
  if (happened(transaction, 'pin-entered') || transaction.screen === 'pin') return 'card-presented'
  const atTip = transaction.screen === 'tip' || transaction.instructions?.tip !== undefined
  return atTip ? null : 'card-presented'
}

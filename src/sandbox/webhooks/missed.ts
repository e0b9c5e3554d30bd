import type { StreamedNotification, TerminalEventName } from '../../api/webhooks.ts'
import { cardReadOf } from '../../domain/cards.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { type Moment, momentsOf } from '../../domain/timeline.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Happened, notificationId, statusWhen, type Told, toldBy } from './notification.ts'

interface Past {
  readonly ledger: Ledger
  readonly transaction: Transaction
  readonly happened: Happened
  /** Place among those of its transaction. */
  readonly place: number
}

/**
 * What happened after the notification of that id, in order. It is read from the transactions themselves, so nothing has
 * to be kept for listeners. Empty without an id. assumption: event-stream
 */
export function missedSince(sandbox: Sandbox, lastId: string | undefined): StreamedNotification[] {
  if (lastId === undefined || (lastId !== beforeAll && toldBy(lastId) === undefined)) return []
  const all = everything(sandbox).sort(inOrder)
  const last = all.find(
    ({ ledger, happened }) => notificationId(ledger.settings.merchantId, happened) === lastId,
  )
  return all
    .filter((each) => last === undefined || isAfter(each, last))
    .map(({ ledger, transaction, happened }) => sandbox.announcer.write(ledger, transaction, happened))
}

/** Place of a stream that begins before anything happened. */
const beforeAll = '0'

/** Id of the last notification so far. */
export function latestId(sandbox: Sandbox): string {
  let latest: Past | undefined
  for (const past of everything(sandbox)) if (latest === undefined || inOrder(latest, past) < 0) latest = past
  return latest === undefined ? beforeAll : notificationId(latest.ledger.settings.merchantId, latest.happened)
}

const everything = ({ engine }: Sandbox): Past[] =>
  [...engine.book.ledgers.values()].flatMap((ledger) =>
    [...ledger.transactions.values()].flatMap((transaction) => pastOf(ledger, transaction)),
  )

const inOrder = (one: Past, other: Past): number =>
  one.happened.createdAt - other.happened.createdAt ||
  Number(one.transaction.id) - Number(other.transaction.id) ||
  one.place - other.place

/** Of the same moment, what another transaction told may have come before or after: it is told again. */
function isAfter({ happened, transaction, place }: Past, last: Past): boolean {
  if (transaction === last.transaction) return place > last.place
  return happened.createdAt >= last.happened.createdAt
}

/** True when the ledger's transaction has told that. */
export function hasHappened(ledger: Ledger, { transactionId, event }: Told): boolean {
  const transaction = ledger.transactions.get(transactionId)
  return (
    transaction !== undefined && pastOf(ledger, transaction).some(({ happened }) => happened.event === event)
  )
}

/** Everything that a transaction told, from its timeline. */
function pastOf(ledger: Ledger, transaction: Transaction): Past[] {
  const { id: transactionId, tip, inCloud } = transaction
  return momentsOf(transaction)
    .flatMap((moment) => toldAt(moment, transaction).map((event) => ({ event, moment })))
    .filter(({ event }) => event === null || !inCloud)
    .map(({ event, moment }, place) => ({
      ledger,
      transaction,
      place,
      happened: {
        transactionId,
        event,
        createdAt: moment.at,
        status: statusWhen(moment.what, transaction.status),
        tip,
      },
    }))
}

/** After which screen the PIN was asked for, if it was. */
function pinFollows(transaction: Transaction): 'card-presented' | 'tip-chosen' | null {
  if (cardReadOf(transaction)?.authenticationMethod !== 'PIN') return null
  const moments = momentsOf(transaction).map(({ what }) => what)
  if (moments.includes('tip-chosen')) return 'tip-chosen'
  if (moments.includes('pin-entered') || transaction.screen === 'pin') return 'card-presented'
  const atTip = transaction.screen === 'tip' || transaction.wishes?.tip !== undefined
  return atTip ? null : 'card-presented'
}

function toldAt({ what }: Moment, transaction: Transaction): readonly (TerminalEventName | null)[] {
  const end: readonly TerminalEventName[] = transaction.wishes?.print
    ? ['PRINTING', 'PRINT_COMPLETED', 'TRANSACTION_ENDED']
    : ['TRANSACTION_ENDED']
  switch (what) {
    case 'opened':
      return ['ORDER_RECEIVED']
    case 'card-presented':
      return pinFollows(transaction) === what ? ['PAYMENT_PRESENTED', 'PIN_ENTERING'] : ['PAYMENT_PRESENTED']
    case 'tip-chosen':
      return pinFollows(transaction) === what ? ['PIN_ENTERING'] : []
    case 'host-asked':
      return ['PAYMENT_PROCESSING']
    case 'approved':
      return momentsOf(transaction).some(({ what }) => what === 'signed' || what === 'signature-skipped') ||
        transaction.screen === 'signature'
        ? [null]
        : [null, ...end]
    case 'signed':
      return ['SIGNATURE_CAPTURED', ...end]
    case 'signature-skipped':
      return end
    case 'declined':
    case 'closed':
      return [null, 'TRANSACTION_ENDED']
    default:
      return []
  }
}

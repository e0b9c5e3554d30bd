import type { TerminalEventName } from '../../api/webhooks.ts'
import { cardReadOf } from '../../domain/cards.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { lastOrderOf, type Moment, momentsOf } from '../../domain/timeline.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Book } from '../book.ts'
import type { News } from './announcer.ts'
import { notificationId, statusWhen, type Told, toldBy } from './notification.ts'

interface Past extends News {
  /** Place among those of its transaction. */
  readonly place: number
}

/**
 * What happened after the notification of that id, in order, and what has that `order` or a later one. It is read from the
 * transactions themselves, so nothing has to be kept for listeners. Nothing for an id that is not ours.
 * assumption: event-stream
 */
export function missedSince(book: Book, lastId: string, since = Number.POSITIVE_INFINITY): News[] {
  const last = pastNamed(book, lastId)
  const foreign = lastId !== beforeAll && toldBy(lastId) === undefined
  const from = last?.order ?? (foreign ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)
  const earliest = Math.min(from, since)
  const missed: Past[] = []
  for (const ledger of book.ledgers.values())
    for (const transaction of ledger.transactions.values())
      if (lastOrderOf(transaction) >= earliest)
        for (const past of pastOf(ledger, transaction))
          if (past.order >= earliest && (last === undefined || isAfter(past, last))) missed.push(past)
  return missed.sort(inOrder)
}

/** Place of a stream that begins before anything happened. */
const beforeAll = '0'

/** Id of the last notification so far. */
export function latestId({ ledgers }: Book): string {
  let latest: Past | undefined
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions.values())
      if (latest === undefined || lastOrderOf(transaction) >= latest.order)
        for (const past of pastOf(ledger, transaction))
          if (latest === undefined || inOrder(latest, past) < 0) latest = past
  return latest === undefined ? beforeAll : notificationId(latest.merchantId, latest)
}

/** What the notification of that id tells of, if it happened. */
function pastNamed({ ledgers }: Book, id: string): Past | undefined {
  const told = toldBy(id)
  if (told === undefined) return undefined
  for (const ledger of ledgers.values())
    if (notificationId(ledger.settings.merchantId, told) === id) return pastTold(ledger, told)
  return undefined
}

/** What a transaction of the ledger has told, if it has. */
export function pastTold(ledger: Ledger, { transactionId, event }: Told): Past | undefined {
  const transaction = ledger.transactions.get(transactionId)
  return transaction && pastOf(ledger, transaction).find((past) => past.event === event)
}

const inOrder = (one: Past, other: Past): number =>
  one.order - other.order ||
  Number(one.transactionId) - Number(other.transactionId) ||
  one.place - other.place

/** Of the same moment, what another transaction told may have come before or after: it is told again. */
const isAfter = (past: Past, last: Past): boolean =>
  past.transactionId !== last.transactionId || past.place > last.place

/** Everything that a transaction told, from its timeline. */
function pastOf({ settings: { merchantId } }: Ledger, transaction: Transaction): Past[] {
  const { id: transactionId, tip, inCloud } = transaction
  return momentsOf(transaction)
    .flatMap((moment) => toldAt(moment, transaction).map((event) => ({ event, moment })))
    .filter(({ event }) => event === null || !inCloud)
    .map(({ event, moment: { at: createdAt, what, order } }, place) => {
      const status = statusWhen(what, transaction.status)
      return { merchantId, transactionId, event, createdAt, order, status, tip, place }
    })
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

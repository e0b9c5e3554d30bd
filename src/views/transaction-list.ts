import { exponentOf } from '../contract/currencies.ts'
import { type AmountRange, isWithin } from '../contract/sandbox/transactions/amount-range.ts'
import { onlineTerminal, type TransactionRow } from '../contract/sandbox/transactions/transaction-list.ts'
import type { Status, TransactionType } from '../contract/statuses.ts'
import { cardReadOf } from '../domain/model/cards.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import { waitingOf } from '../domain/wake-times.ts'
import { type OwnedTransaction, textMatcher } from './transaction-text.ts'
import { inTurns } from './turns.ts'

const isDone = {
  refunded: ({ followUps }: Transaction) => followUps !== null && followUps.refunded !== null,
  voided: ({ followUps }: Transaction) => followUps?.voided === true,
  captured: ({ followUps }: Transaction) => followUps?.captured === true,
} as const

/** What later operations did to a transaction; a part refunded counts as refunded. */
export type FollowUpWord = keyof typeof isDone

/** Every such word. */
export const followUpWords = Object.keys(isDone) as readonly FollowUpWord[]

/** Which transactions are meant; what is left out leaves none out. assumption: list-filters */
export interface TransactionFilters {
  readonly statuses?: readonly Status[] | undefined
  readonly type?: TransactionType | undefined
  /** Serial number, or `online` for those on no terminal. */
  readonly terminal?: string | undefined
  /** The order itself. */
  readonly order?: string | undefined
  /** What was done to it since. */
  readonly followUp?: FollowUpWord | undefined
  /** Words of which each is found in a transaction. */
  readonly text?: string | undefined
  /** Sandbox time from which on they were created, in milliseconds. */
  readonly since?: number | undefined
  /** Sandbox time before which they were created, in milliseconds. */
  readonly until?: number | undefined
  readonly amount?: AmountRange | undefined
}

/** A test whether a transaction is meant: the one home of the filters, for the dashboard and the control interface. */
export function transactionMatcher(filters: TransactionFilters): (owned: OwnedTransaction) => boolean {
  const { statuses, type, terminal, order, followUp, text, since, until, amount } = filters
  const contains = text === undefined ? undefined : textMatcher(text)
  return (owned) => {
    const { transaction } = owned
    return (
      (statuses === undefined || statuses.includes(transaction.status)) &&
      (type === undefined || transaction.type === type) &&
      (terminal === undefined || (transaction.terminalSn ?? onlineTerminal) === terminal) &&
      (order === undefined || transaction.orderId === order) &&
      (since === undefined || transaction.createdAt >= since) &&
      (until === undefined || transaction.createdAt < until) &&
      (followUp === undefined || isDone[followUp](transaction)) &&
      (amount === undefined ||
        isWithin(amount, amountOf(transaction), exponentOf(transaction.currency) ?? 0)) &&
      (contains === undefined || contains(owned))
    )
  }
}

/** So many transactions are looked at in one turn of the event loop. */
const turn = 2_000

/** A search for transactions: each that matches is shown as it is when it is found. */
interface Search<T> {
  readonly matches: (owned: OwnedTransaction) => boolean
  readonly show: (owned: OwnedTransaction) => T
  /** So many at most. */
  readonly limit: number
}

interface Found<T> {
  readonly id: string
  readonly shown: T
}

/** The newest that match, newest first. They are looked for in turns of the event loop: payments go on meanwhile. */
export async function newestTransactions<T>(ledgers: Iterable<Ledger>, search: Search<T>): Promise<T[]> {
  const found: Found<T>[] = []
  for (const ledger of [...ledgers]) await inTurns(searchLedger(ledger, search, found))
  found.sort((one, other) => Number(other.id) - Number(one.id))
  return found.slice(0, search.limit).map(({ shown }) => shown)
}

/** Adds the newest of a ledger that match; ids ascend in it. */
function* searchLedger<T>(
  ledger: Ledger,
  { matches, show, limit }: Search<T>,
  found: Found<T>[],
): Generator<void> {
  const read = readTransactions(ledger)
  while (read.advance(ledger.transactions.size)) yield
  const most = found.length + limit
  for (let index = read.transactions.length - 1; index >= 0 && found.length < most; index -= 1) {
    const transaction = read.transactions[index] as Transaction
    const owned = { ledger, transaction }
    if (matches(owned)) found.push({ id: transaction.id, shown: show(owned) })
    if (index % turn === turn - 1) yield
  }
}

/** The transactions of a ledger, oldest first, as far as they were read: a map can only be read from its beginning. */
interface ReadTransactions {
  readonly transactions: readonly Transaction[]
  /** Reads what fits into one turn; true while there are more, up to so many in all. */
  advance(size: number): boolean
}

const readOf = new WeakMap<Ledger['transactions'], ReadTransactions>()

/** Transactions are only ever added to a ledger, so what was read once is not read again. */
function readTransactions({ transactions: all }: Ledger): ReadTransactions {
  const known = readOf.get(all)
  if (known !== undefined) return known
  const transactions: Transaction[] = []
  const unread = all.values() // is never read to its end: then it would miss what is added later
  const read = {
    transactions,
    advance(size: number) {
      const end = Math.min(size, transactions.length + 10 * turn)
      while (transactions.length < end) transactions.push(unread.next().value as Transaction)
      return transactions.length < size
    },
  }
  readOf.set(all, read)
  return read
}

/** A transaction as lists tell of it. */
export function transactionRowOf({ ledger, transaction }: OwnedTransaction): TransactionRow {
  const card = cardReadOf(ledger, transaction)
  return {
    transactionId: transaction.id,
    transactionRequestId: transaction.transactionRequestId,
    referenceOrderId: transaction.orderId,
    originalTransactionId: transaction.originalId,
    merchantId: ledger.settings.merchantId,
    terminalSn: transaction.terminalSn,
    type: transaction.type,
    status: transaction.status,
    amount: amountOf(transaction),
    currency: transaction.currency,
    card: card && [card.paymentMethod, card.maskedPan].filter(Boolean).join(' '),
    resultCode: transaction.resultCode,
    resultMessage: transaction.resultMsg,
    waiting: waitingOf(ledger, transaction),
    createdAt: new Date(transaction.createdAt).toISOString(),
    completedAt: transaction.completedAt === null ? null : new Date(transaction.completedAt).toISOString(),
  }
}

import { exponentOf } from '../contract/currencies.ts'
import { type AmountRange, isWithin } from '../contract/sandbox/transactions/amount-range.ts'
import { onlineTerminal, type TransactionRow } from '../contract/sandbox/transactions/transaction-list.ts'
import type { Status, TransactionType } from '../contract/statuses.ts'
import { cardReadOf } from '../domain/model/cards.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import { waitingOf } from '../domain/wake-times.ts'
import { inTurns } from './event-loop-turns.ts'
import { hasCard, type OwnedTransaction, textMatcher } from './transaction-text.ts'

const isDone = {
  refunded: ({ followUps }: Transaction) => followUps !== null && followUps.refunded !== null,
  voided: ({ followUps }: Transaction) => followUps?.voided === true,
  captured: ({ followUps }: Transaction) => followUps?.captured === true,
} as const

/** What later operations did to a transaction; a part refunded counts as refunded. */
export type FollowUpWord = keyof typeof isDone

export const followUpWords = Object.keys(isDone) as readonly FollowUpWord[]

/** Filters for transactions; an absent one matches all. assumption: list-filters */
export interface TransactionFilters {
  readonly statuses?: readonly Status[] | undefined
  readonly type?: TransactionType | undefined
  /** Serial number, or `online` for those on no terminal. */
  readonly terminal?: string | undefined
  readonly orderId?: string | undefined
  /** Last four digits of the card. */
  readonly last4?: string | undefined
  /** What was done to it since. */
  readonly followUp?: FollowUpWord | undefined
  /** Words that must all occur in a transaction. */
  readonly text?: string | undefined
  /** Sandbox time from which on they were created, in milliseconds. */
  readonly since?: number | undefined
  /** Sandbox time before which they were created, in milliseconds. */
  readonly until?: number | undefined
  readonly amount?: AmountRange | undefined
}

/** A test whether a transaction passes the filters, for the dashboard and the control interface. */
export function transactionMatcher(filters: TransactionFilters): (owned: OwnedTransaction) => boolean {
  const { statuses, type, terminal, orderId, last4, followUp, text, since, until, amount } = filters
  const contains = text === undefined ? undefined : textMatcher(text)
  return ({ ledger, transaction }) =>
    (statuses === undefined || statuses.includes(transaction.status)) &&
    (type === undefined || transaction.type === type) &&
    (terminal === undefined || (transaction.terminalSn ?? onlineTerminal) === terminal) &&
    (orderId === undefined || transaction.orderId === orderId) &&
    (last4 === undefined || hasCard({ ledger, transaction }, last4, true)) &&
    (since === undefined || transaction.createdAt >= since) &&
    (until === undefined || transaction.createdAt < until) &&
    (followUp === undefined || isDone[followUp](transaction)) &&
    (amount === undefined ||
      isWithin(amount, amountOf(transaction), exponentOf(transaction.currency) ?? 0)) &&
    (contains === undefined || contains({ ledger, transaction }))
}

/** Transactions that are read in one turn of the event loop. */
const transactionsPerTurn = 2_000

/** A search for transactions: each match is shown as it was when it was found. */
interface TransactionSearch<T> {
  readonly matches: (owned: OwnedTransaction) => boolean
  readonly show: (owned: OwnedTransaction) => T
  /** Most that are found. */
  readonly limit: number
}

interface MatchingTransaction<T> {
  readonly id: string
  readonly shown: T
}

/** The newest that match, newest first. They are looked for in turns of the event loop: payments go on meanwhile. */
export async function newestTransactions<T>(
  ledgers: Iterable<Ledger>,
  search: TransactionSearch<T>,
): Promise<T[]> {
  const found: MatchingTransaction<T>[] = []
  for (const ledger of [...ledgers]) await inTurns(searchLedger(ledger, search, found))
  found.sort((one, other) => Number(other.id) - Number(one.id))
  return found.slice(0, search.limit).map(({ shown }) => shown)
}

/** Adds the newest of a ledger that match; ids ascend in it. */
function* searchLedger<T>(
  ledger: Ledger,
  { matches, show, limit }: TransactionSearch<T>,
  found: MatchingTransaction<T>[],
): Generator<void> {
  const most = found.length + limit
  let readCount = 0
  for (const transaction of ledger.transactions.newest()) {
    const owned = { ledger, transaction }
    if (matches(owned)) found.push({ id: transaction.id, shown: show(owned) })
    if (found.length === most) return
    readCount += 1
    if (readCount % transactionsPerTurn === 0) yield
  }
}

/** A transaction in a list. */
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

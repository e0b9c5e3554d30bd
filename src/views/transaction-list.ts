import { exponentOf } from '../contract/currencies.ts'
import { type AmountRange, isWithin } from '../contract/sandbox/transactions/amount-range.ts'
import { onlineTerminal, type TransactionRow } from '../contract/sandbox/transactions/transaction-list.ts'
import type { Status, TransactionType } from '../contract/statuses.ts'
import { cardReadOf } from '../domain/model/cards.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import { waitingOf } from '../domain/wake-times.ts'

/** A transaction with its ledger. */
export interface OwnedTransaction {
  readonly ledger: Ledger
  readonly transaction: Transaction
}

/** Which transactions are meant; what is left out leaves none out. assumption: list-filters */
export interface TransactionFilters {
  readonly statuses?: readonly Status[] | undefined
  readonly type?: TransactionType | undefined
  /** Serial number, or `online` for those on no terminal. */
  readonly terminal?: string | undefined
  /** The order itself. */
  readonly order?: string | undefined
  /** Part of the id, of the transaction request id or of the order, in small letters. */
  readonly text?: string | undefined
  /** Sandbox time from which on they were created, in milliseconds. */
  readonly since?: number | undefined
  readonly amount?: AmountRange | undefined
}

/** A test whether a transaction is meant: the one home of the filters, for the dashboard and the control interface. */
export function transactionMatcher(
  filters: TransactionFilters,
): (owned: Pick<OwnedTransaction, 'transaction'>) => boolean {
  const { statuses, type, terminal, order, text, since, amount } = filters
  return ({ transaction }) =>
    (statuses === undefined || statuses.includes(transaction.status)) &&
    (type === undefined || transaction.type === type) &&
    (terminal === undefined || (transaction.terminalSn ?? onlineTerminal) === terminal) &&
    (order === undefined || transaction.orderId === order) &&
    (since === undefined || transaction.createdAt >= since) &&
    (amount === undefined ||
      isWithin(amount, amountOf(transaction), exponentOf(transaction.currency) ?? 0)) &&
    (text === undefined || namesOf(transaction).some((name) => name.includes(text)))
}

const namesOf = ({ id, transactionRequestId, orderId }: Transaction): string[] =>
  [id, transactionRequestId, orderId ?? ''].map((name) => name.toLowerCase())

/** The newest that match, newest first, at most so many; ids ascend in each ledger. */
export function newestTransactions(
  ledgers: Iterable<Ledger>,
  matches: (owned: OwnedTransaction) => boolean,
  limit: number,
): OwnedTransaction[] {
  const found: OwnedTransaction[] = []
  for (const ledger of ledgers) {
    const all = [...ledger.transactions.values()]
    const most = found.length + limit
    for (let index = all.length - 1; index >= 0 && found.length < most; index -= 1) {
      const owned = { ledger, transaction: all[index] as Transaction }
      if (matches(owned)) found.push(owned)
    }
  }
  found.sort((one, other) => Number(other.transaction.id) - Number(one.transaction.id))
  return found.slice(0, limit)
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

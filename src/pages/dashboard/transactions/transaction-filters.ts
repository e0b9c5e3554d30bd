import { exponentOf } from '../../../contract/currencies.ts'
import { type Status, statusLetters, type TransactionType } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import type { CountedTransaction } from '../../../views/statistics/statistics.ts'
import { typeNames } from '../../components/format.ts'
import type { QueryReader } from '../lists/query.ts'

/**
 * Filters of the transactions by query parameter; an empty one matches everything. `from` and `to` are amounts in major
 * units of the transaction's own currency.
 */
export type TransactionFilters = ReturnType<typeof readTransactionFilters>

/** Statuses to choose from. */
export const statusChoices = Object.keys(statusLetters) as readonly Status[]

/** Types to choose from. */
export const typeChoices = Object.keys(typeNames) as readonly TransactionType[]

/** The filter value for transactions without a terminal. */
export const onlineChoice = 'online'

const isAmount = (text: string): boolean => /^\d{1,12}(\.\d{1,4})?$/.test(text)

/** Reads the filters; what is wrong with them joins the reader's problems. assumption: dashboard-list */
export function readTransactionFilters(reader: QueryReader) {
  const filters = {
    status: reader.oneOf('status', statusChoices),
    type: reader.oneOf('type', typeChoices),
    terminal: reader.shortText('terminal', 'The terminal'),
    from: reader.text('from', isAmount, 'The lowest amount must be a number such as 10 or 10.50.'),
    to: reader.text('to', isAmount, 'The highest amount must be a number such as 10 or 10.50.'),
    q: reader.shortText('q', 'The search text'),
  }
  if (filters.from !== '' && filters.to !== '' && Number(filters.from) > Number(filters.to))
    reader.problems.push('The lowest amount is above the highest: nothing can match.')
  return filters
}

/** A test whether a transaction matches the filters. */
export function transactionMatcher(filters: TransactionFilters): (counted: CountedTransaction) => boolean {
  const { status, type, terminal } = filters
  const text = filters.q.toLowerCase()
  const [from, to] = [filters.from, filters.to].map((amount) => (amount === '' ? null : Number(amount)))
  return ({ transaction }) => {
    if (status !== '' && transaction.status !== status) return false
    if (type !== '' && transaction.type !== type) return false
    if (terminal !== '' && (transaction.terminalSn ?? onlineChoice) !== terminal) return false
    if (from != null || to != null) {
      const amount = amountOf(transaction) / 10 ** (exponentOf(transaction.currency) ?? 0)
      if ((from != null && amount < from) || (to != null && amount > to)) return false
    }
    return (
      text === '' ||
      transaction.id.includes(text) ||
      transaction.transactionRequestId.toLowerCase().includes(text) ||
      (transaction.orderId?.toLowerCase().includes(text) ?? false)
    )
  }
}

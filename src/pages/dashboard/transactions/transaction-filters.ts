import { exponentOf } from '../../../contract/currencies.ts'
import { type Status, statusLetters, type TransactionType } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/transaction.ts'
import type { CountedTransaction } from '../../../views/statistics/statistics.ts'
import { typeNames } from '../../components/format.ts'

/** What the list is narrowed to, by names of query parameters; empty texts narrow nothing. */
export interface Filters {
  readonly status: string
  readonly type: string
  readonly terminal: string
  /** Amounts in major units of whatever currency a transaction has. */
  readonly from: string
  readonly to: string
  readonly q: string
}

/** Statuses that can be asked for. */
export const statusChoices = Object.keys(statusLetters) as readonly Status[]

/** Kinds that can be asked for. */
export const typeChoices = Object.keys(typeNames) as readonly TransactionType[]

/** What stands for transactions without a terminal. */
export const onlineChoice = 'online'

const amountPattern = /^\d{1,12}(\.\d{1,4})?$/

/** Longest text that is searched for. */
const longestText = 64

/** Reads the filters of a query; what is wrong with them is said, and they narrow nothing. assumption: dashboard-list */
export function readFilters(query: Readonly<Record<string, string>>): {
  filters: Filters
  problems: readonly string[]
} {
  const problems: string[] = []
  const take = (name: keyof Filters, fits: (text: string) => boolean, problem: string) => {
    const text = query[name]?.trim() ?? ''
    if (text === '' || fits(text)) return text
    problems.push(problem)
    return ''
  }
  const amount = (text: string) => amountPattern.test(text)
  const filters: Filters = {
    status: take(
      'status',
      (text) => statusChoices.includes(text as Status),
      `The status must be one of ${statusChoices.join(', ')}.`,
    ),
    type: take(
      'type',
      (text) => typeChoices.includes(text as TransactionType),
      `The type must be one of ${typeChoices.join(', ')}.`,
    ),
    terminal: take(
      'terminal',
      (text) => text.length <= longestText,
      'The terminal has at most 64 characters.',
    ),
    from: take('from', amount, 'The lowest amount must be a number such as 10 or 10.50.'),
    to: take('to', amount, 'The highest amount must be a number such as 10 or 10.50.'),
    q: take('q', (text) => text.length <= longestText, 'The text to search for has at most 64 characters.'),
  }
  if (filters.from !== '' && filters.to !== '' && Number(filters.from) > Number(filters.to))
    problems.push('The lowest amount is above the highest: nothing can match.')
  return { filters, problems }
}

/** True when anything is narrowed. */
export const narrows = (filters: object): boolean => Object.values(filters).some((text) => text !== '')

/** Whether a transaction fits. */
export function matcher(filters: Filters): (counted: CountedTransaction) => boolean {
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
      transaction.requestId.toLowerCase().includes(text) ||
      (transaction.orderId?.toLowerCase().includes(text) ?? false)
    )
  }
}

/** The query of the filters with more in it; what is empty is left out. */
export function queryWith(filters: object, more: Readonly<Record<string, string>> = {}): string {
  const all = { ...filters, ...more }
  const query = new URLSearchParams(Object.entries(all).filter(([, text]) => text !== '')).toString()
  return query === '' ? '' : `?${query}`
}

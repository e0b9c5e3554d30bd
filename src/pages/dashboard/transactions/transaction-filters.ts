import { onlineTerminal } from '../../../contract/sandbox/transactions/transaction-list.ts'
import {
  type Status,
  statusesSaid,
  statusForms,
  statusLetters,
  type TransactionType,
  typeNamed,
} from '../../../contract/statuses.ts'
import { type OwnedTransaction, transactionMatcher } from '../../../views/transaction-list.ts'
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
export const onlineChoice = onlineTerminal

const isAmount = (text: string): boolean => /^\d{1,12}(\.\d{1,4})?$/.test(text)

/** Reads the filters; what is wrong with them joins the reader's problems. assumption: dashboard-list */
export function readTransactionFilters(reader: QueryReader) {
  const filters = {
    status: statusIn(
      reader.text('status', (text) => statusesSaid(text) !== undefined, `The status must be ${statusForms}.`),
    ),
    type:
      typeNamed(
        reader.text(
          'type',
          (text) => typeNamed(text) !== undefined,
          `The type must be one of ${typeChoices.join(', ')}.`,
        ),
      ) ?? '',
    terminal: reader.shortText('terminal', 'The terminal'),
    from: reader.text('from', isAmount, 'The lowest amount must be a number such as 10 or 10.50.'),
    to: reader.text('to', isAmount, 'The highest amount must be a number such as 10 or 10.50.'),
    q: reader.shortText('q', 'The search text'),
  }
  if (filters.from !== '' && filters.to !== '' && Number(filters.from) > Number(filters.to))
    reader.problems.push('The lowest amount is above the highest: nothing can match.')
  return filters
}

/** A status as the form has it; words for several stay as they were said. assumption: list-filters */
function statusIn(said: string): string {
  const [status, ...others] = statusesSaid(said) ?? []
  return status === undefined || others.length > 0 ? said : status
}

/** A test whether a transaction matches the filters; an amount is in units of its own currency. */
export function matcherOf(
  filters: TransactionFilters,
): (owned: Pick<OwnedTransaction, 'transaction'>) => boolean {
  const { status, type, terminal, from, to, q } = filters
  const bound = (text: string) => (text === '' ? null : ({ units: 'major', value: Number(text) } as const))
  return transactionMatcher({
    statuses: status === '' ? statusChoices : statusesSaid(status),
    type: typeChoices.find((each) => each === type),
    terminal: terminal || undefined,
    amount: { from: bound(from), to: bound(to) },
    text: q.toLowerCase() || undefined,
  })
}

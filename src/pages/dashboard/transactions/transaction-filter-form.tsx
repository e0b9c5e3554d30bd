import { onlineTerminal, readMajorUnits } from '../../../contract/control/transaction-list.ts'
import { parseStatuses, statusWords, type TransactionType, typeNames } from '../../../contract/statuses.ts'
import {
  followUpWords,
  type OwnedTransaction,
  transactionMatcher,
} from '../../../sandbox/views/transaction-text.ts'
import { capitalize } from '../../../shared/text/words.ts'
import type { SelectOption } from '../../components/actions.tsx'
import { type PagesContext, terminalsIn } from '../../frame/page-view.tsx'
import { readRange } from '../charts/time-range.tsx'
import { Choice, filterLook, type QueryReader } from '../lists/filter-form.tsx'

/** The filters of the transactions besides search and time range. */
export const transactionChoices = (context: PagesContext, filters: OtherFilters) => (
  <>
    <Choice name="status" filters={filters} options={statusOptions} />
    <Choice name="type" filters={filters} options={typeChoices.map((type) => [type, typeNames[type]])} />
    <Choice name="terminal" filters={filters} options={terminalOptions(context)} />
    <fieldset
      class={`filter-range flex items-center gap-1 ${filterLook(Boolean(filters.from || filters.to), 'w-46 tight:basis-39')}`}
    >
      <legend class="sr-only">Amount</legend>
      {amountField('from', filters.from, 'Lowest amount')}
      <span aria-hidden="true">–</span>
      {amountField('to', filters.to, 'Highest amount')}
    </fieldset>
  </>
)

const amountField = (name: 'from' | 'to', value: string, label: string) => (
  <input
    class="placeholder:text-note placeholder-shown:[&::-webkit-search-cancel-button]:hidden"
    id={`filter-${name}`}
    type="search"
    name={name}
    value={value}
    inputmode="decimal"
    placeholder={name === 'from' ? 'Amount' : 'to any'}
    aria-label={label}
    autocomplete="off"
  />
)

const terminalOptions = (context: PagesContext): readonly SelectOption[] => [
  [onlineTerminal, 'Online'],
  ...terminalsIn(context).map(({ terminalSn }) => terminalSn),
]

/**
 * Filters of the transactions by query parameter; an empty one matches everything. `from` and `to` are
 * amounts in major units of the transaction's own currency, `since` and `until` the time range.
 */
export type TransactionFilterQuery = ReturnType<typeof readTransactionFilters>

/** Statuses to choose from, in words, and follow-ups. assumption: list-filters */
const statusChoices = [...statusWords, ...followUpWords] as const

const statusOptions = statusChoices.map((each) => [each, capitalize(each)] as const)

const typeChoices = Object.keys(typeNames) as readonly TransactionType[]

const isAmount = (text: string): boolean => readMajorUnits(text) !== undefined

/** Reads the filters; errors are added to the reader's problems. assumption: dashboard-list */
export const readTransactionFilters = (reader: QueryReader) => ({
  status: reader.oneOf('status', statusChoices),
  ...readRange(reader),
  type: reader.oneOf('type', typeChoices),
  terminal: reader.shortText('terminal', 'The terminal'),
  from: reader.text('from', isAmount, 'The lowest amount must be a number such as 10 or 10.50.'),
  to: reader.text('to', isAmount, 'The highest amount must be a number such as 10 or 10.50.'),
  q: reader.shortText('q', 'The search text'),
})

/** The filters that are no time range. */
export type OtherFilters = Omit<TransactionFilterQuery, 'since' | 'until'>

/**
 * A test whether a transaction matches the filters; an amount is in units of its own currency. `hasText`:
 * false leaves the text out.
 */
export function filterMatcher(filters: OtherFilters, hasText = true): (owned: OwnedTransaction) => boolean {
  const { status, type, terminal, from, to, q } = filters
  const bound = (text: string) => readMajorUnits(text) ?? null
  const followUp = followUpWords.find((word) => word === status)
  return transactionMatcher({
    statuses: status === '' || followUp !== undefined ? undefined : parseStatuses(status),
    followUp,
    type: typeChoices.find((each) => each === type),
    terminal: terminal || undefined,
    amount: from === '' && to === '' ? undefined : { from: bound(from), to: bound(to) },
    text: (hasText && q) || undefined,
  })
}

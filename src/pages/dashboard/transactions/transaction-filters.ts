import { readMajorUnits } from '../../../contract/sandbox/transactions/amount-range.ts'
import { onlineTerminal } from '../../../contract/sandbox/transactions/transaction-list.ts'
import {
  parseStatuses,
  statusWordOf,
  statusWords,
  type TransactionType,
  typeNamed,
  typeNames,
} from '../../../contract/statuses.ts'
import { daysAfter, localDate, readLocalTime } from '../../../domain/model/local-time.ts'
import { followUpWords, transactionMatcher } from '../../../views/find-transactions.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import type { QueryReader } from '../lists/list-query.ts'

/**
 * Filters of the transactions by query parameter; an empty one matches everything. `from` and `to` are amounts in major
 * units of the transaction's own currency, `since` and `until` dates or times in the first merchant's time zone.
 */
export type TransactionFilterQuery = ReturnType<typeof readTransactionFilters>

/** Statuses to choose from, in words, and follow-ups. assumption: list-filters */
export const statusChoices = [...statusWords, ...followUpWords] as const

/** Days to choose from, with their labels. */
export const dayChoices = { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 days' } as const

/** Types to choose from. */
export const typeChoices = Object.keys(typeNames) as readonly TransactionType[]

/** The filter value for transactions without a terminal. */
export const onlineChoice = onlineTerminal

const isAmount = (text: string): boolean => readMajorUnits(text) !== undefined

/** Reads the filters; errors are added to the reader's problems. assumption: dashboard-list */
export function readTransactionFilters(reader: QueryReader) {
  const filters = {
    status: statusIn(
      reader.text(
        'status',
        (text) => isFollowUp(text) || parseStatuses(text) !== undefined,
        `The status must be ${statusChoices.join(', ')}, a status such as SUCCESS, or its letter.`,
      ),
    ),
    when: reader.oneOf('when', Object.keys(dayChoices)),
    since: reader.text('since', isLocalTime, timeProblem('first')),
    until: reader.text('until', isLocalTime, timeProblem('last')),
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
    match: reader.oneOf('match', ['part']),
  }
  if (filters.from !== '' && filters.to !== '' && Number(filters.from) > Number(filters.to))
    reader.problems.push('The lowest amount is above the highest: nothing can match.')
  if (filters.since !== '' && filters.until !== '' && filters.since > endOf(filters.until))
    reader.problems.push('The first time is after the last: nothing can match.')
  if (filters.since !== '' || filters.until !== '') filters.when = ''
  if (filters.q === '') filters.match = ''
  return filters
}

/** The end of a day that is named without a time of day, for comparing texts. */
const endOf = (until: string): string => (until.length === 10 ? `${until}T24:00` : until)

const isLocalTime = (text: string): boolean => readLocalTime(text, 'UTC') !== undefined

const timeProblem = (which: 'first' | 'last'): string =>
  `The ${which} time must be a date such as 2026-11-20, or a time such as 2026-11-20T18:02.`

const isFollowUp = (text: string): boolean => followUpWords.some((word) => word === text.toLowerCase())

/** A status in the form's words; several are unchanged. assumption: list-filters */
function statusIn(text: string): string {
  if (isFollowUp(text)) return text.toLowerCase()
  const words = new Set(parseStatuses(text)?.map(statusWordOf))
  const isOne = words.size === 1 && !/^(i|p|initial|processing)$/i.test(text)
  return isOne ? [...words].join('') : text
}

/** Where the days of the filters are: the sandbox's time in milliseconds, and the time zone. */
export interface Today {
  readonly now: number
  readonly timeZone: string
}

/** Start and end in sandbox time; undefined is open. The end is exclusive. */
export function timeRangeOf(
  { when, since, until }: Pick<TransactionFilterQuery, 'when' | 'since' | 'until'>,
  { now, timeZone }: Today,
): { readonly since: number | undefined; readonly until: number | undefined } {
  const at = (text: string) => (text === '' ? undefined : readLocalTime(text, timeZone))
  const today = localDate(now, timeZone)
  if (when === 'today') return { since: at(today), until: undefined }
  if (when === 'yesterday') return { since: at(daysAfter(today, -1)), until: at(today) }
  if (when === 'week') return { since: at(daysAfter(today, -6)), until: undefined }
  const isDate = until.length === 10 // the whole day counts
  return { since: at(since), until: at(isDate ? daysAfter(until, 1) : until) }
}

/** A test whether a transaction matches the filters; an amount is in units of its own currency. `hasText`: false leaves the text out. */
export function matcherOf(
  filters: TransactionFilterQuery,
  today: Today,
  hasText = true,
): (owned: OwnedTransaction) => boolean {
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
    ...timeRangeOf(filters, today),
  })
}

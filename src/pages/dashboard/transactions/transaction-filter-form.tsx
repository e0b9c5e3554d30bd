import { onlineTerminal, readMajorUnits } from '../../../contract/sandbox/transaction-list.ts'
import {
  parseStatuses,
  statusWordOf,
  statusWords,
  type TransactionType,
  typeNamed,
  typeNames,
} from '../../../contract/statuses.ts'
import { daysAfter, localDate, readLocalTime } from '../../../domain/model/local-time.ts'
import { capitalize } from '../../../text/words.ts'
import { followUpWords, type OwnedTransaction, transactionMatcher } from '../../../views/transaction-text.ts'
import { Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'
import { Choice } from '../lists/filter-form.tsx'
import type { QueryReader } from '../lists/list-query.ts'

/** Most terminals that are listed by name. */
const offeredTerminals = 100

/** The filters of the transactions besides the search, the less used ones in a fold. */
export const transactionChoices = (context: PagesContext, filters: TransactionFilterQuery) => (
  <>
    <Choice name="status" filters={filters} options={statusOptions(filters)} />
    <Choice name="when" label="time" filters={filters} options={Object.entries(dayChoices)} />
    <Choice name="type" filters={filters} options={typeChoices.map((type) => [type, typeNames[type]])} />
    <Choice name="terminal" filters={filters} options={terminalOptions(context, filters)} />
    <Fold summary={foldTitle(filters)} className="fold filter-more relative">
      <div class="popover filter-more-fields">
        <fieldset class="filter-range row wrap gap-1">
          <legend>Amount</legend>
          {amountField('from', filters.from, 'Lowest amount')}
          <span aria-hidden="true">–</span>
          {amountField('to', filters.to, 'Highest amount')}
        </fieldset>
        <fieldset class="filter-range row wrap gap-1">
          <legend>Dates</legend>
          {timeField('since', filters.since, 'First date')}
          <span aria-hidden="true">–</span>
          {timeField('until', filters.until, 'Last date')}
        </fieldset>
        <Submit look="main">Apply</Submit>
      </div>
    </Fold>
  </>
)

/** How many of the filters in the fold are set. */
function foldTitle({ from, to, since, until }: TransactionFilterQuery): string {
  const set = [from || to, since || until].filter((text) => text !== '').length
  return set === 0 ? 'More' : `More (${set})`
}

/** A status that is not in the list, such as several, becomes a choice only when it is set. */
function statusOptions({ status }: TransactionFilterQuery): [string, string][] {
  const usual = statusChoices.map((each): [string, string] => [each, capitalize(each)])
  const isUnlisted = status !== '' && !statusChoices.some((each) => each === status)
  return isUnlisted ? [...usual, [status, capitalize(status)]] : usual
}

const amountField = (name: 'from' | 'to', value: string, label: string) => (
  <input
    name={name}
    value={value}
    inputmode="decimal"
    placeholder={name === 'from' ? '0.00' : 'any'}
    aria-label={label}
    autocomplete="off"
  />
)

/** A field for a date; for a time of day where the address has one, as the bars of the charts set it. */
const timeField = (name: 'since' | 'until', value: string, label: string) => (
  <input
    type={value.length > 10 ? 'datetime-local' : 'date'}
    name={name}
    value={value}
    aria-label={label}
    autocomplete="off"
  />
)

function terminalOptions({ engine }: PagesContext, { terminal }: TransactionFilterQuery): [string, string][] {
  const serials = new Set<string>()
  for (const { terminals } of engine.state.ledgers.values())
    for (const serial of terminals.keys()) {
      if (serials.size >= offeredTerminals) break
      serials.add(serial)
    }
  if (terminal !== '' && terminal !== onlineChoice) serials.add(terminal)
  return [[onlineChoice, 'Online'], ...[...serials].map((serial): [string, string] => [serial, serial])]
}

/**
 * Filters of the transactions by query parameter; an empty one matches everything. `from` and `to` are amounts in major
 * units of the transaction's own currency, `since` and `until` dates or times in the first merchant's time zone.
 */
export type TransactionFilterQuery = ReturnType<typeof readTransactionFilters>

/** Statuses to choose from, in words, and follow-ups. assumption: list-filters */
const statusChoices = [...statusWords, ...followUpWords] as const

/** Days to choose from, with their labels. */
const dayChoices = { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 days' } as const

/** Types to choose from. */
const typeChoices = Object.keys(typeNames) as readonly TransactionType[]

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
interface Today {
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

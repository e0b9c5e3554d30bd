import { typeNames } from '../../../contract/statuses.ts'
import { capitalize } from '../../../text/capitalize.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import {
  dayChoices,
  onlineChoice,
  statusChoices,
  type TransactionFilterQuery,
  typeChoices,
} from './transaction-filters.ts'

/** Most terminals that are listed by name. */
const offeredTerminals = 100

interface TransactionFilterFormProps {
  readonly filters: TransactionFilterQuery
  readonly context: Pick<PagesContext, 'engine'>
  /** The span of the charts, where one was chosen: it stays. */
  readonly span: string
  /** The columns of the list, where some were chosen. */
  readonly columns: string
  readonly problems: readonly string[]
}

/** The filters of the transactions: a bar, and a fold for the less used ones. */
export const TransactionFilterForm = ({
  filters,
  context,
  span,
  columns,
  problems,
}: TransactionFilterFormProps) => (
  <FilterForm
    label="Transactions"
    path="/"
    searchLabel="Search id, order, amount, card, result"
    hasShowAll={false}
    {...{ filters, problems }}
  >
    <Choice name="status" filters={filters} options={statusOptions(filters)} />
    <Choice name="when" label="time" filters={filters} options={Object.entries(dayChoices)} />
    <Fold summary={foldTitle(filters)} className="fold filter-more">
      <div class="popover filter-more-fields">
        <Choice name="type" filters={filters} options={typeChoices.map((type) => [type, typeNames[type]])} />
        <Choice name="terminal" filters={filters} options={terminalOptions(context, filters)} />
        <fieldset class="filter shrinks filter-range row gap-1">
          <legend>Amount</legend>
          {amountField('from', filters.from, 'Lowest amount')}
          <span aria-hidden="true">–</span>
          {amountField('to', filters.to, 'Highest amount')}
        </fieldset>
        <fieldset class="filter shrinks filter-range row gap-1">
          <legend>Dates</legend>
          {timeField('since', filters.since, 'First date')}
          <span aria-hidden="true">–</span>
          {timeField('until', filters.until, 'Last date')}
        </fieldset>
        <Submit look="main">Apply</Submit>
      </div>
    </Fold>
    <Hidden fields={{ span, columns }} />
  </FilterForm>
)

/** How many of the filters in the fold are set. */
function foldTitle({ type, terminal, from, to, since, until }: TransactionFilterQuery): string {
  const set = [type, terminal, from || to, since || until].filter((text) => text !== '').length
  return set === 0 ? 'Filters' : `Filters (${set})`
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

function terminalOptions(
  { engine }: Pick<PagesContext, 'engine'>,
  { terminal }: TransactionFilterQuery,
): [string, string][] {
  const serials = new Set<string>()
  for (const { terminals } of engine.state.ledgers.values())
    for (const serial of terminals.keys()) {
      if (serials.size >= offeredTerminals) break
      serials.add(serial)
    }
  if (terminal !== '' && terminal !== onlineChoice) serials.add(terminal)
  return [[onlineChoice, 'Online'], ...[...serials].map((serial): [string, string] => [serial, serial])]
}

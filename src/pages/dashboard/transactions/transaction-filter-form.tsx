import { capitalize } from '../../../text/capitalize.ts'
import { statusName, typeNames } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import { onlineChoice, statusChoices, type TransactionFilters, typeChoices } from './transaction-filters.ts'

/** Most terminals that are listed by name. */
const offeredTerminals = 100

interface TransactionFilterFormProps {
  readonly filters: TransactionFilters
  readonly context: PagesContext
  readonly problems: readonly string[]
}

/** The filters of the transactions. */
export const TransactionFilterForm = ({ filters, context, problems }: TransactionFilterFormProps) => (
  <FilterForm label="Transactions" path="/" searchLabel="Id, order or request id" {...{ filters, problems }}>
    <Choice name="status" filters={filters} options={statusOptions(filters)} />
    <Choice name="type" filters={filters} options={typeChoices.map((type) => [type, typeNames[type]])} />
    <Choice name="terminal" filters={filters} options={terminalOptions(context, filters)} />
    <fieldset class="filter filter-range">
      <legend class="visually-hidden">Amount, in units of its currency</legend>
      {amountField('from', filters.from, 'Lowest amount')}
      <span aria-hidden="true">–</span>
      {amountField('to', filters.to, 'Highest amount')}
    </fieldset>
  </FilterForm>
)

/** Words for several statuses, such as pending, are a choice only where they were said. */
function statusOptions({ status }: TransactionFilters): [string, string][] {
  const single = statusChoices.map((each): [string, string] => [each, statusName(each)])
  const isSaid = status !== '' && !statusChoices.some((each) => each === status)
  return isSaid ? [...single, [status, capitalize(status)]] : single
}

const amountField = (name: 'from' | 'to', value: string, label: string) => (
  <input
    name={name}
    value={value}
    inputmode="decimal"
    placeholder={name === 'from' ? 'Amount from' : 'to'}
    aria-label={label}
    autocomplete="off"
  />
)

function terminalOptions(
  { engine }: Pick<PagesContext, 'engine'>,
  { terminal }: TransactionFilters,
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

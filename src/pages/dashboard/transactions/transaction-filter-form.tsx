import { statusNames, typeNames } from '../../components/format.ts'
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
    <Choice
      name="status"
      label="Status"
      value={filters.status}
      options={statusChoices.map((status) => [status, statusNames[status]])}
    />
    <Choice
      name="type"
      label="Type"
      value={filters.type}
      options={typeChoices.map((type) => [type, typeNames[type]])}
    />
    <Choice
      name="terminal"
      label="Terminal"
      value={filters.terminal}
      options={terminalOptions(context, filters)}
    />
    <fieldset class="filter filter-range">
      <legend>Amount, in units of its currency</legend>
      <input
        name="from"
        value={filters.from}
        inputmode="decimal"
        placeholder="from"
        aria-label="Lowest amount"
        autocomplete="off"
      />
      <span aria-hidden="true">–</span>
      <input
        name="to"
        value={filters.to}
        inputmode="decimal"
        placeholder="to"
        aria-label="Highest amount"
        autocomplete="off"
      />
    </fieldset>
  </FilterForm>
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

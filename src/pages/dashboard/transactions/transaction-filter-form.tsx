import { statusNames, typeNames } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { Choice, FilterFrame } from '../lists/filter-form.tsx'
import { type Filters, onlineChoice, statusChoices, typeChoices } from './transaction-filters.ts'

/** So many terminals are offered by name. */
const offeredTerminals = 100

interface FilterFormProps {
  readonly filters: Filters
  readonly context: PagesContext
  readonly problems: readonly string[]
}

/** The filters of the transactions. */
export const FilterForm = ({ filters, context, problems }: FilterFormProps) => (
  <FilterFrame label="Transactions" path="/" sought="Id, order or request" {...{ filters, problems }}>
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
  </FilterFrame>
)

function terminalOptions(
  { engine }: Pick<PagesContext, 'engine'>,
  { terminal }: Filters,
): [string, string][] {
  const serials = new Set<string>()
  for (const { terminals } of engine.book.ledgers.values())
    for (const serial of terminals.keys()) {
      if (serials.size >= offeredTerminals) break
      serials.add(serial)
    }
  if (terminal !== '' && terminal !== onlineChoice) serials.add(terminal)
  return [[onlineChoice, 'Online'], ...[...serials].map((serial): [string, string] => [serial, serial])]
}

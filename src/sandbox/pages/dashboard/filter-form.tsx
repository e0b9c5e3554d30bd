import type { Sandbox } from '../../sandbox.ts'
import { type Filters, narrows, onlineChoice, queryWith, statusChoices, typeChoices } from './filters.ts'
import { statusNames, typeNames } from './texts.ts'

/** So many terminals are offered by name. */
const offeredTerminals = 100

interface FilterFormProps {
  readonly filters: Filters
  readonly sandbox: Sandbox
  readonly problems: readonly string[]
}

/** The filters of the list: a plain form, so that a view has an address of its own. */
export const FilterForm = ({ filters, sandbox, problems }: FilterFormProps) => (
  <search aria-label="Transactions">
    <form class="filters" method="get" action="/">
      <label class="filter filter-text">
        <span>Id, order or request</span>
        <input
          type="search"
          name="q"
          value={filters.q}
          maxlength={64}
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <div class="filter-acts">
        <button class="act" type="submit">
          Search
        </button>
        {narrows(filters) && (
          <a class="act act-plain" href={`/${queryWith(noFilters)}`}>
            Show all
          </a>
        )}
      </div>
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
        options={terminalOptions(sandbox, filters)}
      />
      <fieldset class="filter filter-range">
        <legend>Amount</legend>
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
      {problems.length > 0 && (
        <div class="filter-problems" role="alert">
          <ul>
            {problems.map((problem) => (
              <li>{problem}</li>
            ))}
          </ul>
        </div>
      )}
    </form>
  </search>
)

const noFilters: Filters = { status: '', type: '', terminal: '', from: '', to: '', q: '' }

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
}

/** One of several, or any. */
export const Choice = ({ name, label, value, options }: ChoiceProps) => (
  <label class="filter">
    <span>{label}</span>
    <select name={name} autocomplete="off">
      <option value="">Any</option>
      {options.map(([option, text]) => (
        <option value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

function terminalOptions({ engine }: Sandbox, { terminal }: Filters): [string, string][] {
  const serials = new Set<string>()
  for (const { terminals } of engine.book.ledgers.values())
    for (const serial of terminals.keys()) {
      if (serials.size >= offeredTerminals) break
      serials.add(serial)
    }
  if (terminal !== '' && terminal !== onlineChoice) serials.add(terminal)
  return [[onlineChoice, 'Online'], ...[...serials].map((serial): [string, string] => [serial, serial])]
}

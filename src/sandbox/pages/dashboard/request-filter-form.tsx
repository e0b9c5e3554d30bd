import { operationNames } from '../../../api/operations.ts'
import { Choice } from './filter-form.tsx'
import { narrows } from './filters.ts'
import { type RequestFilters, requestStatuses } from './request-filters.ts'

interface FormProps {
  readonly filters: RequestFilters
  readonly problems: readonly string[]
}

const statusNames = { accepted: 'Accepted', refused: 'Refused' } as const

/** The filters of the requests: a plain form, so that a view has an address of its own. */
export const RequestFilterForm = ({ filters, problems }: FormProps) => (
  <search aria-label="Requests">
    <form class="filters" method="get" action="/requests">
      <label class="filter filter-text">
        <span>Path, code, trace id, or text of a body</span>
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
          <a class="act act-plain" href="/requests">
            Show all
          </a>
        )}
      </div>
      <Choice
        name="status"
        label="Status"
        value={filters.status}
        options={requestStatuses.map((status) => [status, statusNames[status]])}
      />
      <Choice
        name="operation"
        label="Operation"
        value={filters.operation}
        options={operationNames.map((name) => [name, name])}
      />
      <label class="filter">
        <span>Transaction</span>
        <input
          name="transactionId"
          value={filters.transactionId}
          maxlength={64}
          inputmode="numeric"
          autocomplete="off"
        />
      </label>
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

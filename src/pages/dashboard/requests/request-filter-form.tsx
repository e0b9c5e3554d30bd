import { operationNames } from '../../../contract/operations.ts'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import { type RequestFilters, requestStatuses } from './request-filters.ts'

interface FormProps {
  readonly filters: RequestFilters
  readonly problems: readonly string[]
}

const statusNames = { accepted: 'Accepted', refused: 'Refused' } as const

/** The filters of the requests. */
export const RequestFilterForm = ({ filters, problems }: FormProps) => (
  <FilterForm
    label="Requests"
    path="/requests"
    searchLabel="Path, code, trace id, or text of a body"
    {...{ filters, problems }}
  >
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
  </FilterForm>
)

import { operationNames } from '../../../contract/operations.ts'
import { capitalize } from '../../../text/capitalize.ts'
import { Hidden } from '../../components/actions.tsx'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import { type RequestFilters, requestStatuses } from './request-filters.ts'

interface RequestFilterFormProps {
  readonly filters: RequestFilters
  /** The list's other parameter, kept by the form. */
  readonly show: string
  readonly problems: readonly string[]
}

/** The filters of the requests. */
export const RequestFilterForm = ({ filters, show, problems }: RequestFilterFormProps) => (
  <FilterForm
    label="Requests"
    path="/requests"
    searchLabel="Path, code, trace id, or text of a body"
    {...{ filters, problems }}
  >
    <Choice
      name="status"
      filters={filters}
      options={requestStatuses.map((status) => [status, capitalize(status)])}
    />
    <Choice name="operation" filters={filters} options={operationNames.map((name) => [name, name])} />
    <label class="filter shrinks">
      <span class="visually-hidden">Transaction</span>
      <input
        placeholder="Transaction id"
        name="transactionId"
        value={filters.transactionId}
        maxlength={64}
        inputmode="numeric"
        autocomplete="off"
      />
    </label>
    <Hidden fields={{ show }} />
  </FilterForm>
)

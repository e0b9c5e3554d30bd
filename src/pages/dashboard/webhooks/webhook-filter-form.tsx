import { terminalEvents } from '../../../contract/sandbox/webhooks.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { Hidden } from '../../components/actions.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import { eventInWords } from './delivery-table.tsx'
import { resultChoice, type WebhookFilters } from './webhook-filters.ts'

/** Most endpoints that are listed: the latest. */
const offeredEndpoints = 50

interface WebhookFilterFormProps {
  readonly context: Pick<PagesContext, 'statistics'>
  readonly filters: WebhookFilters
  readonly problems: readonly string[]
}

/** The filters of the deliveries; the state is chosen by the tabs. */
export const WebhookFilterForm = ({ context, filters, problems }: WebhookFilterFormProps) => (
  <FilterForm
    label="Deliveries"
    path="/webhooks"
    searchLabel="Id, transaction or URL"
    {...{ filters, problems }}
  >
    <Hidden fields={{ state: filters.state }} />
    <Choice name="event" filters={filters} options={eventOptions} />
    <Choice name="status" filters={filters} options={statusOptions(filters)} />
    <Choice name="endpoint" filters={filters} options={endpointOptions(context, filters)} />
  </FilterForm>
)

type SelectOption = readonly [value: string, text: string]

const eventOptions: readonly SelectOption[] = [
  [resultChoice, 'Result of a transaction'],
  ...terminalEvents.map((event): SelectOption => [event, eventInWords(event)]),
]

/** A single status is a choice only where a link said it. */
function statusOptions({ status }: WebhookFilters): SelectOption[] {
  const classes = ['2xx', '3xx', '4xx', '5xx'].map((each): SelectOption => [each, each])
  return status === '' || classes.some(([each]) => each === status) ? classes : [...classes, [status, status]]
}

function endpointOptions(
  { statistics }: WebhookFilterFormProps['context'],
  { endpoint }: WebhookFilters,
): SelectOption[] {
  const latest = [...statistics.current.deliveries.urls].slice(-offeredEndpoints).reverse()
  const shown = new Set(latest.map(hideInAddress))
  if (endpoint !== '') shown.add(endpoint)
  return [...shown].map((url) => [url, url])
}

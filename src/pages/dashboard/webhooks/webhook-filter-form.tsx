import { deliveryStates, type TerminalEventName, terminalEvents } from '../../../contract/sandbox/webhooks.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import type { LedgerDelivery } from '../../../webhooks/deliveries.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import type { PagesContext } from '../../frame/page-view.tsx'
import { Choice } from '../lists/filter-form.tsx'
import type { QueryReader } from '../lists/list-query.ts'
import { eventInWords } from './delivery-table.tsx'

/** Of a notification that reports the end of a transaction. */
const resultChoice = 'result'

/** Longest endpoint in an address or a form. */
export const longestUrl = 2_000

/**
 * Filters of the deliveries by query parameter; an empty one matches everything. `endpoint`: a URL as it is shown;
 * `status`: an HTTP status, its class as `5xx`, or why there was no answer; `q`: of an id or a URL.
 */
export type WebhookFilters = ReturnType<typeof readWebhookFilters>

/** Reads the filters; errors are added to the reader's problems. */
export const readWebhookFilters = (reader: QueryReader) => ({
  state: reader.oneOf('state', deliveryStates),
  event: reader.text('event', isEvent, 'There is no event with that name.'),
  status: reader.shortText('status', 'The status'),
  endpoint: reader.text(
    'endpoint',
    ({ length }) => length <= longestUrl,
    `The endpoint has at most ${longestUrl} characters.`,
  ),
  q: reader.shortText('q', 'The search text'),
})

const isEvent = (text: string): boolean =>
  text === resultChoice || terminalEvents.includes(text as TerminalEventName)

/** Returns a test whether a delivery matches. Only visible text is searched. */
export function webhookMatcher(filters: WebhookFilters): (each: LedgerDelivery) => boolean {
  const { state, event, status, endpoint } = filters
  const shown = shownUrls()
  const q = filters.q.toLowerCase()
  return (each) => {
    const { delivery } = each
    return (
      (state === '' || deliveryState(delivery) === state) &&
      (event === '' || (delivery.event ?? resultChoice) === event) &&
      (status === '' || isStatus(delivery.last, status)) &&
      (endpoint === '' || shown(delivery.url) === endpoint) &&
      (q === '' || searched(each).includes(q) || shown(delivery.url).toLowerCase().includes(q))
    )
  }
}

/** Ids of a delivery in one text. */
const searched = ({ ledger, delivery }: LedgerDelivery): string =>
  `${delivery.transactionId} ${notificationId(ledger.settings.merchantId, delivery)}`

/** True for the status, a status of that class, and a text that begins so: a link cuts a long one. */
function isStatus(last: number | string | null, wanted: string): boolean {
  if (typeof last === 'number' && /^\dxx$/.test(wanted)) return String(last).startsWith(wanted.charAt(0))
  return typeof last === 'string' ? last.startsWith(wanted) : String(last) === wanted
}

/** URLs without their secrets, each looked at once. */
function shownUrls(): (url: string) => string {
  const known = new Map<string, string>()
  return (url) => {
    const shown = known.get(url) ?? hideInAddress(url)
    known.set(url, shown)
    return shown
  }
}

/** Most endpoints that are listed: the latest. */
const offeredEndpoints = 50

/** Filters whose state is chosen by the tabs. */
type ChosenFilters = Omit<WebhookFilters, 'state'>

/** The filters of the deliveries besides the search. */
export const webhookChoices = (context: PagesContext, filters: ChosenFilters) => (
  <>
    <Choice name="event" filters={filters} options={eventOptions} />
    <Choice name="status" filters={filters} options={statusOptions(filters)} />
    <Choice name="endpoint" filters={filters} options={endpointOptions(context, filters)} />
  </>
)

type SelectOption = readonly [value: string, text: string]

const eventOptions: readonly SelectOption[] = [
  [resultChoice, 'Result of a transaction'],
  ...terminalEvents.map((event): SelectOption => [event, eventInWords(event)]),
]

/** A single status is a choice only where a link said it. */
function statusOptions({ status }: ChosenFilters): SelectOption[] {
  const classes = ['2xx', '3xx', '4xx', '5xx'].map((each): SelectOption => [each, each])
  return status === '' || classes.some(([each]) => each === status) ? classes : [...classes, [status, status]]
}

function endpointOptions({ statistics }: PagesContext, { endpoint }: ChosenFilters): SelectOption[] {
  const latest = [...statistics.current.deliveries.urls].slice(-offeredEndpoints).reverse()
  const shown = new Set(latest.map(hideInAddress))
  if (endpoint !== '') shown.add(endpoint)
  return [...shown].map((url) => [url, url])
}

import { deliveryStates, terminalEvents } from '../../../contract/control/webhooks.ts'
import {
  neededInstead,
  notificationParts,
  terminalEventInWords,
} from '../../../contract/presentation/words.ts'
import { takesBack } from '../../../contract/statuses.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { hideInAddress } from '../../../sandbox/http/hide-addresses.ts'
import { type Wait, whyPending } from '../../../sandbox/views/why-pending.ts'
import type { LedgerDelivery } from '../../../sandbox/webhooks/deliveries.ts'
import { notificationView, webhookId } from '../../../sandbox/webhooks/notifications/notification.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { DeliveryBadge } from '../../components/basics.tsx'
import { formatTime, plural } from '../../components/format.ts'
import type { PagesContext } from '../../frame/page-view.tsx'
import { Choice, type QueryReader } from '../lists/filter-form.tsx'
import {
  type Column,
  MiddleCut,
  type RowLink,
  Sum,
  stateLook,
  TransactionLink,
  timeColumn,
} from '../lists/list-table.tsx'

/** Id of the form that the boxes of the rows belong to. */
export const chosenForm = 'chosen'

/** A delivery leads to its notification. */
export const deliveryLink = ({ ledger, delivery }: LedgerDelivery): RowLink => {
  const id = webhookId(ledger, delivery)
  return { id: `row-${delivery.number}-${id}`, href: `/webhooks/${id}` }
}

/** Deliveries that are given up. */
export const failedDeliveries = ({ statistics }: Pick<PagesContext, 'statistics'>) =>
  statistics.current.deliveries.all.filter(({ delivery }) => deliveryState(delivery) === 'failed')

/**
 * The columns of deliveries, except those that say which one it is: its box, its transaction. Where there is
 * little room each says its endpoint, but in a list where all have one; there its transaction stands beside
 * its state if nothing else does.
 */
export function deliveryColumns(context: PagesContext, isListed = false): readonly Column<LedgerDelivery>[] {
  const now = context.clock.now()
  const areSeveral = context.statistics.current.deliveries.urls.size > 1
  const resultInShort = (counted: LedgerDelivery) => {
    const isHeld = context.courier.isHeld(counted.ledger, counted.delivery)
    const next = isHeld ? null : whyPending(context, counted)
    const waits = waitInWords(next, now, counted.ledger.settings.timeZone).replace(saidAbove, '')
    const whole = [deliveryResult(counted), waits].filter(Boolean).join(',\u00a0next\u00a0')
    return whole === '200' ? '' : whole
  }
  return [
    {
      head: 'Event',
      look: '@sm:@max-lg:py-1 @max-lg:tracking-tight @lg:w-41',
      title: deliveryEvent,
      cell: (counted) => (
        <>
          {deliveryEvent(counted)}
          {(areSeveral || !isListed) && (
            <span class="under code block font-normal @max-sm:hidden @lg:hidden">{endpoint(counted)}</span>
          )}
        </>
      ),
      isName: true,
    },
    {
      head: 'Amount',
      look: '@sm:w-44 sum @max-sm:hidden figure',
      cell: ({ ledger, delivery }) => {
        const { event, transactionType, amount, currency } = notificationView(ledger, delivery)
        return (
          event === null && <Sum amount={amount} currency={currency} isBack={takesBack(transactionType)} />
        )
      },
      isUnder: true,
    },
    {
      head: 'State',
      look: `${areSeveral ? '@sm:w-56' : '@sm:w-63'} @lg:w-66 @max-sm:text-end`,
      title: resultInShort,
      cell: (counted) => {
        const { ledger, delivery } = counted
        const [state, held] = [deliveryState(delivery), context.courier.isHeld(ledger, delivery)]
        const shown = { state, held, attempts: delivery.attempts, listener: delivery.listener !== undefined }
        return (
          <span class={stateLook}>
            <DeliveryBadge delivery={shown} retries={context.options.retries} />
            <span class="text-note text-ink-soft @max-sm:hidden @sm:truncate @max-lg:text-xs @max-lg:tracking-tight">
              {' '}
              {resultInShort(counted) ||
                (isListed && <span class="@2xl:hidden">{delivery.transactionId}</span>)}
            </span>
          </span>
        )
      },
    },
    { head: 'Result', look: 'hidden', cell: resultInShort, isUnder: true, startsLine: true },
    {
      head: 'Endpoint',
      look: '@max-lg:hidden code',
      title: ({ delivery }) => hideInAddress(delivery.url),
      cell: endpoint,
    },
    timeColumn(now, ({ ledger, delivery }) => [delivery.createdAt, ledger.settings.timeZone]),
  ]
}

/** The masthead says it once for all rows. */
const saidAbove = /, clock frozen$/

/** Where it is sent, in short. */
const endpointOf = ({ delivery: { url, listener } }: LedgerDelivery): string =>
  `${hideInAddress(url).replace(/^https?:\/\//, '')}${listener === undefined ? '' : ' (listen)'}`

const endpoint = (counted: LedgerDelivery) => (
  <MiddleCut text={endpointOf(counted)} room={24} end={endpointOf(counted).lastIndexOf('/')} />
)

/** The columns of the list of all deliveries. */
export function listedDeliveryColumns(context: PagesContext): readonly Column<LedgerDelivery>[] {
  const others = deliveryColumns(context, true)
  return [
    { head: 'Choose', box: chooseAll, look: 'pick', cell: deliveryCheckbox },
    ...others.slice(0, -1),
    {
      head: 'Transaction',
      look: '@sm:w-36 @max-2xl:hidden code',
      cell: ({ delivery }) => <TransactionLink id={delivery.transactionId} />,
    },
    ...others.slice(-1),
  ]
}

const chooseAll = (
  <label>
    <input type="checkbox" class="with-scripts" id="pick-all" aria-label="Select all" autocomplete="off" />
  </label>
)

const deliveryCheckbox = (counted: LedgerDelivery) => {
  const { number, transactionId } = counted.delivery
  const id = webhookId(counted.ledger, counted.delivery)
  return (
    <label>
      <input
        type="checkbox"
        id={`pick-${number}-${id}`}
        name="delivery"
        value={`${number} ${id}`}
        form={chosenForm}
        aria-label={`Select ${deliveryEvent(counted)}, transaction ${transactionId}`}
        autocomplete="off"
      />
    </label>
  )
}

const deliveryEvent = ({ ledger, delivery }: LedgerDelivery): string =>
  eventInWords(notificationView(ledger, delivery))

/** The result of the last attempt, the fault that spoilt it, and attempts before it was resent. */
const deliveryResult = ({ delivery: { last, fault, earlier } }: LedgerDelivery): string =>
  [
    last !== null && `${last}${neededInstead(last)}`,
    fault,
    earlier && `resent after ${plural(earlier, 'attempt')}`,
  ]
    .filter(Boolean)
    .join(', ')

/** A notification in words, without amount: `Sale approved`; of a terminal, its event: `Order received`. */
export const eventInWords = (notification: Parameters<typeof notificationParts>[0]): string =>
  capitalize(notificationParts(notification).what)

/** When the next attempt comes and what it waits for: `17:10:05, clock frozen`; empty: it is over. */
export function waitInWords(waits: Wait | null, now: number, timeZone: string): string {
  if (waits === null) return ''
  const { until, reason } = waits
  return [until === null ? '' : formatTime(until, now, timeZone), reason].filter(Boolean).join(', ')
}

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** Of a notification that reports the end of a transaction. */
const resultChoice = 'result'

/** Longest endpoint in an address or a form. */
export const longestUrl = 2_000

/**
 * Filters of the deliveries by query parameter; an empty one matches everything. `endpoint`: a URL as it is
 * shown; `status`: the class of an HTTP status; `q`: of an id or a URL.
 */
export type WebhookFilters = ReturnType<typeof readWebhookFilters>

/** Reads the filters; errors are added to the reader's problems. */
export const readWebhookFilters = (reader: QueryReader) => ({
  state: reader.oneOf('state', deliveryStates),
  event: reader.text(
    'event',
    (text) => [resultChoice, ...terminalEvents].includes(text),
    'There is no event with that name.',
  ),
  status: reader.oneOf('status', statusClasses),
  endpoint: reader.text(
    'endpoint',
    ({ length }) => length <= longestUrl,
    `The endpoint has at most ${longestUrl} characters.`,
  ),
  q: reader.shortText('q', 'The search text'),
})

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
      (status === '' || isOfClass(delivery.last, status)) &&
      (endpoint === '' || shown(delivery.url) === endpoint) &&
      (q === '' || searched(each).includes(q) || shown(delivery.url).toLowerCase().includes(q))
    )
  }
}

const searched = ({ ledger, delivery }: LedgerDelivery): string =>
  `${delivery.transactionId} ${webhookId(ledger, delivery)}`

/** True for a status of that class. */
const isOfClass = (last: number | string | null, wanted: string): boolean =>
  typeof last === 'number' && String(last).startsWith(wanted.charAt(0))

/** URLs without their secrets, each looked at once. */
function shownUrls(): (url: string) => string {
  const shownByUrl = new Map<string, string>()
  return (url) => {
    const shown = shownByUrl.get(url) ?? hideInAddress(url)
    shownByUrl.set(url, shown)
    return shown
  }
}

const offeredEndpoints = 50

/** The filters of the deliveries besides the search, and the state, which tabs choose. */
export const webhookChoices = (context: PagesContext, filters: Omit<WebhookFilters, 'state'>) => (
  <>
    <Choice name="event" filters={filters} options={eventOptions} />
    <Choice name="status" label="answer" filters={filters} options={statusClasses} />
    <Choice name="endpoint" filters={filters} options={endpointsIn(context)} />
  </>
)

const eventOptions = [
  [resultChoice, 'Result of a transaction'] as const,
  ...terminalEvents.map((event) => [event, capitalize(terminalEventInWords(event))] as const),
]

function endpointsIn({ statistics }: PagesContext): readonly string[] {
  const latest = [...statistics.current.deliveries.urls].slice(-offeredEndpoints).reverse()
  return [...new Set(latest.map(hideInAddress))]
}

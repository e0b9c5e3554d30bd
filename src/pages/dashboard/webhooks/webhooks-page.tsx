import type { DeliveryState } from '../../../contract/webhooks.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import type { CountedDelivery } from '../../../views/statistics/delivery-register.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { DeliveryMark, Empty, Panel, Table } from '../../components/badges.tsx'
import { counted, number, timeOf } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { html, type View } from '../../frame/page-view.ts'
import { Problems } from '../lists/filter-form.tsx'
import { numberIn } from '../lists/paging.ts'
import { pageSize, searchLimit } from '../transactions/transaction-search.ts'

const states = ['pending', 'delivered', 'failed'] as const

/** Deliveries of webhooks, newest first. */
export function webhooksView(
  context: PagesContext,
  query: Readonly<Record<string, string>>,
  origin: string,
): View {
  const state = states.find((each) => each === query.state) ?? null
  const problems: string[] = []
  if (state === null && query.state) problems.push(`The state must be one of ${states.join(', ')}.`)
  const before = numberIn(query, 'before', problems)
  return {
    title: 'Webhooks',
    place: 'webhooks',
    live: { path: `/webhooks/live${queryOf(state, before)}`, topics: ['transactions', 'webhooks'] },
    status: problems.length === 0 ? 200 : 422,
    parts: () => ({
      states: statesPart(context, state),
      deliveries: listPart(context, state, before, origin),
    }),
    body: (slot) => (
      <>
        <div class="page-head">
          <h1 class="page-title">Webhooks</h1>
          {slot('states')}
        </div>
        <Problems problems={problems} />
        <Panel title="Deliveries" name="deliveries">
          {slot('deliveries')}
        </Panel>
      </>
    ),
  }
}

function queryOf(state: DeliveryState | null, before: number | null): string {
  const query = new URLSearchParams({
    ...(state !== null && { state }),
    ...(before !== null && { before: String(before) }),
  }).toString()
  return query === '' ? '' : `?${query}`
}

function statesPart({ statistics }: Pick<PagesContext, 'statistics'>, chosen: DeliveryState | null): string {
  const { counts, all } = statistics.current.deliveries
  const choices = [
    [null, 'All', all.length],
    ['pending', 'Pending', counts.pending],
    ['delivered', 'Delivered', counts.delivered],
    ['failed', 'Failed', counts.failed],
  ] as const
  return html(
    <nav class="tabs" aria-label="Deliveries by state">
      {choices.map(([state, name, count]) => (
        <a
          id={`state-${state ?? 'all'}`}
          href={`/webhooks${queryOf(state, null)}`}
          aria-current={state === chosen ? 'true' : undefined}
        >
          {name} <span class="tab-count">{number(count)}</span>
        </a>
      ))}
    </nav>,
  )
}

/** Deliveries below a place in their order, at most as many as one search looks at. */
function find(all: readonly CountedDelivery[], state: DeliveryState | null, before: number | null) {
  const rows: CountedDelivery[] = []
  let place = Math.min(before ?? all.length, all.length)
  for (let looked = 0; place > 0 && looked < searchLimit && rows.length < pageSize; looked++) {
    place -= 1
    const found = all[place]
    if (found !== undefined && (state === null || found.state === state)) rows.push(found)
  }
  return { rows, place }
}

function listPart(
  { statistics, clock }: Pick<PagesContext, 'statistics' | 'clock'>,
  state: DeliveryState | null,
  before: number | null,
  origin: string,
): string {
  const { all } = statistics.current.deliveries
  if (all.length === 0)
    return html(
      <Empty
        origin={origin}
        title="No webhook yet"
        commands={['tillbox listen --forward-to http://localhost:3000/hook', 'tillbox sale --amount 10.00']}
      >
        <p>
          A request names a notifyUrl, or the sandbox is started with <code>--notify-url</code>; then every
          result is told there and shown here. What the command listen forwards is not kept.
        </p>
      </Empty>,
    )
  const { rows, place } = find(all, state, before)
  const stopped = place > 0 && rows.length < pageSize
  return html(
    <>
      {rows.length === 0 && !stopped && (
        <div class="empty">
          <p class="empty-title">No delivery is {state}</p>
        </div>
      )}
      {rows.length > 0 && <DeliveryTable rows={rows} now={clock.now()} />}
      {stopped && (
        <p class="stopped">Looked at {counted(searchLimit, 'delivery').replace('ys', 'ies')} and stopped.</p>
      )}
      {(place > 0 || before !== null) && (
        <nav class="pager" aria-label="Pages of deliveries">
          {before !== null && (
            <a id="newest" href={`/webhooks${queryOf(state, null)}`}>
              Newest
            </a>
          )}
          {place > 0 && (
            <a id="older" rel="next" href={`/webhooks${queryOf(state, place)}`}>
              {stopped ? 'Go on from there' : 'Older'}
            </a>
          )}
        </nav>
      )}
    </>,
  )
}

const heads = [
  <th scope="col">Event</th>,
  <th scope="col">State</th>,
  <th scope="col" class="from-medium">
    Address
  </th>,
  <th scope="col" class="from-small">
    Transaction
  </th>,
  <th scope="col" class="figure">
    Time
  </th>,
]

const DeliveryTable = ({
  rows,
  now,
}: {
  readonly rows: readonly CountedDelivery[]
  readonly now: number
}) => (
  <Table caption="Deliveries, newest first" heads={heads}>
    {rows.map(({ ledger, delivery, state }) => {
      const { event, transactionId, url, last, attempts, fault, createdAt, number } = delivery
      const id = notificationId(ledger.settings.merchantId, delivery)
      return (
        <tr>
          <th scope="row">
            <a id={`row-${number}-${id}`} href={`/webhooks/${id}`}>
              {event ?? 'Result'}
            </a>
          </th>
          <td>
            <DeliveryMark state={state} />
            <span class="under">
              {[last === null ? 'not tried yet' : last, attempts > 1 && counted(attempts, 'attempt'), fault]
                .filter(Boolean)
                .join(', ')}
            </span>
          </td>
          <td class="from-medium code">{hideInAddress(url)}</td>
          <td class="from-small code">
            <a href={`/transactions/${transactionId}`}>{transactionId}</a>
          </td>
          <td class="figure time">{timeOf(createdAt, now, ledger.settings.timeZone)}</td>
        </tr>
      )
    })}
  </Table>
)

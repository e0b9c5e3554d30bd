import { hideInAddress } from '../../../http/hide-addresses.ts'
import { capitalize } from '../../../text/capitalize.ts'
import type { CountedDelivery } from '../../../views/statistics/delivery-register.ts'
import { isListened } from '../../../webhooks/listener-record.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { DeliveryBadge } from '../../components/badges.tsx'
import { formatNumber, formatTime, plural } from '../../components/format.ts'
import { Empty, Panel, Table } from '../../components/panel.tsx'
import type { PagesContext } from '../../frame/context.ts'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import { Problems } from '../lists/filter-form.tsx'
import { List, listPage, scan } from '../lists/list.tsx'
import { queryReader, queryString } from '../lists/query.ts'

const states = ['pending', 'delivered', 'failed'] as const

/** Deliveries of webhooks, newest first. */
export function webhooksPage(context: PagesContext, { query, origin }: PageRequest): PageView {
  const reader = queryReader(query)
  const state = reader.oneOf('state', states)
  const before = reader.position('before')
  const { problems } = reader
  return listPage({
    title: 'Webhooks',
    section: 'webhooks',
    path: '/webhooks',
    query: queryString({ state, before }),
    topics: ['transactions', 'webhooks'],
    problems,
    fragments: () => ({
      states: stateTabs(context, state),
      deliveries: listFragment(context, state, before, origin),
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
  })
}

function stateTabs({ statistics }: Pick<PagesContext, 'statistics'>, chosen: string): string {
  const { counts, all } = statistics.current.deliveries
  const tabs = [['', all.length] as const, ...states.map((state) => [state, counts[state]] as const)]
  return html(
    <nav class="tabs" aria-label="Deliveries by state">
      {tabs.map(([state, count]) => (
        <a
          id={`state-${state || 'all'}`}
          href={`/webhooks${queryString({ state })}`}
          aria-current={state === chosen ? 'true' : undefined}
        >
          {capitalize(state || 'all')} <span class="tab-count">{formatNumber(count)}</span>
        </a>
      ))}
    </nav>,
  )
}

function listFragment(
  { statistics, clock, courier }: Pick<PagesContext, 'statistics' | 'clock' | 'courier'>,
  state: string,
  before: string | null,
  origin: string,
): string {
  const { all } = statistics.current.deliveries
  if (all.length === 0) return html(<NoWebhook origin={origin} />)
  const start = Math.min(Number(before ?? all.length), all.length) - 1
  const { rows, last, isStopped } = scan(all, start, -1, (each) => state === '' || each.state === state)
  const older = last > 0 ? `/webhooks${queryString({ state, before: last })}` : null
  return html(
    <List
      name="deliveries"
      table={rows.length > 0 ? deliveryTable(rows, clock.now(), courier) : null}
      empty={<Empty title={state === '' ? 'No older deliveries' : `No delivery is ${state}`} />}
      links={{
        newest: before && `/webhooks${queryString({ state })}`,
        older: isStopped ? null : older,
      }}
      goOn={isStopped ? older : null}
    />,
  )
}

const NoWebhook = ({ origin }: { readonly origin: string }) => (
  <Empty
    origin={origin}
    title="No webhooks yet"
    commands={['tillbox listen localhost:3000/hook', 'tillbox sale --amount 10.00']}
  >
    <p>
      Forward every notification with <code>tillbox listen</code>, set notifyUrl in a request, or start the
      sandbox with <code>--notify-url</code>. Every delivery is listed here.
    </p>
  </Empty>
)

const heads = [
  'Event',
  'State',
  ['Address', 'from-medium'],
  ['Transaction', 'from-small'],
  ['Time', 'figure'],
] as const

const deliveryTable = (rows: readonly CountedDelivery[], now: number, courier: PagesContext['courier']) => (
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
            <DeliveryBadge state={state} held={courier.isHeld(ledger, delivery)} />
            <span class="under">
              {[last === null ? 'no attempt yet' : last, attempts > 1 && plural(attempts, 'attempt'), fault]
                .filter(Boolean)
                .join(', ')}
            </span>
          </td>
          <td class="from-medium code">
            {hideInAddress(url)}
            {isListened(delivery) && <span class="under">tillbox listen</span>}
          </td>
          <td class="from-small code">
            <a href={`/transactions/${transactionId}`}>{transactionId}</a>
          </td>
          <td class="figure time">{formatTime(createdAt, now, ledger.settings.timeZone)}</td>
        </tr>
      )
    })}
  </Table>
)

import { typeNames } from '../../../contract/statuses.ts'
import { endpointKey } from '../../../domain/model/endpoint.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { offsetInWords, shortDuration } from '../../../text/duration-words.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { formatDateTime, formatTime } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { Panel } from '../../components/panel.tsx'
import { defaultTimeZone, html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { clockButtons } from '../../masthead/menus.tsx'

const mostShown = 100

/** The clock as a rail: what falls due, the next first. To move the clock past an event makes it happen. */
export const clockPage: MakePage = (context) => ({
  title: 'Clock',
  menu: 'clock',
  lead: 'Drag it past an event, or press Advance: the event happens now.',
  live: {
    path: '/clock/live',
    topics: ['transactions', 'webhooks'],
    again: () => (context.clock.frozen || context.engine.earliest() === undefined ? null : 1_000),
  },
  fragments: () => ({ rail: rail(context), orders: html(clockButtons(context, 'move')) }),
  body: (slot) => (
    <div class="columns top stack gap-4 one-column">
      <Panel title="What falls due" name="due">
        <form class="tells" method="post" action="/clock" data-rail>
          <Hidden fields={{ order: 'until' }} />
          {slot('rail')}
        </form>
      </Panel>
      <div class="side stack top gap-4 shrinks">
        <Panel title="Move the clock" name="move">
          <form method="post" action="/clock">
            {slot('orders')}
          </form>
        </Panel>
      </div>
    </div>
  ),
})

function rail(context: PagesContext): string {
  const { clock, engine } = context
  const now = clock.now()
  const zone = defaultTimeZone(context)
  const due = engine.ahead(mostShown)
  return html(
    <ol class="rail relative">
      <li class="rail-stop stack middle gap-3">
        <span class="rail-dot rail-now circle stack centered" data-rail-now title="Drag past an event">
          <Icon name="drag" />
        </span>
        <span class="bold">{clock.frozen ? 'Now · frozen' : 'Now'}</span>
        <span>
          <span class="bold tabular">{formatDateTime(now, zone)}</span>
          <span class="note block">{offsetInWords(clock.offset, clock.speed)}</span>
        </span>
      </li>
      {due.map((event) => {
        const { at } = event
        const { ending, what, href } = inWords(context, event)
        return (
          <li class="rail-stop stack middle gap-3" data-rail-stop>
            <span class="rail-dot circle" />
            <span class="rail-when soft smaller tabular">
              {at <= now ? 'due' : `in ${shortDuration(at - now)}`} · {formatTime(at, now, zone)}
            </span>
            <span class="shrinks breaks">
              {ending}: <a href={href}>{what}</a>
            </span>
            <Submit
              name="time"
              value={new Date(Math.ceil(at)).toISOString()}
              about={`to: ${ending}: ${what}`}
            >
              Advance
            </Submit>
          </li>
        )
      })}
      {due.length === 0 && <li class="rail-none soft">Nothing is due.</li>}
    </ol>,
  )
}

type Due = ReturnType<PagesContext['engine']['ahead']>[number]

/** What happens, to what, and the page that shows that. */
function inWords({ engine }: PagesContext, due: Due) {
  const ledger = engine.state.ledgers.get(due.merchantId)
  if ('endpoint' in due) {
    const ending = `Webhook to ${hideInAddress(due.endpoint.url).replace('http://', '')}`
    const retry = ledger?.outbox.queues.get(endpointKey(due.endpoint))?.retry(new Set())
    const delivery = retry && ledger?.outbox.deliveries.get(retry.number)
    const about = delivery && ledger?.transactions.get(delivery.transactionId)
    return delivery === undefined
      ? { ending, what: 'pending deliveries', href: '/webhooks?state=pending' }
      : {
          ending,
          what: `${about ? inShort(about) : delivery.transactionId}, attempt ${delivery.attempts + 1}`,
          href: `/webhooks/${notificationId(due.merchantId, delivery)}`,
        }
  }
  const transaction = ledger?.transactions.get(due.key)
  if (transaction === undefined)
    return {
      ending: 'Open batches close',
      what: `the day of ${ledger?.name ?? due.merchantId} ends`,
      href: '/batches',
    }
  const { id, screen, expiresAt, terminalSn, orderId } = transaction
  const where = terminalSn === null ? `, ${orderId ?? id}` : ` at ${terminalSn}`
  return {
    ending: due.at === expiresAt ? 'Expires' : screen === 'host' ? 'Gets its answer' : 'Goes on',
    what: `${inShort(transaction)}${where}`,
    href: `/transactions/${id}`,
  }
}

const inShort = (transaction: Transaction): string =>
  `${typeNames[transaction.type]} of ${money(amountOf(transaction), transaction.currency)}`

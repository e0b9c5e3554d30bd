import { typeNames } from '../../../contract/statuses.ts'
import { endpointKey } from '../../../domain/model/outbox.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { offsetInWords, shortDuration } from '../../../text/duration-words.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { formatDateTime } from '../../components/format.ts'
import { PageHead, Panel } from '../../components/panel.tsx'
import { defaultTimeZone, html, type PagesContext, type PageView } from '../../frame/page-view.tsx'

/** Most events on the rail. */
const mostShown = 20

/** The clock as a rail: what falls due, the next first. To move the clock past an event makes it happen. */
export const clockPage = (context: PagesContext): PageView => ({
  title: 'Clock',
  section: null,
  live: {
    path: '/clock/live',
    topics: ['transactions', 'webhooks'],
    again: () => (context.clock.frozen || context.engine.earliest() === undefined ? null : 1_000),
  },
  fragments: () => ({ rail: rail(context) }),
  body: (slot) => (
    <>
      <PageHead title="Clock" lead="Drag it past an event, or press Advance: the event happens now." />
      <Panel title="What falls due" name="due">
        <form method="post" action="/clock" data-rail>
          <Hidden fields={{ order: 'until' }} />
          {slot('rail')}
        </form>
      </Panel>
    </>
  ),
})

function rail(context: PagesContext): string {
  const { clock, engine } = context
  const now = clock.now()
  const zone = defaultTimeZone(context)
  const due = engine.ahead(mostShown)
  return html(
    <ol class="rail">
      <li class="rail-stop">
        <span class="rail-dot rail-now circle" data-rail-now title="Drag past an event" />
        <span class="bold tabular">{clock.frozen ? 'frozen' : 'now'}</span>
        <span>
          <span class="bold tabular">{formatDateTime(now, zone)}</span>
          <span class="note block">{offsetInWords(clock.offset, clock.speed)}</span>
        </span>
      </li>
      {due.map((each) => {
        const { what, href } = inWords(context, each)
        return (
          <li class="rail-stop" data-rail-stop>
            <span class="rail-dot circle" />
            <span class="soft tabular">{each.at <= now ? 'due' : `in ${shortDuration(each.at - now)}`}</span>
            <span class="shrinks breaks">
              <a href={href}>{what}</a>
              <span class="note tabular block">{formatDateTime(each.at, zone)}</span>
            </span>
            <Submit name="time" value={new Date(Math.ceil(each.at)).toISOString()} about={`to: ${what}`}>
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

/** What happens then, and the page that shows it. */
function inWords({ engine }: PagesContext, due: Due): { readonly what: string; readonly href: string } {
  const ledger = engine.state.ledgers.get(due.merchantId)
  if ('endpoint' in due) {
    const to = hideInAddress(due.endpoint.url)
    const retry = ledger?.outbox.queues.get(endpointKey(due.endpoint))?.retry(new Set())
    const delivery = retry && ledger?.outbox.deliveries.get(retry.number)
    return delivery === undefined || ledger === undefined
      ? { what: `Webhooks to ${to}`, href: '/webhooks?state=pending' }
      : {
          what: `Webhook, attempt ${delivery.attempts + 1}, to ${to}`,
          href: `/webhooks/${notificationId(due.merchantId, delivery)}`,
        }
  }
  const transaction = ledger?.transactions.get(due.key)
  if (transaction === undefined)
    return {
      what: `The day of ${ledger?.name ?? due.merchantId} ends: its open batches close`,
      href: '/batches',
    }
  const { id, type, currency, screen, expiresAt, terminalSn } = transaction
  const at = terminalSn === null ? '' : ` at ${terminalSn}`
  const ending = due.at === expiresAt ? 'expires' : screen === 'host' ? 'gets its answer' : 'goes on'
  return {
    what: `${typeNames[type]} of ${money(amountOf(transaction), currency)}${at} ${ending}`,
    href: `/transactions/${id}`,
  }
}

import type { Refusal } from '../../../contract/errors.ts'
import { money } from '../../../contract/presentation/money.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { endpointKey } from '../../../domain/model/endpoint.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { hideInAddress } from '../../../sandbox/http/hide-addresses.ts'
import { notificationId } from '../../../sandbox/webhooks/notifications/notification.ts'
import { isOffset, offsetInWords, shortDuration } from '../../../shared/text/duration-words.ts'
import { sentences } from '../../../shared/text/words.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { WholeWords } from '../../components/command.tsx'
import { drawField } from '../../components/field.tsx'
import { formatDateTime, formatTime } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { columnsLook, sideLook } from '../../components/looks.ts'
import { Panel } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  type FormState,
  html,
  type MakePage,
  type PagesContext,
} from '../../frame/page-view.tsx'
import { RefusedNotice } from '../payments/form-parts.tsx'

const mostShown = 100

/** The clock as a rail: what falls due, the next first. To move the clock past an event makes it happen. */
export const clockPage: MakePage = (context, _, form = { values: {} }) => ({
  title: 'Clock',
  section: 'sandbox',
  lead: 'An event happens once the clock passes it.',
  live: {
    path: '/clock/live',
    topics: ['transactions', 'webhooks'],
    again: () => (context.clock.frozen || context.engine.earliest() === undefined ? null : 1_000),
  },
  fragments: () => ({ rail: rail(context), orders: html(clockButtons(context)) }),
  body: (slot) => (
    <div class={columnsLook}>
      <Panel title="What falls due" name="due">
        <form class="tells" method="post" action="/clock" data-rail>
          <Hidden fields={{ order: 'until' }} />
          {slot('rail')}
        </form>
      </Panel>
      <div class={sideLook}>
        <Panel title="Move the clock" name="move">
          {form.refusal && form.values.order !== 'set' && <RefusedNotice refusal={form.refusal} />}
          <form method="post" action="/clock">
            {slot('orders')}
          </form>
          <form
            class="grid gap-2 mt-3 md:max-xl:grid-cols-[20rem_auto] md:max-xl:justify-start md:max-xl:[&>button]:mt-6.5 md:max-xl:[&>button]:self-start"
            method="post"
            action="/clock"
          >
            <Hidden fields={{ order: 'set' }} />
            {typedTime(form)}
            <Submit>Advance</Submit>
          </form>
        </Panel>
      </div>
    </div>
  ),
})

const wrongTime = ({ detail, message }: Refusal): string =>
  sentences(detail === undefined ? message : `The time ${detail}`)

/** The field of any time: whatever is wrong with what was typed is said there. */
function typedTime({ values: { order, time }, refusal }: FormState) {
  const isTyped = order === 'set'
  return drawField(
    {
      name: 'time',
      label: 'Any step, or a time in UTC',
      placeholder: '1h, 2d, tomorrow 9:00',
      hint: 'Or a date, 2027-01-01, with or without a time',
      maxLength: 64,
    },
    { value: isTyped ? time : '', error: isTyped && refusal ? wrongTime(refusal) : undefined },
  )
}

/** On a phone what happens, then when; both beside the button. */
const stopLook =
  'rail-stop grid grid-cols-[1.75rem_10.5rem_minmax(0,1fr)_auto] items-center gap-3 py-2 max-md:grid-cols-[1.75rem_minmax(0,1fr)_auto] max-md:gap-y-0 max-md:py-1 max-md:leading-snug'
const dotLook = 'z-1 place-self-center rounded-full max-md:row-span-2 max-md:row-start-1'

function rail(context: PagesContext): string {
  const { clock } = context
  const now = clock.now()
  const moments = dueMoments(context, now)
  return html(
    <ol class="rail relative before:absolute before:inset-y-4 before:start-3.25 before:border-s-2">
      <li class={stopLook}>
        <span class={`rail-dot size-7 bg-accent text-on-accent shadow-sm ${dotLook}`} data-rail-now>
          <span
            class="for-actors grid size-full cursor-grab touch-none place-items-center"
            title="Drag past an event"
          >
            <Icon name="drag" />
          </span>
        </span>
        <span class="font-semibold">{clock.frozen ? 'Now · frozen' : 'Now'}</span>
        <span class="max-md:col-start-2">
          <span class="font-semibold tabular-nums">{formatDateTime(now, defaultTimeZone(context))}</span>
          <span class="text-note text-ink-soft block">{offsetInWords(clock.offset, clock.speed)}</span>
        </span>
      </li>
      {moments.map(({ time, events }) => {
        const last = Math.max(...events.map(({ at }) => at))
        return (
          <li class={stopLook} data-rail-stop>
            <span
              class={`rail-dot size-3 border-2 border-line-strong bg-surface in-[.rail-passed]:border-accent in-[.rail-passed]:bg-accent ${dotLook}`}
            />
            <span class="text-note text-ink-soft tabular-nums max-md:col-start-2 max-md:row-start-2">
              {events[0]?.wait} · {time}
            </span>
            <span class="min-w-0 max-md:col-start-2">
              {events.map(({ ending, what, href }) => (
                <span class="block">
                  <WholeWords text={`${ending}:`} /> <a href={href}>{what}</a>
                </span>
              ))}
            </span>
            <Submit
              name="time"
              value={new Date(Math.ceil(last)).toISOString()}
              about={`to ${time}`}
              className="max-md:row-span-2 max-md:row-start-1"
            >
              Advance
            </Submit>
          </li>
        )
      })}
      {moments.length === 0 && <li class="py-3 ps-10 text-ink-soft">Nothing is due.</li>}
    </ol>,
  )
}

type Due = ReturnType<PagesContext['engine']['ahead']>[number]

/** What falls due, by its time in words: the same time needs one button. */
function dueMoments(context: PagesContext, now: number) {
  const zone = defaultTimeZone(context)
  const due = context.engine.ahead(mostShown).map((event) => {
    const { at } = event
    const wait = at <= now ? 'due' : `in ${shortDuration(at - now)}`
    return { at, wait, time: formatTime(at, now, zone), ...describeDue(context, event) }
  })
  const times = [...new Set(due.map(({ time }) => time))]
  return times.map((time) => ({ time, events: due.filter((event) => event.time === time) }))
}

/** The orders to the clock that mean something now. */
const clockButtons = (context: PagesContext) => (
  <div class="grid gap-2 mt-2 md:max-xl:flex md:max-xl:gap-8">
    {[clockSteps(context), [...clockSpeeds(context), ...clockOrders(context)]].map((orders, at) => (
      <fieldset class="flex flex-wrap gap-2">
        <legend class="mb-2">{at === 0 ? 'Advance' : 'Run'}</legend>
        {orders.map(({ order, short }) => (
          <Submit
            name="order"
            value={order}
            id={`move-${order}`}
            className="md:max-xl:flex-none flex-[1_1_27%]"
          >
            {short}
          </Submit>
        ))}
      </fieldset>
    ))}
  </div>
)

/** An order to the clock; the palette offers the same. */
interface ClockOrder {
  readonly order: string
  /** On a button, among others of the clock. */
  readonly short: string
  readonly text: string
}

/** Steps ahead, the last to the next event where there is one. */
export const clockSteps = ({ engine }: Pick<PagesContext, 'engine'>): readonly ClockOrder[] => [
  { order: '1m', short: '+1 min', text: 'Advance the clock by 1 minute' },
  { order: '1h', short: '+1 h', text: 'Advance the clock by 1 hour' },
  { order: '1d', short: '+1 day', text: 'Advance the clock by 1 day' },
  ...(engine.earliest() === undefined
    ? []
    : [{ order: 'next-due', short: 'Next due', text: 'Advance the clock to the next due event' }]),
]

/** Stopped or going, and back to real time, as far as that means something now. */
export function clockOrders({ clock }: Pick<PagesContext, 'clock'>): readonly ClockOrder[] {
  const freeze = { order: 'freeze', short: 'Freeze', text: 'Freeze the clock' }
  const resume = { order: 'resume', short: 'Resume', text: 'Resume the clock' }
  const reset = { order: 'reset', short: 'Real time', text: 'Return the clock to real time' }
  const isReal = !clock.frozen && !isOffset(clock.offset) && clock.speed === 1
  return [clock.frozen ? resume : freeze, ...(isReal ? [] : [reset])]
}

/** How many times as fast as the wall clock the clock may be told to run: speeds it does not have. */
export const clockSpeeds = ({ clock }: Pick<PagesContext, 'clock'>): readonly ClockOrder[] =>
  [1, 10, 60, 600]
    .filter((speed) => speed !== clock.speed)
    .map((speed) => ({
      order: `${speed}x`,
      short: `${speed}×`,
      text: speed === 1 ? 'Run the clock at its usual speed' : `Run the clock ${speed}× as fast`,
    }))

/** What happens, to what, and the page that shows that. */
function describeDue({ engine }: PagesContext, due: Due) {
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

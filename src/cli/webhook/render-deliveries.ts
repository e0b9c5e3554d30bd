import type {
  AttemptView,
  DeliveryList,
  DeliveryView,
  WebhookStory,
  WebhookWait,
} from '../../contract/control/webhooks.ts'
import { neededInstead, notificationInWords, notificationParts } from '../../contract/presentation/words.ts'
import { command } from '../../shared/text/commands.ts'
import { hangingLines, wrapText } from '../../shared/text/display-width.ts'
import { hintText } from '../hints/hint-text.ts'
import { hint } from '../hints/same-sandbox.ts'
import { clean, cleaned } from '../output/clean.ts'
import { minuteText, timeColumn, timeText } from '../output/render-time.ts'
import { type Column, columns, fittingTable, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'
import { prettyJson, shortUrl } from './notification-text.ts'

/** The sign of a state; of a delivery that failed and is tried again, an arrow. */
const stateSign = ({ state, attempts }: Pick<DeliveryView, 'state' | 'attempts'>): string =>
  state === 'pending' ? (attempts > 0 ? '↻' : '…') : { delivered: '✓', failed: '✗' }[state]

const paintState = (state: DeliveryView['state'], text: string): string =>
  theme[({ pending: 'open', delivered: 'good', failed: 'bad' } as const)[state]](text)

const margin = 2

/**
 * Deliveries, the newest first, one line each, as wide as the window; complete without a window.
 */
export function renderDeliveries(list: DeliveryList, chosen: boolean): string {
  const { deliveries } = cleaned(list)
  if (deliveries.length === 0)
    return `${chosen ? wrapText(noneFits, theme.width).join('\n') : hintText(noneSent)}\n`
  return `${fittingTable(deliveries, deliveryColumns)}\n`
}

const noneFits = 'No webhook matches the filters; without them the list shows all.'
const noneSent =
  'No webhook was sent: run `tillbox listen <url>`, or pass --notify-url to a payment or to sandbox start.'

/** Times are of the sandbox clock. The transaction is always shown, because the next command needs it. */
const deliveryColumns: Column<DeliveryView>[] = [
  { head: '', cell: (delivery) => paintState(delivery.state, stateSign(delivery)) },
  timeColumn('time', ({ createdAt }) => createdAt),
  { head: 'event', cell: notificationInWords, brief: (delivery) => notificationParts(delivery).what },
  { head: 'result', cell: (delivery) => paintState(delivery.state, deliveryResult(delivery)), least: 12 },
  { head: 'tries', cell: ({ totalAttempts }) => String(totalAttempts), isNumber: true, yields: 2 },
  {
    head: 'endpoint',
    cell: ({ listener, url }) => `${listener ? 'listen → ' : ''}${url}`,
    brief: shortEndpoint,
    least: 14,
    yields: 1,
  },
  { head: 'transaction', cell: ({ transactionId }) => theme.link(transactionId) },
  { head: 'webhook', cell: ({ id }) => theme.faint(id), yields: 3 },
]

function shortEndpoint({ listener, url }: DeliveryView): string {
  return `${listener ? '→ ' : ''}${shortUrl(url)}`
}

/**
 * Result of the last attempt, and what follows: `200`, `500, next 12:38:29`, on another day `500, next 11-21
 * 12:38`, `500, held`, `dropped`.
 */
function deliveryResult({ state, held, attempts, last, createdAt, nextAt, fault }: DeliveryView): string {
  const before = last === null ? 'not tried yet' : `resent, before ${last}`
  const lastResult = attempts === 0 ? before : `${last}${neededInstead(last ?? '')}`
  if (held) return `${attempts === 0 && last === null ? '' : `${lastResult}, `}held`
  const next =
    state === 'pending' && attempts > 0 && nextAt !== null
      ? `, next ${nextAt.slice(0, 10) === createdAt.slice(0, 10) ? nextAt.slice(11, 19) : minuteText(nextAt)}`
      : ''
  return `${lastResult}${next}${fault === null ? '' : ` (${fault})`}`
}

/** A notification with every attempt in full. */
export function renderWebhook({ deliveries }: WebhookStory): string {
  return deliveries
    .map(({ tries, ...others }) => {
      const delivery = cleaned(others)
      const facts = pairs([
        ['webhook', delivery.id],
        ['event', notificationInWords(delivery)],
        ['transaction', delivery.transactionId],
        ['to', `${theme.link(delivery.url)}${delivery.listener ? theme.faint(' (by tillbox listen)') : ''}`],
        ['happened', `${timeText(delivery.createdAt)} ${theme.faint('(sandbox clock)')}`],
        [
          'next try',
          delivery.held
            ? hint('held: `tillbox webhook release` sends it')
            : delivery.attempts === 0
              ? null
              : delivery.nextAt && `${timeText(delivery.nextAt)} ${theme.faint('(sandbox clock)')}`,
        ],
        ['tries', String(delivery.totalAttempts)],
      ])
      const table = tries.length > 1 ? `\n${attemptTable(tries)}\n` : ''
      const all = tries.map((attempt, index) => renderAttempt(attempt, index + 1)).join('')
      return `${paintState(delivery.state, `${stateSign(delivery)} ${delivery.state}`)}\n${facts}\n${table}${all}`
    })
    .join('\n')
}

const attemptTable = (tries: readonly AttemptView[]): string =>
  columns(
    ['try', 'time, wall clock', 'took', 'result'],
    tries.map((attempt, index) => {
      const { at, durationMs, fault } = attempt
      const spoilt = fault === null ? '' : theme.faint(` (fault: ${clean(fault)})`)
      return [
        String(index + 1),
        timeText(clean(at)),
        `${durationMs.toFixed(0)} ms`,
        `${answerText(attempt)}${spoilt}`,
      ]
    }),
    ['took'],
  )

const answerText = ({ status, error }: AttemptView): string =>
  status === 200 ? theme.good('200') : theme.bad(clean(String(status ?? error ?? 'no answer')))

/** One attempt: request and answer. */
export function renderAttempt(attempt: AttemptView, number: number): string {
  const { requestBody, responseBody, ...others } = attempt
  const { at, url, status, durationMs, fault, requestHeaders, responseHeaders } = cleaned(others)
  const when = `${timeText(at)} ${theme.faint('(wall clock)')}`
  const more = theme.faint(`${durationMs.toFixed(0)} ms${fault ? `, fault: ${fault}` : ''}`)
  const head = `\n${theme.strong(`attempt ${number}`)}  ${when}  ${answerText(attempt)}  ${more}\n`
  const message = (headers: Readonly<Record<string, string>>, body: string) =>
    [
      ...Object.entries(headers).map(([name, value]) => theme.faint(`${name}: ${value}`)),
      ...(body === '' ? [] : ['', ...hangingLines(prettyJson(body), theme.width - margin)]),
    ]
      .map((line) => `${' '.repeat(margin)}${line}`.trimEnd())
      .join('\n')
  const sent = `  POST ${url}\n${message(requestHeaders, requestBody)}\n`
  const back = status === null ? '' : `\n  HTTP ${status}\n${message(responseHeaders, responseBody)}\n`
  return head + sent + back
}

/** The result of a wait that held webhooks do not delay. */
export const heldText = (heldCount: number, look = theme): string =>
  `${hintText(`Every webhook is delivered, given up or held back (${heldCount}); ${command('webhook release')} sends those.`, look)}\n`

/**
 * Result of a wait for `count` acknowledged deliveries, or with null for all to be delivered; missing ones
 * are printed elsewhere.
 */
export function renderWait({ reached, acknowledged, heldCount }: WebhookWait, count: number | null): string {
  if (!reached) return ''
  if (count === null) return heldCount ? heldText(heldCount) : 'Every webhook is delivered or given up.\n'
  return renderDeliveries({ deliveries: acknowledged.slice(-count) }, true)
}

/** Maximum deliveries that are listed; the others are only counted. */
const mostDeliveries = 10

/** What a wait is missing: a line for each unfinished delivery and payment. */
export function renderMissing(wait: WebhookWait): string {
  const { pending, pendingCount, processing } = cleaned(wait)
  const deliveries = pending.slice(0, mostDeliveries).map((delivery) => {
    const { last, attempts, nextAt, url, transactionId } = delivery
    const tries = attempts === 1 ? '1 try' : `${attempts} tries`
    const progress = attempts === 0 ? 'not tried yet' : `${last} after ${tries}`
    const next = attempts === 0 || nextAt === null ? '' : `, next ${timeText(nextAt)} (sandbox clock)`
    return `  pending     ${notificationInWords(delivery)}, transaction ${transactionId} → ${url}: ${progress}${next}\n`
  })
  const more = pendingCount - deliveries.length
  return [
    ...deliveries,
    ...(more > 0 ? [hint(`  pending     and ${more} more: ${command('webhook list --pending')}\n`)] : []),
    ...processing.map((id) => `  processing  transaction ${id} has not ended yet\n`),
  ].join('')
}

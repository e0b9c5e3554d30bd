import type { ClockReading } from '../../contract/sandbox/control-answers.ts'
import type {
  AttemptView,
  DeliveryList,
  DeliveryView,
  WebhookStory,
  WebhookWait,
} from '../../contract/sandbox/webhooks.ts'
import { notificationInWords } from '../../presentation/words.ts'
import { clip, displayWidth, widestOf, wrapText } from '../../text/display-width.ts'
import { isOffset, offsetInWords } from '../../text/duration-words.ts'
import { hintText } from '../hints/hint-text.ts'
import { hint } from '../hints/same-sandbox.ts'
import { clean, cleaned } from '../output/clean.ts'
import { minuteText, timeText } from '../output/render-time.ts'
import { columns, mostRows, pairs } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import { faultNames, prettyJson } from './notification-text.ts'

const stateSymbols = { pending: '…', delivered: '✓', failed: '✗' } as const
const stateColours = { pending: 'open', delivered: 'good', failed: 'bad' } as const

/** A text in the colour of a state; left out, the state with its mark. */
const paintState = (
  state: DeliveryView['state'],
  theme: Theme,
  text = `${stateSymbols[state]} ${state}`,
): string => theme[stateColours[state]](text)

/** Between columns, and before them. */
const [gap, margin] = [2, 2]

/**
 * Deliveries, the newest first, one line each, as wide as the window; complete without a window. With `clock`, a line below shows the
 * offset of the sandbox clock from the wall clock, if any.
 */
export function renderDeliveries(list: DeliveryList, chosen: boolean, clock?: ClockReading): string {
  const { deliveries } = cleaned(list)
  const theme = themeOf('stdout')
  if (deliveries.length === 0)
    return `${chosen ? wrapText(noneFits, theme.width).join('\n') : hintText(noneSent, theme)}\n`
  const shown = deliveries.slice(0, mostRows)
  const full = [heads, ...shown.map((delivery) => cellsOf(delivery, false))]
  const widest = widestOf(full.map((row) => row[endpointColumn] ?? ''))
  const isNarrow = (fitted(full, theme.width)[endpointColumn] ?? 0) < widest
  const [head = heads, ...rows] = isNarrow ? [heads, ...shown.map((each) => cellsOf(each, true))] : full
  const widths = fitted([head, ...rows], theme.width)
  const line = (cells: readonly string[], paint: (cell: string, column: number) => string) =>
    `${' '.repeat(margin)}${widths
      .flatMap((width, column) => {
        if (width === 0) return []
        const cell = clip(cells[column] ?? '', width)
        const rest = ' '.repeat(Math.max(0, width - displayWidth(cell)))
        return [column === triesColumn ? `${rest}${paint(cell, column)}` : `${paint(cell, column)}${rest}`]
      })
      .join(' '.repeat(gap))}`.trimEnd()
  const lines = [
    line(head, (cell) => theme.faint(cell)),
    ...rows.map((cells, index) => {
      const state = shown[index]?.state ?? 'pending'
      return line(cells, (cell, column) =>
        column === 0 || column === 3 ? paintState(state, theme, cell) : cell,
      )
    }),
  ]
  const left = deliveries.length - shown.length
  if (left > 0) lines.push(`  … and ${left} earlier; --json prints all`)
  const notes = clockLines(deliveries, clock, theme)
  if (widths.at(-1) === 0) notes.push(hintText('Details: tillbox webhook show <transaction>', theme))
  return `${[...lines, ...(notes.length === 0 ? [] : ['']), ...notes.map((note) => theme.faint(note))].join('\n')}\n`
}

const noneFits = 'No webhook matches the filters; without them the list shows all.'
const noneSent =
  'No webhook was sent: run tillbox listen <url>, or pass --notify-url to a payment or to sandbox start.'

/** Which clock the times are of, where it matters. Retries of a listener go by the wall clock. */
function clockLines(
  deliveries: readonly DeliveryView[],
  clock: ClockReading | undefined,
  theme: Theme,
): string[] {
  if (clock === undefined || !(clock.frozen || isOffset(clock.offsetMs))) return []
  const differs = clock.frozen
    ? `, frozen at ${timeText(clean(clock.now))}`
    : `, ${offsetInWords(clock.offsetMs)}`
  const isRetried = deliveries.some(({ listener, nextAt }) => listener && nextAt !== null)
  const retried = isRetried ? '; next attempts of tillbox listen are of the wall clock' : ''
  return wrapText(`Times are of the sandbox clock${differs}${retried}.`, theme.width)
}

/** Times are of the sandbox clock. */
const heads = ['', 'time, UTC', 'event', 'result', 'tries', 'endpoint', 'transaction', 'webhook']
const [endpointColumn, triesColumn] = [heads.indexOf('endpoint'), heads.indexOf('tries')]

/** Minimum width of an endpoint, and maximum width of a result in a window: an error may be long. */
const [shortestEndpoint, longestResult] = [12, 32]

/** The cells of a row; in a narrow window without the day, and without http:// */
function cellsOf(delivery: DeliveryView, isNarrow: boolean): string[] {
  const [day, time] = timeText(delivery.createdAt).split(' ')
  const url = isNarrow ? delivery.url.replace(/^http:\/\//, '') : delivery.url
  return [
    stateSymbols[delivery.state],
    (isNarrow ? time : `${day} ${time}`) ?? '',
    notificationInWords(delivery),
    resultOf(delivery, isNarrow ? 16 : 19),
    String(delivery.totalAttempts ?? delivery.attempts),
    delivery.listener ? `listen → ${url}` : url,
    delivery.transactionId,
    delivery.id,
  ]
}

/**
 * Widths of the columns; 0 for a column without room. First the webhook id is dropped, then the endpoint is cut, then
 * dropped. The transaction id is kept, because the next command needs it.
 */
function fitted(rows: readonly (readonly string[])[], room: number): number[] {
  const all = (rows[0] ?? []).map((_, column) => widestOf(rows.map((row) => row[column] ?? '')))
  const result = heads.indexOf('result')
  if (Number.isFinite(room)) all[result] = Math.min(all[result] ?? 0, longestResult)
  const used = (widths: readonly number[]) =>
    widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + gap), margin - gap)
  const without = (...hidden: number[]) => all.map((width, column) => (hidden.includes(column) ? 0 : width))
  const cut = (widths: readonly number[], cutColumn: number) =>
    widths.map((width, column) => (column === cutColumn ? width - Math.max(0, used(widths) - room) : width))
  for (const widths of [all, without(7)]) if (used(widths) <= room) return widths
  const narrowed = cut(without(7), endpointColumn)
  if ((narrowed[endpointColumn] ?? 0) >= shortestEndpoint) return narrowed
  return cut(without(endpointColumn, 7), result).map((width) => Math.max(width, 0))
}

/**
 * Result of the last attempt, and what follows: `200`, `500, next 12:38:29`, on another day `500, next 11-21 12:38`, `500, held`, `dropped`. `end`: of the
 * time.
 */
function resultOf(
  { state, held, attempts, last, createdAt, nextAt, fault }: DeliveryView,
  end: number,
): string {
  const before = last === null ? 'not tried yet' : `resent, before ${last}`
  const lastResult = attempts === 0 ? before : String(last)
  if (held) return `${attempts === 0 && last === null ? '' : `${lastResult}, `}held`
  const next =
    state === 'pending' && attempts > 0 && nextAt !== null
      ? `, next ${nextAt.slice(0, 10) === createdAt.slice(0, 10) ? nextAt.slice(11, end) : minuteText(nextAt)}`
      : ''
  return `${lastResult}${next}${fault === null ? '' : ` (${faultNames(fault)})`}`
}

/** A notification with every attempt in full. */
export function renderWebhook({ deliveries }: WebhookStory): string {
  const theme = themeOf('stdout')
  return deliveries
    .map(({ tries, ...others }) => {
      const delivery = cleaned(others)
      const facts = pairs(theme, [
        ['webhook', delivery.id],
        ['event', notificationInWords(delivery)],
        ['transaction', delivery.transactionId],
        ['to', `${theme.link(delivery.url)}${delivery.listener ? theme.faint(' (by tillbox listen)') : ''}`],
        ['happened', `${timeText(delivery.createdAt)} ${theme.faint('(sandbox clock)')}`],
        [
          'next try',
          delivery.held
            ? hint('held: tillbox webhook release sends it')
            : delivery.attempts === 0
              ? null
              : delivery.nextAt && `${timeText(delivery.nextAt)} ${theme.faint('(sandbox clock)')}`,
        ],
        ['tries', triesOf(delivery, tries.length)],
      ])
      const table = tries.length > 1 ? `\n${attemptTable(tries, theme)}\n` : ''
      const all = tries
        .map((attempt, index) => ({ attempt, number: index + 1, next: tries[index + 1] }))
        .filter(({ attempt, next }) => next === undefined || !isAlike(attempt, next))
        .map(({ attempt, number }, index, shown) =>
          renderAttempt(attempt, number, number - 1 - (shown[index - 1]?.number ?? 0)),
        )
        .join('')
      return `${paintState(delivery.state, theme)}\n${facts}\n${table}${all}`
    })
    .join('\n')
}

/** The attempts, one line each. */
const attemptTable = (tries: readonly AttemptView[], theme: Theme): string =>
  columns(
    ['try', 'time, wall clock', 'took', 'result'],
    tries.map((attempt, index) => {
      const { at, durationMs, fault } = attempt
      const spoilt = fault === null ? '' : theme.faint(` (fault: ${clean(faultNames(fault))})`)
      return [
        String(index + 1),
        timeText(at),
        `${durationMs.toFixed(0)} ms`,
        `${answerOf(attempt, theme)}${spoilt}`,
      ]
    }),
    theme,
    ['took'],
  )

const answerOf = ({ status, error }: AttemptView, theme: Theme): string =>
  status === 200 ? theme.good('200') : theme.bad(clean(String(status ?? error ?? 'no answer')))

/** Number of tries, and how many of them are not shown. */
function triesOf({ attempts, totalAttempts }: DeliveryView, storedCount: number): string {
  const made = Math.max(totalAttempts ?? attempts, storedCount)
  const parts = [
    storedCount < made && `of which ${storedCount} ${storedCount === 1 ? 'is' : 'are'} kept`,
    totalAttempts != null && attempts < totalAttempts && `${attempts} since it was last resent`,
  ]
  return [made, ...parts.filter(Boolean)].join(', ')
}

/** True when two attempts have the same request and answer. */
const isAlike = (one: AttemptView, next: AttemptView): boolean =>
  (['url', 'requestBody', 'status', 'error', 'responseBody', 'fault'] as const).every(
    (name) => one[name] === next[name],
  )

/** One attempt: request and answer. `before`: number of equal attempts right before it. */
export function renderAttempt(attempt: AttemptView, number: number, before = 0): string {
  const theme = themeOf('stdout')
  const { requestBody, responseBody, ...others } = attempt
  const { at, url, status, durationMs, fault, requestHeaders, responseHeaders } = cleaned(others)
  const when = `${timeText(at)} ${theme.faint('(wall clock)')}`
  const more = theme.faint(`${durationMs.toFixed(0)} ms${fault ? `, fault: ${faultNames(fault)}` : ''}`)
  const same = before === 1 ? `attempt ${number - 1}` : `attempts ${number - before} to ${number - 1}`
  const like = before === 0 ? '' : theme.faint(`  ${same}: the same body, and the same answer\n`)
  const head = `\n${theme.strong(`attempt ${number}`)}  ${when}  ${answerOf(attempt, theme)}  ${more}\n${like}`
  const message = (headers: Readonly<Record<string, string>>, body: string) =>
    [
      ...Object.entries(headers).map(([name, value]) => theme.faint(`${name}: ${value}`)),
      ...(body === '' ? [] : ['', ...wrapText(prettyJson(body, theme), theme.width - margin)]),
    ]
      .map((line) => `${' '.repeat(margin)}${line}`.trimEnd())
      .join('\n')
  const sent = `  POST ${url}\n${message(requestHeaders, requestBody)}\n`
  const back = status === null ? '' : `\n  HTTP ${status}\n${message(responseHeaders, responseBody)}\n`
  return head + sent + back
}

/** The result of a wait that held webhooks do not delay. */
export const heldText = (heldCount: number, stream: 'stdout' | 'stderr'): string =>
  `${hintText(`Every webhook is delivered, given up or held back (${heldCount}); tillbox webhook release sends those.`, themeOf(stream))}\n`

/**
 * Result of a wait for `count` acknowledged deliveries, or with null for all to be delivered; missing ones are printed
 * elsewhere.
 */
export function renderWait({ reached, acknowledged, heldCount }: WebhookWait, count: number | null): string {
  if (!reached) return ''
  if (count === null)
    return heldCount ? heldText(heldCount, 'stdout') : 'Every webhook is delivered or given up.\n'
  return renderDeliveries({ deliveries: acknowledged.slice(-count) }, true)
}

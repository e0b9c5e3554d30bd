import { flagName } from '../../contract/operation-members.ts'
import {
  type AttemptView,
  type DeliveryList,
  type DeliveryView,
  forEachShare,
  type Resent,
  type StreamedNotification,
  type WebhookFaults,
  type WebhookStory,
} from '../../contract/sandbox/webhooks.ts'
import { statusOf } from '../../contract/statuses.ts'
import type { Received, Verdict } from '../../signature/verify.ts'
import { glue, hangingText, wrapText } from '../../text/wrap.ts'
import { clean, cleaned, cleanLines } from '../output/clean.ts'
import { columns, mostRows, pairs } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import { clockTime, timeText } from '../output/time.ts'
import type { ForwardResult } from './forward.ts'

const stateSymbols = { pending: '…', delivered: '✓', failed: '✗' } as const
const stateColours = { pending: 'open', delivered: 'good', failed: 'bad' } as const

/** A text in the colour of a state; left out, the state with its mark. */
const paintState = (
  state: DeliveryView['state'],
  theme: Theme,
  text = `${stateSymbols[state]} ${state}`,
): string => theme[stateColours[state]](text)

const whatOf = ({ event, transactionStatus }: Pick<DeliveryView, 'event' | 'transactionStatus'>): string =>
  event ?? statusOf(transactionStatus) ?? transactionStatus

/** Deliveries, two lines each: what it is; when it happened, and what became of it where. */
export function renderDeliveries(list: DeliveryList, chosen: boolean): string {
  const { deliveries } = cleaned(list)
  const theme = themeOf('stdout')
  if (deliveries.length === 0 && chosen)
    return 'No webhook matches the filters; without them the list shows all.\n'
  if (deliveries.length === 0)
    return (
      'No webhook was sent: pass --notify-url to a payment or to sandbox start.\n' +
      'Notifications of listen and --forward-to are not listed;\n' +
      'tillbox webhook resend <id> --to <url> sends one of them again.\n'
    )
  const rows = deliveries.map((delivery) => [
    paintState(delivery.state, theme, stateSymbols[delivery.state]),
    whatOf(delivery),
    delivery.transactionId,
    delivery.id,
  ])
  const [head, ...lines] = columns(['', 'what', 'transaction', 'webhook'], rows, theme).split('\n')
  const all = lines.flatMap((line, index) => {
    const delivery = index < mostRows ? deliveries[index] : undefined
    if (delivery === undefined) return [line]
    const result = `${timeText(delivery.createdAt)}  ${resultOf(delivery, theme)}`
    return [line, `     ${hangingText(result, 5, theme.width)}`]
  })
  const times = theme.faint('time, sandbox clock      result')
  return `${[head, `     ${times}`, ...all].join('\n')}\n`
}

/** What became of a delivery: `delivered: 200 at the 2nd try → http://…`. */
function resultOf(delivery: DeliveryView, theme: Theme): string {
  const { state, attempts, last, nextAt, fault, url } = delivery
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`
  const before = last === null ? 'not tried yet' : `to be resent, before that ${last}`
  const said = attempts === 0 ? before : `${last}, ${tries}`
  const next = nextAt === null || attempts === 0 ? '' : `, next ${timeText(nextAt)} by the sandbox clock`
  const spoilt = fault === null ? '' : `, injected: ${fault}`
  return `${paintState(state, theme, state)}: ${said}${next}${spoilt} ${theme.faint(`→${glue}${url}`)}`
}

/** A notification with every attempt in full. */
export function renderWebhook({ deliveries }: WebhookStory): string {
  const theme = themeOf('stdout')
  return deliveries
    .map(({ tries, ...others }) => {
      const delivery = cleaned(others)
      const facts = pairs(theme, [
        ['webhook', delivery.id],
        ['about', `${whatOf(delivery)} ${theme.faint(`(transaction ${delivery.transactionId})`)}`],
        ['to', theme.link(delivery.url)],
        ['happened', onSandboxClock(delivery.createdAt, theme)],
        [
          'next try',
          delivery.attempts === 0 ? null : delivery.nextAt && onSandboxClock(delivery.nextAt, theme),
        ],
        ['tries', triesOf(delivery.attempts, tries.length)],
      ])
      return `${paintState(delivery.state, theme)}\n${facts}\n${tries.map((attempt, index) => renderAttempt(attempt, index + 1)).join('')}`
    })
    .join('\n')
}

const onSandboxClock = (time: string, theme: Theme): string =>
  `${timeText(time)} ${theme.faint('(sandbox clock)')}`

/** How often it was tried, and what is not shown of it. */
function triesOf(attempts: number, kept: number): string {
  if (kept < attempts) return `${attempts}, of which ${kept} are kept`
  return kept > attempts ? `${attempts} since it was last resent` : String(attempts)
}

/** One attempt: what was sent, and what came back. */
export function renderAttempt(attempt: AttemptView, number: number): string {
  const theme = themeOf('stdout')
  const { requestBody, responseBody, ...others } = attempt
  const { at, url, status, error, durationMs, fault, requestHeaders, responseHeaders } = cleaned(others)
  const result = status === 200 ? theme.good('200') : theme.bad(String(status ?? error))
  const when = `${timeText(at)} ${theme.faint('(wall clock)')}`
  const more = theme.faint(`${durationMs.toFixed(0)} ms${fault ? `, injected: ${fault}` : ''}`)
  const head = `\n${theme.strong(`attempt ${number}`)}  ${when}  ${result}  ${more}\n`
  const lines = (headers: Readonly<Record<string, string>>, body: string) =>
    [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      ...(body === '' ? [] : [cleanLines(body)]),
    ]
      .map((line) => `    ${line}`.trimEnd())
      .join('\n')
  const sent = `  POST ${url}\n${theme.faint(lines(requestHeaders, requestBody))}\n`
  const back =
    status === null ? '' : `  HTTP ${status}\n${theme.faint(lines(responseHeaders, responseBody))}\n`
  return head + sent + back
}

/** Columns of a line of `listen` with the answer of a server, and of the id at its end. */
const [lineWidth, idWidth] = [82, 36]

/** A notification that was streamed, what became of it when it was sent on, and its id: at the end where there is room. */
export function renderNotification(streamed: StreamedNotification, sent: ForwardResult | null): string {
  const theme = themeOf('stdout')
  const notification = cleaned(streamed)
  const answer =
    sent === null
      ? ''
      : sent.status === 200
        ? `${theme.good('200')} ${theme.faint(`${sent.durationMs.toFixed(0)} ms`)}`
        : theme.bad(clean(String(sent.status ?? sent.error)))
  const { id, kind, transactionId } = notification
  const line = `${theme.faint(clockTime(Date.now()))}  ${kind.padEnd(8)}  ${whatOf(notification).padEnd(18)}  ${transactionId}  ${answer}`
  const wide = theme.width >= lineWidth + idWidth
  return `${line.trimEnd()}${wide ? '  ' : `\n${' '.repeat('00:00:00  '.length)}`}${theme.faint(id)}\n`
}

/** The injected faults; without a notify URL they hit only requests that name one. */
export function renderFaults(faults: WebhookFaults, notifyUrl: string | null): string {
  const facts = factsOf(faults)
  if (facts.length === 0) return 'No webhook fault is injected.\n'
  const theme = themeOf('stdout')
  const only =
    'This sandbox has no notify URL: faults hit only requests with a notifyUrl, never listen or --forward-to.'
  const reach = notifyUrl == null ? `${theme.open(wrapText(only, theme.width).join('\n'))}\n` : ''
  return `webhook faults\n${pairs(theme, facts)}\n${reach}`
}

/** The faults that are on, by their flags; none when all are off. */
function factsOf(faults: WebhookFaults): [flag: string, value: string][] {
  const { delayMs, reorder, seed } = faults
  const facts: [string, string][] = Object.entries(forEachShare((name) => faults[name]))
    .filter(([, share]) => share > 0)
    .map(([name, share]) => [flagName(name), String(share)])
  if (delayMs !== null) facts.push(['delay', [...new Set(delayMs)].map((each) => `${each}ms`).join('..')])
  if (reorder > 1) facts.push(['reorder', String(reorder)])
  return facts.length === 0 ? [] : [...facts, ['seed', String(seed)]]
}

/** What the check of a webhook says. */
export function renderVerdict(verdict: Verdict): string {
  const { valid, note, why, remedy } = cleaned(verdict)
  const theme = themeOf('stdout')
  if (valid) return `${theme.good('✓')} ${note ?? 'The signature is valid'}.\n`
  const said = hangingText(`The webhook is not valid: ${why}`, 2, theme.width)
  return `${theme.bad('✗')} ${said}\n  ${theme.faint('do')}  ${hangingText(remedy ?? '', 6, theme.width)}\n`
}

/** A webhook that the sink received, and what it answered. */
export interface ReceivedWebhook extends Received {
  readonly path: string
  readonly status: number
  readonly verdict: Verdict
}

/** A webhook that the sink received. */
export function renderReceived(received: ReceivedWebhook): string {
  const theme = themeOf('stdout')
  const { path, headers, body, status, verdict } = cleaned(received)
  const signature = verdict.valid
    ? theme.good(verdict.note ?? 'signature valid')
    : theme.bad(verdict.why ?? 'not valid')
  const id = headers['x-client-request-id'] ?? headers['webhook-id'] ?? ''
  return `${theme.faint(clockTime(Date.now()))}  ${path}  ${status}  ${signature}  ${theme.faint(id)}\n  ${theme.faint(beginningOf(body, theme.width - 2))}\n`
}

/** The beginning of a body, in one line. */
const beginningOf = (body: string, width: number): string =>
  body.length <= Math.min(width, 200) ? body : `${body.slice(0, Math.min(width, 200) - 1)}…`

/** How many are sent again, from now on: what becomes of them shows later. One webhook may have several addresses. */
export function renderResent({ resent }: Resent): string {
  if (resent.length === 0) return 'No webhook matches; nothing is sent.\n'
  const webhooks = new Set(resent).size
  const several = webhooks < resent.length
  const of = several ? ` of ${webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`}, one to each URL,` : ''
  const count = resent.length === 1 ? '1 delivery is' : `${resent.length} deliveries${of} are`
  return `${count} resent; tillbox webhook list shows the result.\n`
}

import { statusOf } from '../../api/statuses.ts'
import type {
  AttemptView,
  DeliveryList,
  DeliveryView,
  StreamedNotification,
  WebhookFaults,
  WebhookStory,
} from '../../api/webhooks.ts'
import type { Verdict } from '../../webhook/verify.ts'
import type { SentOn } from '../local-post.ts'
import { type Theme, themeOf } from '../theme.ts'
import { columns, pairs } from './table.ts'

const marks = { pending: '…', delivered: '✓', failed: '✗' } as const

const paintState = (state: DeliveryView['state'], theme: Theme): string => {
  const paint = state === 'delivered' ? theme.good : state === 'failed' ? theme.bad : theme.open
  return paint(`${marks[state]} ${state}`)
}

const whatOf = ({ event, transactionStatus }: Pick<DeliveryView, 'event' | 'transactionStatus'>): string =>
  event ?? statusOf(transactionStatus) ?? transactionStatus

/** Deliveries, one a line. */
export function renderDeliveries({ deliveries }: DeliveryList, chosen: boolean): string {
  const theme = themeOf('stdout')
  if (deliveries.length === 0 && chosen) return 'No webhook fits; without filters the list shows all.\n'
  if (deliveries.length === 0)
    return 'No webhook was sent: give a request --notify-url, or start the sandbox with one.\n'
  const rows = deliveries.map((delivery) => [
    paintState(delivery.state, theme),
    whatOf(delivery),
    delivery.transactionId,
    String(delivery.attempts),
    String(delivery.last ?? ''),
    theme.faint(delivery.fault ?? ''),
    delivery.id,
  ])
  return `${columns(['state', 'what', 'transaction', 'tries', 'last', 'fault', 'webhook'], rows, theme, ['tries'])}\n`
}

/** A notification with every attempt in full. */
export function renderWebhook({ deliveries }: WebhookStory): string {
  const theme = themeOf('stdout')
  return deliveries
    .map((delivery) => {
      const facts = pairs(
        [
          ['webhook', delivery.id],
          ['tells of', `${whatOf(delivery)} ${theme.faint(`(transaction ${delivery.transactionId})`)}`],
          ['to', theme.link(delivery.url)],
          ['since', delivery.createdAt],
          ['next', delivery.nextAt ?? undefined],
        ],
        theme,
      )
      return `${paintState(delivery.state, theme)}\n${facts}\n${delivery.tries.map((attempt, place) => renderAttempt(attempt, place + 1)).join('')}`
    })
    .join('\n')
}

/** One attempt: what was sent, and what came back. */
export function renderAttempt(attempt: AttemptView, place: number): string {
  const theme = themeOf('stdout')
  const { at, url, status, error, durationMs, fault } = attempt
  const result = status === 200 ? theme.good('200') : theme.bad(String(status ?? error))
  const head = `\n${theme.strong(`attempt ${place}`)}  ${at}  ${result}  ${theme.faint(`${durationMs.toFixed(0)} ms${fault ? `, ${fault} on purpose` : ''}`)}\n`
  const lines = (headers: Readonly<Record<string, string>>, body: string) =>
    [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      ...(body === '' ? [] : [body]),
    ]
      .map((line) => `    ${line}`.trimEnd())
      .join('\n')
  const sent = `  POST ${url}\n${theme.faint(lines(attempt.requestHeaders, attempt.requestBody))}\n`
  const back =
    status === null
      ? ''
      : `  HTTP ${status}\n${theme.faint(lines(attempt.responseHeaders, attempt.responseBody))}\n`
  return head + sent + back
}

/** A notification that was heard, and what became of it when it was sent on. */
export function renderHeard(notification: StreamedNotification, sent: SentOn | null): string {
  const theme = themeOf('stdout')
  const time = new Date().toTimeString().slice(0, 8)
  const answer =
    sent === null
      ? ''
      : sent.status === 200
        ? `${theme.good('200')} ${theme.faint(`${sent.durationMs.toFixed(0)} ms`)}`
        : theme.bad(String(sent.status ?? sent.error))
  return (
    `${theme.faint(time)}  ${notification.kind.padEnd(8)}  ${whatOf(notification).padEnd(18)}  ${notification.transactionId}  ${answer}`.trimEnd() +
    '\n'
  )
}

/** What is done wrong on purpose. */
export function renderFaults(faults: WebhookFaults): string {
  const { duplicate, drop, badSignature, stale, delayMs, reorder, seed } = faults
  const calm = duplicate + drop + badSignature + stale === 0 && delayMs === null && reorder === 1
  if (calm) return 'Nothing is done wrong with webhooks.\n'
  const share = (value: number) => (value === 0 ? undefined : String(value))
  const facts: [string, string | undefined][] = [
    ['duplicate', share(duplicate)],
    ['drop', share(drop)],
    ['bad-signature', share(badSignature)],
    ['stale', share(stale)],
    ['delay', delayMs === null ? undefined : [...new Set(delayMs)].map((each) => `${each}ms`).join('..')],
    ['reorder', reorder === 1 ? undefined : String(reorder)],
    ['seed', String(seed)],
  ]
  return `webhook faults\n${pairs(facts, themeOf('stdout'))}\n`
}

/** What the check of a webhook says. */
export function renderVerdict({ valid, why, remedy }: Verdict): string {
  const theme = themeOf('stdout')
  if (valid) return `${theme.good('✓')} The signature fits.\n`
  return `${theme.bad('✗')} The webhook does not fit: ${why}\n  ${theme.faint('do')}  ${remedy}\n`
}

/** A webhook that the sink received. */
export function renderReceived({
  path,
  headers,
  body,
  status,
  verdict,
}: {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly status: number
  readonly verdict: Verdict
}): string {
  const theme = themeOf('stdout')
  const time = new Date().toTimeString().slice(0, 8)
  const signature = verdict.valid ? theme.good('signature fits') : theme.bad(verdict.why ?? 'does not fit')
  const id = headers['x-client-request-id'] ?? headers['webhook-id'] ?? ''
  return `${theme.faint(time)}  ${path}  ${status}  ${signature}  ${theme.faint(id)}\n  ${theme.faint(body.slice(0, 200))}\n`
}

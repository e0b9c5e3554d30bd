import type { StreamedNotification } from '../../../contract/control/webhook-stream.ts'
import { notificationParts } from '../../../contract/presentation/words.ts'
import { parseStatus } from '../../../contract/statuses.ts'
import { pad } from '../../../shared/text/display-width.ts'
import { durationInWords, shortDuration } from '../../../shared/text/duration-words.ts'
import type { ListenedAttempt } from '../../answer-shapes.ts'
import { commandHint } from '../../hints/same-sandbox.ts'
import { clean, cleaned } from '../../output/clean.ts'
import { clockTime } from '../../output/render-time.ts'
import { clipLine, type Line, paint as paintLine, type Style } from '../../output/styled-line.ts'
import { lookOf, theme } from '../../output/theme.ts'
import { prettyJson, shortUrl } from '../notification-text.ts'

const [whatWidth, amountWidth, tookWidth] = [20, 13, 7]

/**
 * A notification in a line, as wide as the window: sign, time of this machine, event, amount, answer,
 * endpoint. The ids follow where they are needed: in a pipe, where nothing was sent, and below the last
 * attempt that failed.
 */
export function renderListened(streamed: StreamedNotification, made: ListenedAttempt | null): string {
  const { id, transactionId, ...notification } = cleaned(streamed)
  const { what, amount } = notificationParts(notification)
  const status = notification.event === null ? parseStatus(notification.transactionStatus) : undefined
  const [sign, style] = made === null ? lookOf({ status }) : attemptLook(made)
  const whatStyle = notification.event === null ? lookOf({ status })[1] : 'faint'
  const head: Line = [
    [sign, style],
    [` ${clockTime(Date.now())} `, 'faint'],
    [pad(what, whatWidth), whatStyle],
    [` ${amount.padStart(amountWidth)}  `],
  ]
  const isPiped = !Number.isFinite(theme.width)
  const ids: Line = [[`  ${transactionId}  ${id}`, 'faint']]
  const rest: Line =
    made === null ? [] : [...attemptLine(made, style), [` ${clean(shortUrl(made.to))}`, 'faint']]
  const isShown = isPiped || made === null
  const all = clipLine(
    [...head, ...rest, ...(isShown ? ids : [])],
    isPiped ? Number.MAX_SAFE_INTEGER : theme.width,
  )
  const isGivenUp = made !== null && !isDelivered(made) && made.retryMs === null
  const resend = `  ${transactionId}  ${theme.link(commandHint(`tillbox webhook resend ${id}`))}\n`
  return `${paintLine(all).trimEnd()}\n${isGivenUp && !isPiped ? resend : ''}`
}

/** The body of a notification, as sent. */
export const renderPayload = ({ body }: StreamedNotification): string =>
  `${prettyJson(body)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`

const isDelivered = ({ status }: ListenedAttempt): boolean => status === 200

/** The sign and the style of an attempt: acknowledged, given up, or followed by another. */
function attemptLook(made: ListenedAttempt): readonly [sign: string, style: Style] {
  if (isDelivered(made)) return ['✓', 'good']
  return made.retryMs === null ? ['✗', 'bad'] : ['↻', 'open']
}

/** `200    12 ms`, `500     3 ms, again in 5 s`, `500     3 ms, given up after 3 tries`. */
function attemptLine(made: ListenedAttempt, style: Style): Line {
  const { attempt, status, error, durationMs, fault, retryMs } = made
  const took = status === null ? '' : `${durationMs.toFixed(0)} ms`.padStart(tookWidth)
  const tries = attempt > 1 ? `, try ${attempt}` : ''
  const next = isDelivered(made) ? '' : retryMs === null ? ', given up' : `, again in ${pauseText(retryMs)}`
  const spoilt = fault === null ? '' : `, fault: ${fault}`
  return [
    [clean(String(status ?? error ?? 'no answer')), style],
    [took, 'faint'],
    [clean(`${tries}${next}${spoilt} `)],
  ]
}

/** A pause, from a second on to the second: `100 ms`, `5 s`, `2 min`. */
const pauseText = (ms: number): string =>
  ms < 950 ? shortDuration(Math.round(ms)) : durationInWords(Math.round(ms / 1000) * 1000)

import type { StreamedNotification } from '../../../contract/sandbox/webhooks.ts'
import { notificationInWords } from '../../../presentation/words.ts'
import { clip, displayWidth } from '../../../text/display-width.ts'
import { durationInWords, shortDuration } from '../../../text/duration-words.ts'
import { clean, cleaned } from '../../output/clean.ts'
import { clockTime } from '../../output/render-time.ts'
import { type Theme, themeOf } from '../../output/theme.ts'
import { faultNames, prettyJson } from '../notification-text.ts'

/** An attempt as it is shown: its answer, and what follows. */
export interface ShownAttempt {
  /** The endpoint, if there are several. */
  readonly to: string | null
  readonly attempt: number
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly fault: string | null
  /** Pause before the next attempt, in milliseconds; null: none follows. */
  readonly retryMs: number | null
}

/** Widths of the event text in a narrow and a wide window, and of the id at the end. */
const [fewWords, wordsWidth, idWidth] = [24, 30, 36]

/** A window narrower than this leaves more to the result. */
const narrow = 100

/**
 * A notification and the result of its attempt in one line: time of this machine, event, transaction, result. Its id is
 * at the end if there is room; the transaction's id identifies it as well.
 */
export function renderListened(streamed: StreamedNotification, made: ShownAttempt | null): string {
  const theme = themeOf('stdout')
  const { id, transactionId, ...notification } = cleaned(streamed)
  const mark = made === null ? ' ' : markOf(made, theme)
  const words = notificationInWords(notification).padEnd(theme.width < narrow ? fewWords : wordsWidth)
  const time = clockTime(Date.now())
  const begin = `${theme.faint(time)} ${mark} ${words} ${transactionId}`
  const room = theme.width - displayWidth(`${time} . ${words} ${transactionId}  `)
  const result = made === null ? '' : resultOf(made)
  const withId = room >= displayWidth(result) + idWidth + 2
  const shown = made === null ? '' : `  ${paint(made, theme, withId ? result : clip(result, room))}`
  return `${begin}${shown}${withId ? `  ${theme.faint(id)}` : ''}\n`
}

/** The body of a notification, as sent. */
export const renderPayload = ({ body }: StreamedNotification): string =>
  `${prettyJson(body, themeOf('stdout'))
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`

const isDelivered = ({ status }: ShownAttempt): boolean => status === 200

const markOf = (made: ShownAttempt, theme: Theme): string =>
  paint(made, theme, isDelivered(made) ? '✓' : made.retryMs === null ? '✗' : '…')

const paint = (made: ShownAttempt, theme: Theme, text: string): string =>
  isDelivered(made) ? theme.good(text) : made.retryMs === null ? theme.bad(text) : theme.open(text)

/** `200 12 ms`, `500, retried in 5 s`, `500 at try 3, given up`. */
function resultOf(made: ShownAttempt): string {
  const { to, attempt, status, error, durationMs, fault, retryMs } = made
  const answer = clean(String(status ?? error ?? 'no answer'))
  const took = status === null ? '' : ` ${durationMs.toFixed(0)} ms`
  const tries = attempt > 1 ? ` at try ${attempt}` : ''
  const next = isDelivered(made) ? '' : retryMs === null ? ', given up' : `, retried in ${pauseText(retryMs)}`
  const spoilt = fault === null ? '' : `, fault: ${clean(faultNames(fault))}`
  return `${answer}${took}${tries}${next}${spoilt}${to === null ? '' : ` → ${clean(to)}`}`
}

/** A pause, from a second on to the second: `100 ms`, `5 s`, `2 min`. */
const pauseText = (ms: number): string =>
  ms < 950 ? shortDuration(Math.round(ms)) : durationInWords(Math.round(ms / 1000) * 1000)

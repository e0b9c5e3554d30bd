import { durationText, parseDurationRange, parseMilliseconds } from '../../shared/text/duration.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import { type OperationName, operationNames, operationRow } from '../operations.ts'
import { type AttemptFault, attemptFaults } from './attempt-faults.ts'

/** Faults of the answers of the payment API, and of webhooks. assumption: api-faults, webhook-faults */

/**
 * When a fault acts: `before` anything happened, so that nothing is stored and no id is used up; `after` the
 * request was carried out and is durable; at the `host`, which answers as it says; in the `settlement`
 * itself, as a rule of the service would; or in a `webhook`.
 */
const faultMoments = {
  before: 'Answers, before anything happens',
  after: 'Answers, after the request is carried out',
  host: 'Answers of the host',
  settlement: 'Settlement',
  webhook: 'Webhooks',
} as const

type FaultMoment = keyof typeof faultMoments

/** How long an answer is delayed: between two times, or lognormal. Milliseconds. */
export type Delay =
  | { readonly from: number; readonly to: number }
  | { readonly median: number; readonly spread: number }

/** Kinds without parameters. */
type PlainKind =
  | 'lost-request'
  | 'lost-answer'
  | 'empty'
  | 'truncated'
  | 'random'
  | 'after-webhook'
  | 'after-end'
  | 'settlement-failed'
  | 'partial-settlement'
  | AttemptFault

/** A fault with its parameters. */
export type Fault =
  | { readonly kind: PlainKind }
  | { readonly kind: 'reset'; readonly acts: 'before' | 'after' }
  | { readonly kind: 'not-json'; readonly status: number }
  /** `retryAfter` in seconds; null for no such header. */
  | { readonly kind: 'http'; readonly status: number; readonly retryAfter: number | null }
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'slow-drip'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'outcome'; readonly name: string }
  /** Milliseconds of the sandbox clock. */
  | { readonly kind: 'delay'; readonly from: number; readonly to: number }
  /** Window size: a random one of this many waiting notifications is sent next. */
  | { readonly kind: 'reorder'; readonly among: number }

/** Text that is no fault: what is wrong with it, to stand after it in a sentence, and what to write. */
export interface WrongFault {
  readonly wrong: string
  readonly remedy: string
}

/** A value of a fault, as a form asks for it. */
interface FaultValue {
  readonly label: string
  /** Stands before the value where it is written. */
  readonly mark: '=' | '-' | '/'
  readonly example: string
  /** How else it may be written. */
  readonly hint?: string
  /** All that it may be. */
  readonly choices?: readonly string[]
}

interface KindRow {
  readonly acts: FaultMoment
  /** Its written form, with the values that may follow its name. */
  readonly syntax: string
  /** Examples that are valid as they stand. */
  readonly example: readonly string[]
  readonly summary: string
  readonly values?: readonly FaultValue[]
  /** It applies until cleared: a number of times means nothing for it. */
  readonly endless?: true
  /** Reads the value; if it is invalid, what is wrong with it, or undefined. `status`: of `http-<status>`. */
  readonly read: (value: string | undefined, status: number) => Fault | string | undefined
}

/** A kind that takes no value. */
const plain = (kind: PlainKind, acts: FaultMoment, summary: string): KindRow => ({
  acts,
  syntax: kind,
  example: [kind],
  summary,
  read: (value) => (value === undefined ? { kind } : undefined),
})

/** Longest delay of an answer. Milliseconds. */
const longestDelay = 600_000

/** Longest delay of a webhook, in milliseconds of the sandbox clock. */
const longestWebhookDelay = 366 * 86_400_000

/** Most waiting notifications that a fault reorders. */
const mostReordered = 1_000

const attemptRows = Object.fromEntries(
  Object.entries(attemptFaults).map(([kind, { does }]) => [
    kind,
    plain(kind as AttemptFault, 'webhook', capitalize(does)),
  ]),
) as Record<AttemptFault, KindRow>

/** Every kind by name: when it acts, how it is written, what it does. */
export const faultKinds = {
  'lost-answer': plain(
    'lost-answer',
    'after',
    'The request is carried out, and the connection closes without an answer',
  ),
  'lost-request': plain('lost-request', 'before', 'The connection closes before the request is carried out'),
  reset: {
    acts: 'before',
    syntax: 'reset[=before|after]',
    example: ['reset', 'reset=after'],
    summary: 'The connection is reset before the request is carried out, or after it with reset=after',
    values: [{ label: 'When', mark: '=', example: 'before', choices: ['before', 'after'] }],
    read: (acts = 'before') => (acts === 'before' || acts === 'after' ? { kind: 'reset', acts } : undefined),
  },
  empty: plain('empty', 'after', 'The answer is HTTP 200 with an empty body'),
  truncated: plain('truncated', 'after', 'Only the first half of the answer arrives'),
  'after-webhook': plain(
    'after-webhook',
    'after',
    'The answer is sent after the webhook with the result was acknowledged, or after 5 s',
  ),
  'after-end': plain(
    'after-end',
    'after',
    'The answer is sent after the payment has ended, or after 5 s, but still shows it as pending',
  ),
  random: plain('random', 'after', 'Random bytes replace the answer, then the connection closes'),
  'not-json': {
    acts: 'after',
    syntax: 'not-json[=<status>]',
    example: ['not-json', 'not-json=200'],
    summary: 'The answer is the HTML page of a proxy, with this status (default 502)',
    values: [{ label: 'Status', mark: '=', example: '502' }],
    read: (value = '502') => {
      const status = statusIn(value, 200)
      return status === undefined || withoutBody.has(status) ? undefined : { kind: 'not-json', status }
    },
  },
  'http-<status>': {
    acts: 'before',
    syntax: 'http-<status>[=<seconds>]',
    example: ['http-429', 'http-500', 'http-503'],
    summary: 'The answer has this status, 400 to 599, and a Retry-After of this many seconds',
    values: [
      { label: 'Status', mark: '-', example: '503' },
      { label: 'Retry-After (s)', mark: '=', example: '1' },
    ],
    read: (value, status) => {
      const retryAfter = value === undefined ? usualRetryAfter(status) : wholeIn(value, 0, 86_400)
      return retryAfter === undefined ? undefined : { kind: 'http', status, retryAfter }
    },
  },
  latency: {
    acts: 'after',
    syntax: 'latency=<duration>|<from>-<to>|<median>~<spread>',
    example: ['latency=2000', 'latency=500-3000', 'latency=800~0.5'],
    summary:
      'The answer is late: by a fixed time, a random time of a range, or a random time around a median',
    values: [
      {
        label: 'Delay',
        mark: '=',
        example: '2s',
        hint: 'Or a range, 500ms-3s; or a median in milliseconds and its spread, 800~0.5',
      },
    ],
    read: (value = '') => {
      const delay = delayIn(value)
      return typeof delay === 'object' ? { kind: 'latency', delay } : delay
    },
  },
  'slow-drip': {
    acts: 'after',
    syntax: 'slow-drip[=<bytes>/<ms>]',
    example: ['slow-drip'],
    summary: 'The answer arrives slowly: this many bytes, then a pause of this many milliseconds',
    values: [
      { label: 'Bytes', mark: '=', example: '16' },
      { label: 'Milliseconds', mark: '/', example: '100' },
    ],
    read: (value = '16/100') => {
      const [bytes, everyMs, ...more] = value.split('/').map((part) => wholeIn(part, 1, 60_000))
      return bytes === undefined || everyMs === undefined || more.length > 0
        ? undefined
        : { kind: 'slow-drip', bytes, everyMs }
    },
  },
  outcome: {
    acts: 'host',
    syntax: 'outcome=<name>',
    example: ['outcome=do-not-honor'],
    summary:
      'The host answers with this outcome, to payments and refunds, on terminals, in the cloud and online',
    values: [{ label: 'Outcome', mark: '=', example: 'do-not-honor' }],
    read: (name) => (name ? { kind: 'outcome', name } : undefined),
  },
  'settlement-failed': plain(
    'settlement-failed',
    'settlement',
    'batch-close is refused with SBX_SETTLE_FAIL, and batches stay open',
  ),
  'partial-settlement': plain(
    'partial-settlement',
    'settlement',
    'batch-close closes the batches of the first channel only',
  ),
  ...attemptRows,
  delay: {
    acts: 'webhook',
    syntax: 'delay=<duration>|<from>-<to>',
    example: ['delay=2s', 'delay=1s-5s'],
    summary: 'The first attempt waits, by the sandbox clock',
    values: [{ label: 'Delay', mark: '=', example: '2s', hint: 'Or a range, 1s-5s' }],
    endless: true,
    read: (value = '') => {
      const delay = rangeIn(value, longestWebhookDelay)
      return typeof delay === 'object' ? { kind: 'delay', ...delay } : delay
    },
  },
  reorder: {
    acts: 'webhook',
    syntax: 'reorder=<count>',
    example: ['reorder=3'],
    summary: 'The next delivery is a random one of the first <count> that wait',
    values: [{ label: 'Count', mark: '=', example: '3' }],
    endless: true,
    read: (value = '') => {
      const among = wholeIn(value, 2, mostReordered)
      return among === undefined ? 'is not from 2 to 1000' : { kind: 'reorder', among }
    },
  },
} as const satisfies Readonly<Record<string, KindRow>>

type KindWord = Exclude<keyof typeof faultKinds, 'http-<status>'>

/** A fault as it is written, such as `lost-answer`, `http-503` or `latency=100-500`, before it is checked. */
export type WrittenFault = KindWord | `${KindWord}=${string}` | `http-${number}` | `http-${number}=${number}`

const kinds: Readonly<Record<string, KindRow>> = faultKinds

const kindRow = (fault: Fault): KindRow =>
  kinds[fault.kind === 'http' ? 'http-<status>' : fault.kind] as KindRow

/** The kinds by when they act, in words. */
export const faultGroups = Object.entries(faultMoments).map(([moment, title]) => ({
  title,
  kinds: Object.entries(kinds).filter(([, { acts }]) => acts === moment),
}))

/** Values of a kind, in the order in which they are written; none of an unknown kind. */
export const faultValues = (kind: string): readonly FaultValue[] =>
  (Object.hasOwn(kinds, kind) && kinds[kind]?.values) || []

/** Writes a fault of a kind with its values in their order; an empty one is left out. */
export const writeFault = (kind: string, values: readonly string[]): string =>
  [
    kind.replace('-<status>', ''),
    ...faultValues(kind).map(({ mark }, index) => values[index] && `${mark}${values[index]}`),
  ].join('')

/** Index of the value without which the fault could be read; of the first when that is none. */
export const wrongValueIndex = (kind: string, values: readonly string[]): number =>
  Math.max(
    0,
    faultValues(kind).findIndex(({ example }, index) =>
      isFault(readFault(writeFault(kind, values.with(index, example)))),
    ),
  )

/** When a fault acts. */
export const faultMoment = (fault: Fault): FaultMoment =>
  fault.kind === 'reset' ? fault.acts : kindRow(fault).acts

/** True for a fault that applies until cleared, and cannot be limited to a number of times. */
export const isEndless = (fault: Fault): boolean => kindRow(fault).endless === true

/** Says which faults apply until cleared, as a clause. */
export const endlessClause = `${Object.keys(kinds)
  .filter((name) => kinds[name]?.endless)
  .join(' and ')} apply until cleared`

const opening = operationNames.filter((name) => operationRow(name).opens !== undefined)

/** The operations that a fault can hit: what the host answers and what is notified opens a transaction. */
export function reachOf(fault: Fault): readonly OperationName[] {
  const moment = faultMoment(fault)
  if (moment === 'settlement') return ['batch-close']
  return moment === 'host' || moment === 'webhook' ? opening : operationNames
}

/** True for a fault whose value is drawn. */
export const isDrawn = (fault: Fault): boolean => {
  const span = fault.kind === 'latency' ? fault.delay : fault
  return fault.kind === 'reorder' || 'median' in span || ('from' in span && span.from !== span.to)
}

/** Kinds that hit answers. */
export const answerFaultKinds: readonly string[] = Object.keys(kinds).filter(
  (name) => kinds[name]?.acts !== 'webhook',
)

/** True for a fault that could be read. */
export const isFault = (read: Fault | WrongFault): read is Fault => 'kind' in read

/** Reads a fault such as `http-503=30` or `latency=100-500`; for anything else, returns what is wrong. */
export function readFault(
  text: string,
  kindNames: readonly string[] = Object.keys(kinds),
): Fault | WrongFault {
  const at = text.indexOf('=')
  const [name, value] = at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
  const status = statusIn(/^http-(\d+)$/.exec(name)?.[1] ?? '', 400)
  if (status === undefined && name.startsWith('http')) return unknownFault('use http-400 to http-599')
  const kind = status === undefined ? name : 'http-<status>'
  const row = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (row === undefined) return unknownFault(suggestion(name.slice(0, 64), kindNames))
  const fault = row.read(value, status ?? 0)
  return typeof fault === 'object' ? fault : wrongValue(row, value, fault)
}

const unknownFault = (remedy: string): WrongFault => ({ wrong: 'is not a fault', remedy })

function wrongValue({ syntax, example }: KindRow, value: string | undefined, reason?: string): WrongFault {
  const examples = example.join(' or ')
  if (value === undefined) return { wrong: 'needs a value', remedy: `write it as ${examples}` }
  if (!syntax.includes('=')) return { wrong: 'takes no value', remedy: `write it as ${syntax}` }
  const wrong = reason ?? 'has a value that cannot be read'
  return { wrong, remedy: `write it as ${syntax}, such as ${examples}` }
}

/** Default seconds of Retry-After; null for a status that does not ask the client to come back. */
const usualRetryAfter = (status: number): number | null => (status === 429 || status === 503 ? 1 : null)

function wholeIn(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** Statuses whose answers have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

const statusIn = (text: string, least: number): number | undefined =>
  text.length === 3 ? wholeIn(text, least, 599) : undefined

/** One time or two, in milliseconds or with their units; for anything else, what is wrong. */
function rangeIn(value: string, longest: number) {
  const range = parseDurationRange(value, parseMilliseconds)
  if (typeof range === 'string') return range
  return range[1] > longest ? tooLong(longest) : { from: range[0], to: range[1] }
}

const tooLong = (longest: number): string => `is longer than ${durationText(longest)}`

function delayIn(value: string): Delay | string | undefined {
  const [time = '', spread, ...more] = value.split('~')
  if (spread === undefined) return rangeIn(value, longestDelay)
  const median = parseMilliseconds(time)
  if (median === undefined) return undefined
  if (median > longestDelay) return tooLong(longestDelay)
  const isRead = /^\d(\.\d{1,3})?$/.test(spread) && more.length === 0
  return isRead ? { median, spread: Number(spread) } : undefined
}

/** The delay of an answer, drawn by two random numbers from 0 to below 1. Milliseconds, up to 10 minutes. */
export function drawDelay(delay: Delay, [first, second]: readonly [number, number]): number {
  if ('from' in delay) return Math.round(delay.from + first * (delay.to - delay.from))
  // Box-Muller: a normally distributed number from two uniform ones.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(longestDelay, Math.round(delay.median * Math.exp(delay.spread * normal)))
}

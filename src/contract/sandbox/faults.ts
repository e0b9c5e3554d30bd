import * as v from 'valibot'
import { parseDuration } from '../../text/duration.ts'
import { suggestion } from '../../text/suggest.ts'
import { amount, amountOrNull, list, shape, text, textOrNull } from '../answer-kinds.ts'

/** Faults that are injected into the answers of the payment API. assumption: api-faults */

/**
 * When a fault acts: `before` anything happened, so that nothing is stored and no id is used up; `after` the request was
 * carried out and is durable; or in the `settlement` itself, as a rule of the service would.
 */
type FaultMoment = 'before' | 'after' | 'settlement'

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
  | 'settlement-failed'
  | 'partial-settlement'

/** A fault with its parameters. */
export type Fault =
  | { readonly kind: PlainKind }
  | { readonly kind: 'reset'; readonly acts: 'before' | 'after' }
  | { readonly kind: 'not-json'; readonly status: number }
  /** `retryAfter` in seconds; null for no such header. */
  | { readonly kind: 'http'; readonly status: number; readonly retryAfter: number | null }
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'slow-drip'; readonly bytes: number; readonly everyMs: number }

interface KindRow {
  readonly acts: FaultMoment
  /** How it is written, with what may stand behind the name. */
  readonly syntax: string
  readonly summary: string
  /** The fault; undefined when the value is none that it takes. `status`: of `http-<status>`. */
  readonly read: (value: string | undefined, status: number) => Fault | undefined
}

/** A kind that takes no value. */
const plain =
  (kind: PlainKind) =>
  (value: string | undefined): Fault | undefined =>
    value === undefined ? { kind } : undefined

/** Longest delay of an answer. Milliseconds. */
const longestDelay = 600_000

/** Every kind by name: when it acts, how it is written, what it does. */
export const faultKinds = {
  'lost-answer': {
    acts: 'after',
    syntax: 'lost-answer',
    summary: 'The request is carried out and stored; then the connection closes without an answer',
    read: plain('lost-answer'),
  },
  'lost-request': {
    acts: 'before',
    syntax: 'lost-request',
    summary: 'The connection closes before anything happens',
    read: plain('lost-request'),
  },
  reset: {
    acts: 'before',
    syntax: 'reset[=before|after]',
    summary: 'The connection is reset (TCP RST) before anything happens; reset=after: once it is stored',
    read: (acts = 'before') => (acts === 'before' || acts === 'after' ? { kind: 'reset', acts } : undefined),
  },
  empty: {
    acts: 'after',
    syntax: 'empty',
    summary: 'Carried out and stored; the answer is HTTP 200 with an empty body',
    read: plain('empty'),
  },
  truncated: {
    acts: 'after',
    syntax: 'truncated',
    summary: 'Carried out and stored; the answer breaks off in the middle of its JSON',
    read: plain('truncated'),
  },
  'not-json': {
    acts: 'after',
    syntax: 'not-json[=<status>]',
    summary: 'Carried out and stored; the answer is the HTML page of a proxy, with 502 or this status',
    read: (value = '502') => {
      const status = statusIn(value, 200)
      return status === undefined ? undefined : { kind: 'not-json', status }
    },
  },
  'http-<status>': {
    acts: 'before',
    syntax: 'http-<status>[=<seconds>]',
    summary: 'Answered with this status, 400 to 599, before anything happens; seconds: Retry-After',
    read: (value, status) => {
      const retryAfter = value === undefined ? usualRetryAfter(status) : wholeIn(value, 0, 86_400)
      return retryAfter === undefined ? undefined : { kind: 'http', status, retryAfter }
    },
  },
  latency: {
    acts: 'after',
    syntax: 'latency=<ms>|<from>-<to>|<median>~<spread>',
    summary: 'The answer comes later: by a fixed time, one of a range, or lognormal by median and spread',
    read: (value = '') => {
      const delay = delayIn(value)
      return delay === undefined ? undefined : { kind: 'latency', delay }
    },
  },
  'slow-drip': {
    acts: 'after',
    syntax: 'slow-drip[=<bytes>/<ms>]',
    summary: 'The bytes of the answer trickle: so many (16) each so many milliseconds (100)',
    read: (value = '16/100') => {
      const [bytes, everyMs, ...more] = value.split('/').map((part) => wholeIn(part, 1, 60_000))
      return bytes === undefined || everyMs === undefined || more.length > 0
        ? undefined
        : { kind: 'slow-drip', bytes, everyMs }
    },
  },
  'settlement-failed': {
    acts: 'settlement',
    syntax: 'settlement-failed',
    summary: 'batch-close is refused with SBX_SETTLE_FAIL; the batches stay open',
    read: plain('settlement-failed'),
  },
  'partial-settlement': {
    acts: 'settlement',
    syntax: 'partial-settlement',
    summary: 'batch-close closes the batches of the first channel alone, and answers for these',
    read: plain('partial-settlement'),
  },
} as const satisfies Readonly<Record<string, KindRow>>

const kinds: Readonly<Record<string, KindRow>> = faultKinds

/** How each kind is written. */
const syntaxes = Object.values(kinds).map(({ syntax }) => syntax)

/** When a fault acts. */
export const momentOf = (fault: Fault): FaultMoment => {
  if (fault.kind === 'reset') return fault.acts
  return (kinds[fault.kind === 'http' ? 'http-<status>' : fault.kind] as KindRow).acts
}

/** Reads a fault as it is written: `lost-answer`, `http-503=30`, `latency=100-500`. A text says what is wrong with it. */
export function readFault(written: string): Fault | string {
  const at = written.indexOf('=')
  const [name, value] = at === -1 ? [written] : [written.slice(0, at), written.slice(at + 1)]
  const code = /^http-(\d+)$/.exec(name)?.[1]
  const status = code === undefined ? undefined : statusIn(code, 400)
  if (code !== undefined && status === undefined) return `${name} is no status from 400 to 599`
  const row = Object.hasOwn(kinds, status === undefined ? name : 'http-<status>')
    ? kinds[status === undefined ? name : 'http-<status>']
    : undefined
  if (row === undefined || name === 'http-<status>') return suggestion(name.slice(0, 64), Object.keys(kinds))
  return row.read(value, status ?? 0) ?? `write it as ${row.syntax}`
}

/** Seconds of Retry-After where nobody says: a client that is told to come back is told when. */
const usualRetryAfter = (status: number): number | null => (status === 429 || status === 503 ? 1 : null)

function wholeIn(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

const statusIn = (text: string, least: number): number | undefined =>
  text.length === 3 ? wholeIn(text, least, 599) : undefined

/** Milliseconds, or a duration with its unit. */
function millisecondsIn(text: string): number | undefined {
  const time = /^\d{1,6}$/.test(text) ? Number(text) : parseDuration(text)
  return time !== undefined && time <= longestDelay ? time : undefined
}

function delayIn(value: string): Delay | undefined {
  const [first = '', second, ...more] = value.split(/[-~]/)
  const time = millisecondsIn(first)
  if (time === undefined || more.length > 0) return undefined
  if (second === undefined) return { from: time, to: time }
  if (value.includes('~')) {
    const spread = /^\d(\.\d{1,3})?$/.test(second) ? Number(second) : undefined
    return spread === undefined ? undefined : { median: time, spread }
  }
  const to = millisecondsIn(second)
  return to === undefined || to < time ? undefined : { from: time, to }
}

/** How long this answer is delayed, by two numbers from 0 to below 1. Milliseconds, 10 minutes at most. */
export function delayOf(delay: Delay, [first, second]: readonly [number, number]): number {
  if ('from' in delay) return Math.round(delay.from + first * (delay.to - delay.from))
  // Box-Muller: a normal number of two even ones.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(longestDelay, Math.round(delay.median * Math.exp(delay.spread * normal)))
}

/** Which requests a rule is for; null: any. `amount` in minor units. */
const targetMembers = {
  operation: textOrNull,
  terminalSn: textOrNull,
  merchantId: textOrNull,
  amount: amountOrNull,
}

/** A rule as settings keep it: from and until in milliseconds of the sandbox clock. `met`: requests that it was drawn for. */
export const faultRule = v.strictObject({
  id: v.string(),
  kind: v.pipe(
    v.string(),
    v.check((kind) => typeof readFault(kind) === 'object', 'is no fault'),
  ),
  ...targetMembers,
  times: v.nullable(v.number()),
  share: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.number(),
  from: v.nullable(v.number()),
  until: v.nullable(v.number()),
  used: v.number(),
  met: v.number(),
})
export type FaultRule = Readonly<v.InferOutput<typeof faultRule>>

/** Where a rule stands: it may hit the next request, waits for its time, or is over. */
const faultStates = ['on', 'later', 'used-up', 'over'] as const
export type FaultState = (typeof faultStates)[number]

/** A rule as the control interface shows it. Times in ISO 8601, by the sandbox clock. */
export const faultView = shape({
  id: text,
  kind: text,
  state: v.picklist(faultStates),
  ...targetMembers,
  /** How often at most; null for no end. */
  times: amountOrNull,
  /** Of the requests that it is for; null for each of them. */
  share: amountOrNull,
  seed: amount,
  from: textOrNull,
  until: textOrNull,
  used: amount,
})
export type FaultView = v.InferOutput<typeof faultView>

/** What `faults` answers: the oldest first, the order in which they are tried. */
export const faultList = shape({ faults: list(faultView) })
export type FaultList = v.InferOutput<typeof faultList>

/** How faults are written, for help and messages. */
export const faultSyntax = syntaxes.join(', ')

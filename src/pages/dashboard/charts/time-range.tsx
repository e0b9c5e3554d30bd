import {
  daysAfter,
  localDateTime,
  offsetAt,
  offsetDateTime,
  readLocalTime,
} from '../../../domain/model/local-time.ts'
import type { TimeRange } from '../../../sandbox/views/statistics/figures.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { Tabs } from '../../components/navigation.tsx'
import type { Values } from '../../frame/page-view.tsx'
import { type QueryReader, queryString } from '../lists/filter-form.tsx'

/** The sandbox's time in milliseconds, and the time zone of days and times. */
export interface Today {
  readonly now: number
  readonly timeZone: string
}

/**
 * The time range of the address: `since` is a time, or how long ago as `24h`; `until` a time. Times are dates
 * or times of day of the sandbox clock; an empty one is open.
 */
export interface RangeQuery {
  readonly since: string
  readonly until: string
}

/** The ranges to choose from: how long ago they begin, and their labels. */
const presets = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['', 'All'],
] as const

/** Longest range that ends now, in milliseconds: ten years. */
const longest = 3_652 * 86_400_000

const isDuration = (text: string): boolean => {
  const duration = /\d[mhd]$/.test(text) ? parseDuration(text) : undefined
  return duration !== undefined && duration > 0 && duration <= longest
}

const isTime = (text: string): boolean => readTime(text.replace(' ', 'T'), 'UTC') !== undefined

const hasOffset = (text: string): boolean => /T\d\d:\d\d[+-][01]\d:[0-5]\d$/.test(text)

/** A time of the address; a repeated one at the end of summer time has its offset. Undefined: none. */
function readTime(text: string, timeZone: string): number | undefined {
  if (!hasOffset(text)) return readLocalTime(text, timeZone)
  return readLocalTime(text.slice(0, 16), 'UTC') === undefined ? undefined : Date.parse(text)
}

/** Reads the range; errors are added to the reader's problems. */
export function readRange({ text: read }: QueryReader): RangeQuery {
  const text: typeof read = (...input) => read(...input).replace(' ', 'T')
  const isAfterSince = (until: string) => {
    const { from, until: end } = resolveRange({ since, until }, { now: 0, timeZone: 'UTC' })
    return isDuration(since) || from < end
  }
  const kinds = 'a date such as 2026-11-20, or a time such as 2026-11-20T18:02'
  const since = text(
    'since',
    (value) => isDuration(value) || isTime(value),
    `The first time must be ${kinds}, or how long ago, such as 24h.`,
  )
  const until = text(
    'until',
    (value) => isTime(value) && isAfterSince(value.replace(' ', 'T')),
    `The last time must be ${kinds}, after the first.`,
  )
  return { since, until: isDuration(since) ? '' : until }
}

const minute = 60_000
const [hour, day] = [60 * minute, 1_440 * minute]

/** Lengths of bars, and of the distances between ticks, that people count in. */
const steps = [
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * minute),
  ...[1, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * day),
]

/** The shortest of these lengths with at most `most` in the span, or a multiple of the longest. */
function stepFor(span: number, most: number): number {
  const [year] = steps.slice(-1) as [number]
  return steps.find((step) => span / step <= most) ?? Math.ceil(span / most / year) * year
}

const mostBars = 32

/** The range of an address. One that ends now ends with the present bar of its chart. */
export function resolveRange({ since, until }: RangeQuery, { now, timeZone }: Today): TimeRange {
  if (isDuration(since)) {
    const span = parseDuration(since) as number
    const step = stepFor(span, mostBars)
    const end = (Math.floor(now / step) + 1) * step
    return { from: end - span, until: end }
  }
  const isDate = until.length === 10 // the whole day counts
  return {
    from: readTime(since, timeZone) ?? Number.NEGATIVE_INFINITY,
    until: readTime(isDate ? daysAfter(until, 1) : until, timeZone) ?? Number.POSITIVE_INFINITY,
  }
}

/** True for a time in the range. */
export const isWithin = ({ from, until }: TimeRange, at: number): boolean => at >= from && at < until

/** No bar begins before or ends later: an address has four digits for the year, in any time zone. */
const [firstWritten, lastWritten] = [Date.UTC(1000, 0, 2), Date.UTC(9999, 0, 1)]

/** What a chart shows of time: bars of one length, and times under them, with the bars before each. */
export type TimeAxis = ReturnType<typeof timeAxis>

/**
 * The axis of a range. It leaves out the time after now and, if no beginning is chosen, that before the first
 * record (`extent`); an hour stays, if the range has one.
 */
export function timeAxis({ from, until }: TimeRange, extent: TimeRange, { now, timeZone }: Today) {
  const open = Math.max((Math.floor(now / minute) + 1) * minute, extent.until)
  const end = Math.min(until, Math.max(open, from + hour))
  const first = from > firstWritten ? from : Math.max(from, Math.min(extent.from, end - hour))
  const step = stepFor(end - first, mostBars)
  const zone = offsetAt(first, timeZone)
  const roundDown = (at: number, length: number) => Math.floor((at + zone) / length) * length - zone
  const begin = Math.max(from, roundDown(first, step))
  const count = Math.max(1, Math.ceil((end - begin) / step))
  const barAt = (index: number) => begin + index * step
  const bars: readonly TimeRange[] = Array.from({ length: count }, (_, index) => ({
    from: barAt(index),
    until: Math.min(barAt(index + 1), until, lastWritten),
  }))
  const distance = stepFor(end - begin, 8)
  const ticks: { before: number; text: string }[] = []
  let lastDay = ''
  const [firstTick, lastTick] = [roundDown(begin - 1, distance) + distance, barAt(count) - distance / 2]
  for (let at = firstTick; at <= lastTick; at += distance) {
    const local = localDateTime(at, timeZone)
    const text = tickText(local, local.slice(0, 10) !== lastDay, distance, end - begin)
    ticks.push({ before: (at - begin) / step, text })
    lastDay = local.slice(0, 10)
  }
  return { bars, ticks }
}

/** Only what tells the ticks apart: the time of day, and the date of the first tick of a day. */
function tickText(local: string, isFirstOfDay: boolean, distance: number, span: number): string {
  if (span > 365 * day) return local.slice(0, 10)
  const [date, time] = [local.slice(5, 10), local.slice(11, 16)]
  if (distance >= day || time === '00:00') return date
  return isFirstOfDay ? `${date} ${time}` : time
}

/** The address's names for a range of whole minutes. */
export const rangeQuery = ({ from, until }: TimeRange, timeZone: string): RangeQuery => ({
  since: writtenTime(from, timeZone),
  until: writtenTime(until, timeZone),
})

function writtenTime(at: number, timeZone: string): string {
  const local = localDateTime(at, timeZone).slice(0, 16)
  return readLocalTime(local, timeZone) === at ? local : local + offsetDateTime(at, timeZone).slice(19)
}

/**
 * Chooses the time range of the page: one that ends now, all, or from a time to another. `others`: other
 * parameters of the address, which are kept.
 */
export function rangeBar(range: RangeQuery, others: Values, timeZone: string) {
  const { since, until } = range
  const isPreset = presets.some(([preset]) => preset === since && until === '')
  const words = isDuration(since)
    ? `Last ${since}`
    : since === until
      ? shortTime(since)
      : `${shortTime(since)} – ${shortTime(until.startsWith(`${since.slice(0, 10)}T`) ? until.slice(11) : until)}`
  return (
    <div class="range flex items-center gap-1 text-sm max-md:flex-wrap">
      <Tabs
        label="Time range"
        id="range"
        tabs={presets.map(([preset, label]) => [preset, label, `/${queryString(others, { since: preset })}`])}
        chosen={isPreset ? since : words}
      />
      <Fold
        summary={isPreset ? 'Custom' : words}
        look={isPreset ? 'tab' : 'chosenTab'}
        className="fold relative"
      >
        <form class="popover sm:end-0 sm:w-60" method="get" action="/">
          <Hidden fields={others} />
          {timeField('From', 'since', isDuration(since) ? '' : since)}
          {timeField('Until', 'until', until)}
          <p class="text-note text-ink-soft">Sandbox clock, {timeZone}: a date, or a date and a time.</p>
          <Submit look="main">Apply</Submit>
        </form>
      </Fold>
    </div>
  )
}

const shortTime = (time: string): string => time.replace('T', ' ').replace(/^\d{4}-/, '') || '…'

const timeField = (label: string, name: string, value: string) => (
  <label class="grid gap-1">
    {label}
    <input
      name={name}
      value={value.replace('T', ' ')}
      placeholder="2026-11-20 09:00"
      maxlength={22}
      autocomplete="off"
    />
  </label>
)

import { localDateTime } from '../../../domain/model/local-time.ts'
import { type StatusGroup, statusGroups } from '../../../views/statistics/contribution.ts'
import {
  type Bucket,
  type BucketLength,
  bucketLengths,
  type Figures,
  total,
} from '../../../views/statistics/figures.ts'
import type { Bar } from './time-chart.tsx'

/** How far back the charts look. */
export interface TimeSpan {
  readonly name: string
  readonly label: string
  readonly bucketLength: BucketLength
  readonly bars: number
}

const [minute, halfHour, sixHours] = bucketLengths

/** The spans to choose from, the shortest first. */
export const timeSpans: readonly [TimeSpan, ...TimeSpan[]] = [
  { name: 'hour', label: 'Hour', bucketLength: minute, bars: 60 },
  { name: 'day', label: 'Day', bucketLength: halfHour, bars: 48 },
  { name: 'week', label: 'Week', bucketLength: sixHours, bars: 28 },
]

/** The span of that name; by default the shortest that has transactions. `now`: sandbox time. */
export function timeSpanNamed(name: string | undefined, { timeline }: Figures, now: number): TimeSpan {
  const lately = ({ bucketLength, bars }: TimeSpan) => {
    const first = Math.floor(now / bucketLength) - bars + 1
    return [...(timeline.get(bucketLength) ?? [])].some(
      ([number, bucket]) => number >= first && total(bucket) > 0,
    )
  }
  return timeSpans.find((span) => span.name === name) ?? timeSpans.find(lately) ?? timeSpans[0]
}

const nothing: Readonly<Record<StatusGroup, number>> = { success: 0, fail: 0, closed: 0, open: 0 }

/** The bars of a span that ends now, in sandbox time; `value` reads a bucket. */
export function barsOf(
  { timeline }: Figures,
  { bucketLength, bars }: TimeSpan,
  now: number,
  timeZone: string,
  value: (bucket: Bucket) => Readonly<Record<StatusGroup, number>> | undefined,
): Bar[] {
  const last = Math.floor(now / bucketLength)
  return Array.from({ length: bars }, (_, index) => {
    const number = last - bars + 1 + index
    const bucket = timeline.get(bucketLength)?.get(number)
    const since = localDateTime(number * bucketLength, timeZone).slice(0, 16)
    return {
      label: since.replace('T', ' '),
      since,
      until: localDateTime((number + 1) * bucketLength, timeZone).slice(0, 16),
      values: (bucket && value(bucket)) ?? nothing,
    }
  })
}

/** True when every bar is empty. */
export const isEmpty = (bars: readonly Bar[]): boolean =>
  bars.every(({ values }) => statusGroups.every((group) => values[group] === 0))

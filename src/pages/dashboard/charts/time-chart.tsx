import type { PropsWithChildren } from 'hono/jsx'
import { localDateTime } from '../../../domain/model/local-time.ts'
import { type StatusGroup, statusGroups } from '../../../presentation/status.ts'
import {
  type Bucket,
  type BucketLength,
  bucketLengths,
  type Figures,
  total,
} from '../../../views/statistics/contribution.ts'
import { Fold } from '../../components/basics.tsx'
import { Table } from '../../components/panel.tsx'

/** One bar of a chart over time. */
export interface Bar {
  /** When it begins, as the table writes it. */
  readonly label: string
  /** Its bounds as `yyyy-MM-ddTHH:mm`; the second one is not part of it. */
  readonly since: string
  readonly until: string
  readonly values: Readonly<Record<StatusGroup, number>>
}

interface TimeChartProps {
  readonly name: string
  readonly title: string
  readonly bars: readonly Bar[]
  /** A value as the axis and the table write it. */
  readonly format: (value: number) => string
  /** A value as the words of a bar have it. */
  readonly words: (value: number) => string
  /** What the scale reaches at least; left out: 4. */
  readonly least?: number
  /** Times under the axis, the first to the last. */
  readonly ends: readonly string[]
  readonly hrefOf: (bar: Bar) => string
}

/** Shares of the scale that have a line, from the top down. */
const ticks = [1, 0.75, 0.5, 0.25, 0] as const

/** What the groups are called. */
const groupNames: Readonly<Record<StatusGroup, string>> = {
  success: 'Approved',
  fail: 'Declined',
  closed: 'Closed',
  open: 'Pending',
}

/**
 * Stacked bars over time, drawn on the server; the same numbers follow as a table. A bar leads to its transactions; Tab
 * leads to the newest one.
 */
export const TimeChart = ({ name, title, bars, format, words, least = 4, ends, hrefOf }: TimeChartProps) => {
  const top = niceTop(Math.max(least, ...bars.map(sumOf)))
  const width = bars.length * 10
  const newest = bars.findLastIndex((bar) => sumOf(bar) > 0)
  return (
    <figure class="chart" aria-labelledby={`${name}-caption`} data-chart>
      <figcaption id={`${name}-caption`}>{title}</figcaption>
      <p class="plot-tip soft smallest" aria-hidden="true" data-chart-tip />
      <div class="plot stack gap-2">
        <ol class="plot-scale flex between soft smallest tabular" aria-hidden="true">
          {ticks.map((share) => (
            <li>{share === 0 ? '0' : format(top * share)}</li>
          ))}
        </ol>
        <svg
          class="bars wide"
          viewBox={`0 0 ${width} 100`}
          preserveAspectRatio="none"
          data-times={[...bars.map(({ since }) => since), bars.at(-1)?.until].join(' ')}
        >
          <title>{title}</title>
          <rect class="bar-ground" width={width} height="100" />
          <path class="grid" d={ticks.map((share) => `M0 ${100 - 100 * share || 0.5}H${width}`).join('')} />
          {bars.map((bar, index) =>
            sumOf(bar) === 0 ? null : (
              <a
                class="bar pressable"
                id={`${name}-${bar.since.replace(/\D/g, '')}`}
                href={hrefOf(bar)}
                tabindex={index === newest ? 0 : -1}
                aria-label={inWords(bar, words)}
              >
                <title>{inWords(bar, words)}</title>
                <rect class="bar-ground" x={index * 10} y="0" width="10" height="100" />
                {stackOf(bar, index * 10 + 1.5, top)}
              </a>
            ),
          )}
          <path class="ground" d={`M0 100H${width}`} />
        </svg>
      </div>
      <p class="plot-ends flex between soft smallest" aria-hidden="true">
        {ends.map((end) => (
          <span>{end}</span>
        ))}
      </p>
    </figure>
  )
}

/** `2026-11-20 16:30: 2 approved, 1 declined`. */
const inWords = ({ label, values }: Bar, words: (value: number) => string): string =>
  `${label}: ${statusGroups
    .filter((group) => values[group] !== 0)
    .map((group) => `${words(values[group])} ${groupNames[group].toLowerCase()}`)
    .join(', ')}`

const sumOf = ({ values }: Bar): number => statusGroups.reduce((sum, group) => sum + values[group], 0)

function stackOf({ values }: Bar, x: number, top: number) {
  let y = 100
  return statusGroups.map((group) => {
    const height = (100 * values[group]) / top
    y -= height
    return (
      height > 0 && <rect class={`fill tone-${group}`} x={x} y={round(y)} width="7" height={round(height)} />
    )
  })
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The next of 4, 8, 20, 40, 80 … at or above, so that its quarters are round, too. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  return [2, 4, 8, 20].map((factor) => factor * power).find((each) => each >= highest) ?? highest
}

/** The numbers of a chart as a table; bars with nothing in them are left out. */
export const numbersTable = (
  caption: string,
  bars: readonly Bar[],
  format: (value: number) => string,
  hrefOf: (bar: Bar) => string,
) => (
  <Table
    caption={caption}
    heads={['From', ...statusGroups.map((group) => [groupNames[group], 'figure'] as const)]}
  >
    {bars
      .filter((bar) => sumOf(bar) > 0)
      .map((bar) => (
        <tr>
          <th scope="row">
            <a href={hrefOf(bar)}>{bar.label}</a>
          </th>
          {statusGroups.map((group) => (
            <td class="figure">{bar.values[group] === 0 ? '–' : format(bar.values[group])}</td>
          ))}
        </tr>
      ))}
  </Table>
)

/** What the colours of the bars mean. */
export const Legend = () => (
  <ul class="legend gap-2 flex wrap">
    {statusGroups.map((group) => (
      <li class={`state tone-${group}`}>{groupNames[group]}</li>
    ))}
  </ul>
)

/** Folds the numbers away; it stays as it is while they change. */
export const NumbersFold = ({ children }: PropsWithChildren) => (
  <Fold summary="Numbers" className="fold numbers-fold">
    {children}
  </Fold>
)

/** How far back the charts look. */
export interface TimeSpan {
  readonly name: string
  readonly label: string
  readonly bucketLength: BucketLength
  readonly bars: number
}

const [minute, halfHour, sixHours] = bucketLengths

/** The spans to choose from, the shortest first. */
export const timeSpans: readonly [TimeSpan, TimeSpan, TimeSpan] = [
  { name: 'hour', label: 'Hour', bucketLength: minute, bars: 60 },
  { name: 'day', label: 'Day', bucketLength: halfHour, bars: 48 },
  { name: 'week', label: 'Week', bucketLength: sixHours, bars: 28 },
]

/** The span of that name; by default the shortest that reaches back to `since`, or has transactions. `now`: sandbox time. */
export function timeSpanNamed(
  name: string | undefined,
  { timeline }: Figures,
  now: number,
  since?: number,
): TimeSpan {
  const lately = ({ bucketLength, bars }: TimeSpan) => {
    const first = Math.floor(now / bucketLength) - bars + 1
    if (since !== undefined) return since >= first * bucketLength
    return [...(timeline.get(bucketLength) ?? [])].some(
      ([number, bucket]) => number >= first && total(bucket) > 0,
    )
  }
  const named = timeSpans.find((span) => span.name === name)
  return named ?? timeSpans.find(lately) ?? timeSpans[since === undefined ? 0 : 2]
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

import type { Child } from 'hono/jsx'
import type { TimeRange } from '../../../views/statistics/timeline.ts'
import { Table } from '../../components/panel.tsx'
import type { TimeAxis } from './time-range.tsx'

/** A tone of `styles/dashboard/dashboard.css`. */
type Tone = 'success' | 'fail' | 'closed' | 'open' | 'p50' | 'p95'

/** Values of the bars, each drawn as a part of its bar on top of the series before it. */
interface Drawing {
  readonly values: readonly (number | null)[]
  readonly tone: Tone
  /** Instead of a part of the bar: a mark at the value, joined to the next. */
  readonly isMark?: true
}

/** What a chart tells of each of its bars. */
export interface Series {
  readonly label: string
  /** In words for each bar; empty where there is nothing to tell. */
  readonly words: readonly string[]
  /** What is drawn. Left out: only the words are shown. */
  readonly drawn?: Drawing
  /** Bars with words are shaded. */
  readonly shades?: true
}

/** What a chart shows. */
export interface ChartContent {
  readonly title: string
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** Highest value of the scale; left out: that of the values, at least 4. */
  readonly top?: number
  readonly empty: string
  /** What a reader has to know of the values. */
  readonly note?: Child
}

/** A chart with its axis. */
export interface TimeChartProps extends ChartContent {
  readonly axis: TimeAxis
  /** When a bar begins, as the tooltip and the table write it. */
  readonly barLabel: (bar: TimeRange) => string
  /** The address of the page for the time of a bar. */
  readonly barHref: (bar: TimeRange) => string
}

/**
 * A chart over time, drawn on the server: a bar's words are shown while it is pointed at or has the focus, and a bar leads
 * to its time. The same words follow as a table.
 */
export const TimeChart = ({ title, series, empty, note, ...chart }: TimeChartProps) => {
  const drawn = series.flatMap((each) => (each.drawn ? [{ label: each.label, ...each.drawn }] : []))
  const isEmpty = !drawn.some(({ values, isMark }) => values.some((value) => isSeen(value, isMark)))
  return (
    <figure class="chart" aria-label={title}>
      {isEmpty ? (
        <p class="chart-empty stack centered soft small">{empty}</p>
      ) : (
        <>
          <figcaption class="legend gap-3 flex wrap">
            {drawn.map(({ label, tone }) => (
              <span class={`state tone-${tone}`}>{label}</span>
            ))}
            {shadePath(series) !== '' && <span class="state shade-key">Faults on</span>}
          </figcaption>
          <Plot drawn={drawn} series={series} {...chart} />
        </>
      )}
      {note !== undefined && <p class="note above-1">{note}</p>}
    </figure>
  )
}

/** A bar of 0 is not seen, a mark at 0 is. */
const isSeen = (value?: number | null, isMark = false): boolean => value != null && (isMark || value > 0)

interface PlotProps extends Omit<TimeChartProps, 'title' | 'empty' | 'note'> {
  readonly drawn: readonly Drawing[]
}

const Plot = ({ drawn, series, format, top: fixedTop, axis, barLabel, barHref }: PlotProps) => {
  const { bars, ticks } = axis
  const stacked = drawn.filter(({ isMark }) => !isMark)
  const heights = bars.map((_, index) => stacked.map(({ values }) => values[index] ?? 0))
  const marks = drawn.filter(({ isMark }) => isMark)
  const highest = [...heights.map(sum), ...marks.flatMap(({ values }) => values.map(Number))]
  const top = fixedTop ?? niceTop(Math.max(4, ...highest))
  const lastDate = ticks.findLastIndex(({ text }) => text.includes('-')) // on a phone two of three ticks are left out
  const newest = bars.findLastIndex((_, index) =>
    drawn.some(({ values, isMark }) => isSeen(values[index], isMark)),
  )
  return (
    <>
      <div class="plot stack relative">
        <svg class="marks" viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path class="shade" d={shadePath(series)} />
          <path class="grid" d={gridPath(axis)} />
          {stacked.map(({ tone }, index) => (
            <path class={`fill tone-${tone}`} d={stackPath(heights, index, top)} />
          ))}
          {marks.toReversed().map(({ tone, values }, index) => (
            <>
              <path class={`join tone-${tone}`} d={linePath(values, top)} />
              <path class={`mark tone-${tone}`} d={marksPath(values, top, 0.15 * (index + 1))} />
            </>
          ))}
        </svg>
        <ol class="bars" data-bars>
          {bars.map((bar, index) => (
            <li class={index < bars.length / 2 ? undefined : 'late'}>
              <a href={barHref(bar)} tabindex={index === newest ? 0 : -1}>
                <span class="bar-tip absolute no-pointer pad-2 stack shadow lined round-s on-paper ink smaller tabular">
                  <strong>{barLabel(bar)}</strong>
                  {series.map(
                    ({ label, words, drawn }) =>
                      words[index] !== '' && (
                        <span class={drawn && `state tone-${drawn.tone}`}>
                          {label} <strong>{words[index]}</strong>
                        </span>
                      ),
                  )}
                </span>
              </a>
            </li>
          ))}
        </ol>
        <ol class="scale one-line flex between soft smallest tabular" aria-hidden="true">
          {gridLines.map((y) => (
            <li>{format(top * (1 - y / 100))}</li>
          ))}
        </ol>
      </div>
      <svg class="ticks smallest" aria-hidden="true">
        {ticks.map(({ before, text }, index) => (
          <text
            x={`${round((100 * before) / bars.length)}%`}
            y="1.25em"
            text-anchor={before < bars.length / 8 ? 'start' : undefined}
            class={(index - lastDate) % 3 === 0 ? undefined : 'between-ticks'}
          >
            {text}
          </text>
        ))}
      </svg>
    </>
  )
}

/** Fewer points than these tell nothing. */
const leastPoints = 4

/** A line without scale through what is known: how a figure went. Nothing where that is too little. */
export const Sparkline = ({ values }: { readonly values: readonly (number | null)[] }) => {
  const points = values.filter((value) => value !== null)
  const top = Math.max(...points)
  return points.length < leastPoints || top === 0 ? null : (
    <svg class="spark" viewBox={`0 0 ${points.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      <path class="line" d={linePath(points, top)} />
    </svg>
  )
}

const shadePath = (series: readonly Series[]): string =>
  series
    .filter(({ shades }) => shades)
    .flatMap(({ words }) => words.map((word, index) => (word === '' ? '' : `M${index} 0h1v100h-1z`)))
    .join('')

const gridPath = ({ bars, ticks }: TimeAxis): string =>
  [
    ...gridLines.map((y) => `M0 ${y}H${bars.length}`),
    ...ticks.map(({ before }) => `M${round(before)} 0V104`),
  ].join('')

/** Heights of the lines of the scale, from the top down. */
const gridLines = [0, 25, 50, 75, 100] as const

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const round = (value: number): number => Math.round(value * 100) / 100

/** The rectangles of one group in the stacks of all bars. */
const stackPath = (heights: readonly (readonly number[])[], group: number, top: number): string =>
  heights
    .map((all, index) => {
      const [height, below] = [all[group] ?? 0, sum(all.slice(0, group))]
      if (height === 0) return ''
      return `M${index + 0.15} ${round(100 - (100 * below) / top)}h.7v${round((-100 * height) / top)}h-.7z`
    })
    .join('')

/** `inset`: how much narrower than its bar a mark is, so that of equal ones all are seen. */
const marksPath = (values: readonly (number | null)[], top: number, inset: number): string =>
  values
    .map((value, index) =>
      value === null ? '' : `M${index + inset} ${yIn(top, value)}h${round(1 - 2 * inset)}`,
    )
    .join('')

/** A line through the middles of the bars whose value is known. */
function linePath(values: readonly (number | null)[], top: number): string {
  const points = values.flatMap((value, index) => (value === null ? [] : `${index + 0.5} ${yIn(top, value)}`))
  return `M${points.join('L')}`
}

/** Where a value stands in a plot of that top, in percent from above. */
const yIn = (top: number, value: number): number => round(100 - (100 * value) / top)

/** The next of 4, 8, 12, 16, 20, 24 … at or above: its quarters are whole, too. */
function niceTop(highest: number): number {
  const tenth = 10 ** Math.floor(Math.log10(highest)) / 10
  const tops = [12, 16, 20, 24, 32, 40, 60, 80, 100, 120].map((factor) => factor * tenth)
  return tops.find((each) => each >= highest && each % 4 === 0) ?? highest
}

/** The words of a chart as a table; bars with nothing to tell are left out. */
export const NumbersTable = ({ title, series, axis, barLabel, barHref }: TimeChartProps) => (
  <Table caption={title} heads={['From', ...series.map(({ label }) => [label, 'figure'] as const)]}>
    {axis.bars.map(
      (bar, index) =>
        series.some(({ words }) => words[index] !== '') && (
          <tr>
            <th scope="row">
              <a href={barHref(bar)}>{barLabel(bar)}</a>
            </th>
            {series.map(({ words }) => (
              <td class="figure">{words[index] || '–'}</td>
            ))}
          </tr>
        ),
    )}
  </Table>
)

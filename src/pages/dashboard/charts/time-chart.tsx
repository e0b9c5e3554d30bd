import type { PropsWithChildren } from 'hono/jsx'
import { capitalize } from '../../../text/capitalize.ts'
import { type StatusGroup, statusGroups } from '../../../views/statistics/contribution.ts'
import { Fold } from '../../components/basics.tsx'
import { Table } from '../../components/panel.tsx'

/** One bar of a chart over time. */
export interface Bar {
  /** When it begins, as the table writes it. */
  readonly label: string
  readonly values: Readonly<Record<StatusGroup, number>>
}

interface TimeChartProps {
  readonly name: string
  readonly title: string
  readonly bars: readonly Bar[]
  /** A value as the axis and the table write it. */
  readonly format: (value: number) => string
  /** What the scale reaches at least; left out: 2. */
  readonly least?: number
  /** First and last formatDateTime, under the axis. */
  readonly ends: readonly [string, string]
}

/** Stacked bars over time, drawn on the server; the same numbers follow as a table. */
export const TimeChart = ({ name, title, bars, format, least = 2, ends }: TimeChartProps) => {
  const top = niceTop(Math.max(least, ...bars.map(sumOf)))
  return (
    <figure class="chart" aria-labelledby={`${name}-caption`}>
      <figcaption id={`${name}-caption`}>{title}</figcaption>
      <div class="plot">
        <ol class="plot-scale" aria-hidden="true">
          <li>{format(top)}</li>
          <li>{format(top / 2)}</li>
          <li>0</li>
        </ol>
        <svg
          class="bars"
          viewBox={`0 0 ${bars.length * 10} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path class="grid" d={`M0 0.5H${bars.length * 10}M0 50H${bars.length * 10}`} />
          {bars.map((bar, index) => stackOf(bar, index * 10 + 1.5, top))}
          <path class="ground" d={`M0 100H${bars.length * 10}`} />
        </svg>
      </div>
      <p class="plot-ends" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </figure>
  )
}

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

/** The next of 2, 4, 10, 20, 40 … at or above, so that the half of it is round, too. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 4, 10].map((factor) => factor * power).find((each) => each >= highest) ?? highest
}

/** The numbers of a chart as a table; bars with nothing in them are left out. */
export const numbersTable = (caption: string, bars: readonly Bar[], format: (value: number) => string) => (
  <Table kind="numbers" caption={caption} heads={['From', ...statusGroups.map(capitalize)]}>
    {bars
      .filter((bar) => sumOf(bar) > 0)
      .map(({ label, values }) => (
        <tr>
          <th scope="row">{label}</th>
          {statusGroups.map((group) => (
            <td>{values[group] === 0 ? '–' : format(values[group])}</td>
          ))}
        </tr>
      ))}
  </Table>
)

/** What the colours of the bars mean. */
export const Legend = () => (
  <ul class="legend">
    {statusGroups.map((group) => (
      <li class={`state tone-${group}`}>{capitalize(group)}</li>
    ))}
  </ul>
)

/** Folds the numbers away; it stays as it is while they change. */
export const NumbersFold = ({ children }: PropsWithChildren) => (
  <Fold summary="Numbers" className="fold numbers-fold">
    {children}
  </Fold>
)

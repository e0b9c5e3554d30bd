import { type StatusGroup, statusGroups } from '../../../views/statistics/contribution.ts'
import { Icon } from '../../components/icons.tsx'

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

/** Standings as the legend names them. */
const standingNames: Readonly<Record<StatusGroup, string>> = {
  success: 'Success',
  fail: 'Fail',
  closed: 'Closed',
  open: 'Open',
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
          {bars.map((bar, index) => (
            <Stack bar={bar} x={index * 10} top={top} />
          ))}
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

const sumOf = ({ values }: Bar): number => statusGroups.reduce((sum, standing) => sum + values[standing], 0)

const Stack = ({ bar, x, top }: { readonly bar: Bar; readonly x: number; readonly top: number }) => {
  let below = 0
  const pieces = statusGroups.map((standing) => {
    const height = (100 * bar.values[standing]) / top
    below += height
    return { standing, height, y: 100 - below }
  })
  return (
    <>
      {pieces
        .filter(({ height }) => height > 0)
        .map(({ standing, height, y }) => (
          <rect class={`fill-${standing}`} x={x + 1.5} y={round(y)} width="7" height={round(height)} />
        ))}
    </>
  )
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The next of 2, 4, 10, 20, 40 … at or above, so that the half of it is round, too. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 4, 10].map((factor) => factor * power).find((each) => each >= highest) ?? highest
}

interface NumbersProps {
  readonly caption: string
  readonly bars: readonly Bar[]
  readonly format: (value: number) => string
}

/** The numbers of a chart; bars with nothing in them are left out. */
export const Numbers = ({ caption, bars, format }: NumbersProps) => (
  <table class="numbers">
    <caption class="visually-hidden">{caption}</caption>
    <thead>
      <tr>
        <th scope="col">From</th>
        {statusGroups.map((standing) => (
          <th scope="col">{standingNames[standing]}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {bars
        .filter((bar) => sumOf(bar) > 0)
        .map(({ label, values }) => (
          <tr>
            <th scope="row">{label}</th>
            {statusGroups.map((standing) => (
              <td>{values[standing] === 0 ? '–' : format(values[standing])}</td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
)

/** What the colours of the bars mean. */
export const Legend = () => (
  <ul class="legend">
    {statusGroups.map((standing) => (
      <li class={`state state-${standing}`}>{standingNames[standing]}</li>
    ))}
  </ul>
)

/** Folds the numbers away; it stays as it is while they change. */
export const NumbersFold = ({ children }: { readonly children: unknown }) => (
  <details class="fold numbers-fold">
    <summary>
      <span>Numbers</span>
      <Icon name="chevron" />
    </summary>
    {children}
  </details>
)

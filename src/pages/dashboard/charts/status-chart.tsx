import { type StatusGroup, statusGroups } from '../../../contract/presentation/status.ts'
import { type Counters, type TimeRange, tally } from '../../../sandbox/views/statistics/figures.ts'
import { formatNumber } from '../../components/format.ts'
import type { TimeAxis } from './time-range.tsx'

interface StatusChartProps {
  readonly axis: TimeAxis
  /** The sums of each bar. */
  readonly figures: readonly Counters[]
  /** When a bar begins and ends, as the tooltip writes it, in parts between which it may break. */
  readonly barLabel: (bar: TimeRange) => readonly string[]
  /** The address of the page for the time of a bar. */
  readonly barHref: (bar: TimeRange) => string
  /** What stands in place of bars where there is nothing to draw. */
  readonly empty: string
}

const groupNames = { success: 'Approved', fail: 'Declined', closed: 'Closed', open: 'Pending' } as const

/**
 * Transactions over time by status, drawn on the server: a bar's words are shown while it is pointed at or
 * has the focus, and a bar leads to its time.
 */
export const StatusChart = ({ axis, figures, barLabel, barHref, empty }: StatusChartProps) => {
  const { bars, ticks } = axis
  const heights = figures.map((each) => statusGroups.map((group) => tally(each, group)))
  const newest = heights.findLastIndex((all) => sum(all) > 0)
  if (newest < 0)
    return <p class="grid min-h-24 place-items-center text-ink-soft text-sm md:basis-full">{empty}</p>
  const top = niceTop(Math.max(4, ...heights.map(sum)))
  const lastDate = ticks.findLastIndex(({ text }) => text.includes('-')) // on a phone two of three ticks are left out
  return (
    <>
      <p class="legend ms-auto mb-3 flex flex-wrap items-baseline gap-3 text-xs text-ink-soft max-md:mb-2">
        <span class="max-sm:hidden">Transactions</span>
        {statusGroups.map((group) => (
          <span class={`state bg-transparent p-0 text-xs tone-${group}`}>{groupNames[group]}</span>
        ))}
      </p>
      <div class="relative grid min-h-24 max-md:min-h-16 pe-12 md:basis-full">
        <svg
          class="absolute inset-0 h-full w-[calc(100%-3rem)] overflow-visible"
          viewBox={`0 0 ${bars.length} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path class="fill-none stroke-line [vector-effect:non-scaling-stroke]" d={gridPath(axis)} />
          {statusGroups.map((group, index) => (
            <path class={`fill-(--tone) tone-${group}`} d={stackPath(heights, index, top)} />
          ))}
        </svg>
        <ol class="absolute inset-0 flex h-full w-[calc(100%-3rem)] cursor-crosshair touch-pan-y" data-bars>
          {bars.map((bar, index) => (
            <li class={`relative flex-1${index < bars.length / 2 ? '' : ' late'}`}>
              <a
                class="group/bar absolute inset-0 hover:bg-accent/16 focus:bg-accent/16 [&.brushed]:bg-accent/16"
                href={barHref(bar)}
                tabindex={index === newest ? 0 : -1}
              >
                <span class="bar-tip pointer-events-none absolute top-0 left-[calc(100%+0.25rem)] z-4 grid w-max justify-items-start rounded-md border bg-paper p-2 text-note text-ink opacity-0 shadow-lg group-hover/bar:opacity-100 group-[:focus:not(ol:has(a:hover)_*)]/bar:opacity-100 in-[.late]:right-[calc(100%+0.25rem)] in-[.late]:left-auto max-md:top-full max-md:max-w-38">
                  <strong class="*:whitespace-nowrap">
                    {barLabel(bar).map((part, at) => [at > 0 && ' ', <span>{part}</span>])}
                  </strong>
                  {statusGroups.map((group, at) => (
                    <GroupCount group={group} count={heights[index]?.[at] ?? 0} />
                  ))}
                </span>
              </a>
            </li>
          ))}
        </ol>
        <ol
          class="scale absolute inset-y-0 end-0 -my-[0.5em] flex flex-col justify-between text-end text-ink-soft text-xs/none tabular-nums whitespace-nowrap"
          aria-hidden="true"
        >
          {gridLines.map((y) => (
            <li class="max-md:even:invisible">{compact(top * (1 - y / 100))}</li>
          ))}
        </ol>
      </div>
      <svg
        class="h-5.5 w-[calc(100%-3rem)] overflow-visible fill-ink-soft text-xs [text-anchor:middle]"
        aria-hidden="true"
      >
        {ticks.map(({ before, text }, index) => (
          <text
            x={`${round((100 * before) / bars.length)}%`}
            y="1.25em"
            class={`${before < bars.length / 40 ? '[text-anchor:start]' : before < bars.length / 8 ? 'max-md:[text-anchor:start]' : ''} ${(index - lastDate) % 3 === 0 ? '' : 'max-md:hidden'}`}
          >
            {text}
          </text>
        ))}
      </svg>
    </>
  )
}

const GroupCount = ({ group, count }: { readonly group: StatusGroup; readonly count: number }) =>
  count === 0 ? null : (
    <span class={`state tone-${group}`}>
      {groupNames[group]} <strong>{formatNumber(count)}</strong>
    </span>
  )

const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)

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

/** The next of 4, 8, 12, 16, 20, 24 … at or above: its quarters are whole, too. */
function niceTop(highest: number): number {
  const tenth = 10 ** Math.floor(Math.log10(highest)) / 10
  const tops = [12, 16, 20, 24, 32, 40, 60, 80, 100, 120].map((factor) => factor * tenth)
  return tops.find((each) => each >= highest && each % 4 === 0) ?? highest
}

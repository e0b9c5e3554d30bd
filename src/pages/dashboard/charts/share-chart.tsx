import { formatPercent } from '../../components/format.ts'

/** One bar of a chart of shares. */
export interface ShareBar {
  readonly label: string
  readonly count: number
  /** False for a count that is not a part of the whole, and therefore has no share. */
  readonly isPart?: boolean
  readonly tone: 'success' | 'fail' | 'closed' | 'open' | 'plain'
}

interface ShareChartProps {
  readonly caption: string
  /** Heading of the labels. */
  readonly head: string
  readonly bars: readonly ShareBar[]
}

/** Shares of a whole: a table with a bar in each row, so its numbers need no second place. */
export const ShareChart = ({ caption, head, bars }: ShareChartProps) => {
  const whole = bars.reduce((sum, { count, isPart = true }) => sum + (isPart ? count : 0), 0)
  return (
    <table class="shares smaller wide">
      <caption class="visually-hidden">{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">Count</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, count, tone, isPart = true }) => (
          <tr>
            <th scope="row">
              {label}
              {isPart && (
                <svg class="share-bar block wide" aria-hidden="true">
                  <rect class="share-ground" width="100%" height="100%" rx="2" />
                  <rect
                    class={`fill tone-${tone}`}
                    width={`${Math.round((1000 * count) / Math.max(1, whole)) / 10}%`}
                    height="100%"
                    rx="2"
                  />
                </svg>
              )}
            </th>
            <td class="soft tabular">{count.toLocaleString('en')}</td>
            <td class="soft tabular">{isPart ? formatPercent(count, whole) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

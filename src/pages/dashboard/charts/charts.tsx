import { exponentOf } from '../../../contract/currencies.ts'
import type { Catalogue } from '../../../fixtures.ts'
import { money } from '../../../presentation/money.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import type { Figures } from '../../../views/statistics/contribution.ts'
import type { LoggedAttempt } from '../../../webhooks/attempt-log.ts'
import { formatNumber, formatPercent } from '../../components/format.ts'
import { type Fragments, html } from '../../frame/page-view.tsx'
import { type Bar, barsOf, isEmpty, numbersTable, TimeChart, type TimeSpan } from './time-chart.tsx'

interface ChartInput {
  readonly figures: Figures
  readonly span: TimeSpan
  /** Sandbox time in milliseconds. */
  readonly now: number
  /** False where the charts end earlier. */
  readonly isNow: boolean
  readonly timeZone: string
  /** The address of the list of a bar's transactions; bounds as `yyyy-MM-ddTHH:mm`. */
  readonly hrefOf: (bar: Pick<Bar, 'since' | 'until'>) => string
}

/** Volume and amount over time, each as a chart and as a table. */
export function timeCharts({ figures, span, now, isNow, timeZone, hrefOf }: ChartInput): Fragments {
  const currency = mainCurrency(figures)
  const counts = barsOf(figures, span, now, timeZone, (bucket) => bucket.counts)
  const amounts = barsOf(figures, span, now, timeZone, (bucket) => bucket.amounts.get(currency))
  const sum = (value: number) => (value === 0 ? '0' : money(Math.round(value), currency))
  const at = (share: number) => counts[Math.round(share * (counts.length - 1))]?.label.slice(5) ?? ''
  const ends = [at(0), at(1 / 3).slice(-5), at(2 / 3).slice(-5), isNow ? 'now' : at(1)]
  return {
    volume: html(
      <TimeChart
        name="volume"
        title="Transactions"
        bars={counts}
        format={compact}
        words={formatNumber}
        {...{ ends, hrefOf }}
      />,
    ),
    'volume-numbers': html(numbersTable('Transactions over time by status', counts, formatNumber, hrefOf)),
    amounts: html(
      <TimeChart
        name="amounts"
        title={`Payments in ${currency}`}
        bars={amounts}
        least={4 * 10 ** (exponentOf(currency) ?? 0)}
        format={(value) => compactMoney(value, currency)}
        words={sum}
        {...{ ends, hrefOf }}
      />,
    ),
    'amounts-numbers': html(
      numbersTable(`Amounts of payments in ${currency} over time by status`, amounts, sum, hrefOf),
    ),
    quiet: isEmpty(counts) ? html(<p class="quiet soft small">No transactions in this period.</p>) : '',
  }
}

const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)

/** Money short enough for an axis: `$1.2K`. */
const compactMoney = (minorUnits: number, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(minorUnits / 10 ** (exponentOf(currency) ?? 0))

/** The currency of most payments. */
function mainCurrency({ byCurrency }: Figures): string {
  let [main, most] = ['USD', 0]
  for (const [currency, { count }] of byCurrency) if (count > most) [main, most] = [currency, count]
  return main
}

/** Outcomes with a bar of their own; the rest share one. */
const ownBars = 6

/** How transactions ended: shares of those that were decided, as the approval rate is. */
export function outcomeChart({ outcomes }: Figures, catalogue: Catalogue): string {
  const all = [...outcomes].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one)
  if (all.length === 0) return html(<p class="quiet soft small">No outcomes yet.</p>)
  const rest = all.slice(ownBars).reduce((sum, [, count]) => sum + count, 0)
  const bars: ShareBar[] = all.slice(0, ownBars).map(([outcome, count]) => ({
    label: outcome === 'closed' ? 'closed unpaid' : outcome,
    count,
    isPart: outcome !== 'closed',
    tone: toneOf(outcome, catalogue),
  }))
  if (rest > 0) bars.push({ label: 'others', count: rest, tone: 'plain' })
  return html(<ShareChart caption="Outcomes, as shares of those decided" head="Outcome" bars={bars} />)
}

const toneOf = (outcome: string, { outcomeNamed }: Catalogue): ShareBar['tone'] => {
  if (outcome === 'closed') return 'closed'
  return outcomeNamed(outcome)?.status === 'SUCCESS' ? 'success' : 'fail'
}

/** Upper ends of the bars of answer times, in milliseconds. */
const latencyEnds = [10, 50, 200, 1_000, 5_000] as const

/** How fast receivers answered the latest attempts. */
export function latencyChart(attempts: readonly LoggedAttempt[]): string {
  if (attempts.length === 0) return html(<p class="quiet soft small">No webhooks sent yet.</p>)
  const answered = attempts.filter(({ status }) => status !== null).map(({ durationMs }) => durationMs)
  const accepted = attempts.filter(({ status }) => status === 200).map(({ durationMs }) => durationMs)
  const unanswered = attempts.length - answered.length
  const lowEnd = (index: number) => latencyEnds[index - 1] ?? 0
  const bars: ShareBar[] = latencyEnds.map((end, index) => ({
    label: `${index === 0 ? 'under' : `${label(lowEnd(index))} to`} ${label(end)}`,
    count: accepted.filter((time) => time >= lowEnd(index) && time < end).length,
    tone: 'success',
  }))
  const slowest = lowEnd(latencyEnds.length)
  bars.push({ label: 'slower', count: accepted.filter((time) => time >= slowest).length, tone: 'open' })
  for (const family of [2, 3, 4, 5])
    bars.push({
      label: family === 2 ? 'answered 2xx, not 200' : `answered ${family}xx`,
      count: attempts.filter(({ status }) => status !== 200 && familyOf(status) === family).length,
      tone: 'fail',
    })
  bars.push({ label: 'no answer', count: unanswered, tone: 'fail' })
  const sorted = answered.sort((one, other) => one - other)
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return html(
    <>
      {sorted.length > 0 && (
        <p class="quantiles note">
          median <b>{shortDuration(quantile(0.5) ?? 0)}</b>, 95th percentile{' '}
          <b>{shortDuration(quantile(0.95) ?? 0)}</b>
        </p>
      )}
      <ShareChart
        caption="Response times of the latest attempts"
        head="Answered"
        bars={bars.filter(({ count }) => count > 0)}
      />
    </>,
  )
}

/** 2 for a status of 200 to 299. Only 200 accepts a webhook. */
const familyOf = (status: number | null): number => Math.floor((status ?? 0) / 100)

const label = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`

/** One bar of a chart of shares. */
interface ShareBar {
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
const ShareChart = ({ caption, head, bars }: ShareChartProps) => {
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

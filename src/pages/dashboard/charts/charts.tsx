import type { FaultView } from '../../../contract/sandbox/fault-list.ts'
import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import { money } from '../../../presentation/money.ts'
import { statusGroups } from '../../../presentation/status.ts'
import type { ReadableRequestLog } from '../../../request-log/request-log.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { capitalize } from '../../../text/words.ts'
import type { Counter } from '../../../views/statistics/figures.ts'
import { type Counters, tally } from '../../../views/statistics/timeline.ts'
import { stateTones } from '../../components/basics.tsx'
import { formatDateTime, formatNumber, formatPercent, logLimits } from '../../components/format.ts'
import type { ChartContent, Series } from './time-chart.tsx'
import { isWithin, type TimeAxis } from './time-range.tsx'

/** What charts are drawn from: the sums of each bar of the axis. */
export interface ChartInput {
  readonly axis: TimeAxis
  readonly figures: readonly Counters<Counter>[]
  readonly deliveries: readonly Counters<DeliveryState>[]
  readonly log: Pick<ReadableRequestLog, 'list' | 'capacity'>
  readonly currency: string
  readonly timeZone: string
}

/** The charts by name, each with the title of its tab. */
export const charts = {
  volume: { tab: 'Volume', content: volume },
  approval: { tab: 'Approval rate', content: approvalRate },
  latency: { tab: 'Latency', content: latency },
  webhooks: { tab: 'Webhooks', content: webhooks },
} as const satisfies Readonly<Record<string, { tab: string; content: (input: ChartInput) => ChartContent }>>

/** Names a chart. */
export type ChartName = keyof typeof charts

/** How many of those that the host decided it approved; null where it decided none. */
export function approvalShare(counters: Counters<Counter>): number | null {
  const [approved, declined] = [tally(counters, 'success'), tally(counters, 'fail')]
  return approved + declined === 0 ? null : approved / (approved + declined)
}

/** The faults that were on between two times, such as those of a preset: shaded in each chart. None: no series. */
export function faultSeries({ bars }: TimeAxis, faults: readonly FaultView[]): readonly Series[] {
  const words = bars.map((bar) =>
    faults
      .filter(
        ({ from, until }) =>
          from !== null && until !== null && Date.parse(from) < bar.until && Date.parse(until) > bar.from,
      )
      .map(({ kind }) => kind)
      .join(', '),
  )
  return words.some(Boolean) ? [{ label: 'Faults', words, shades: true }] : []
}

const groupNames = { success: 'Approved', fail: 'Declined', closed: 'Closed', open: 'Pending' } as const

const countWord = (count: number): string => (count === 0 ? '' : formatNumber(count))

const rateWord = (counters: Counters<Counter>): string =>
  approvalShare(counters) === null
    ? ''
    : formatPercent(tally(counters, 'success'), tally(counters, 'success') + tally(counters, 'fail'))

function volume({ figures, currency }: ChartInput): ChartContent {
  const sumWords = (name: 'taken' | 'refunded') =>
    figures.map((each) => {
      const amount = tally(each, `${name} ${currency}`)
      return amount === 0 ? '' : money(amount, currency)
    })
  return {
    title: 'Transactions over time by status',
    format: compact,
    empty: 'No transactions in this period.',
    series: [
      ...statusGroups.map((tone) => {
        const values = figures.map((each) => tally(each, tone))
        return { label: groupNames[tone], words: values.map(countWord), drawn: { values, tone } }
      }),
      { label: 'Taken', words: sumWords('taken') },
      { label: 'Refunded', words: sumWords('refunded') },
      { label: 'Approval rate', words: figures.map(rateWord) },
    ],
  }
}

function approvalRate({ figures }: ChartInput): ChartContent {
  const countsPerBar = (name: 'success' | 'fail') => figures.map((each) => tally(each, name))
  const [approved, declined] = [countsPerBar('success'), countsPerBar('fail')]
  const decided = approved.map((count, index) => count + (declined[index] ?? 0))
  const declines = new Map<string, number>()
  for (const each of figures)
    for (const [name, count] of each)
      if (name.startsWith('declined ')) declines.set(name, (declines.get(name) ?? 0) + count)
  const reasons = [...declines].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one)
  return {
    title: 'Approval rate over time',
    format: (value) => `${value} %`,
    top: 100,
    empty: 'Nothing was approved or declined in this period.',
    series: [
      {
        label: 'Approval rate',
        words: figures.map(rateWord),
        drawn: {
          values: figures.map(approvalShare).map((rate) => rate && 100 * rate),
          tone: 'success',
          isMark: true,
        },
      },
      { label: 'Decided', words: decided.map(countWord) },
      { label: 'Declined', words: declined.map(countWord) },
    ],
    note:
      reasons.length === 0
        ? undefined
        : `Declined: ${reasons.map(([name, count]) => `${name.slice('declined '.length)} ${formatNumber(count)}`).join(', ')}`,
  }
}

function latency({ axis, log, timeZone }: ChartInput): ChartContent {
  const requests = log.list().filter(({ operation }) => operation !== null)
  const durations = axis.bars.map((bar) =>
    requests
      .filter(({ sandboxAt }) => isWithin(bar, sandboxAt))
      .map(({ durationMs }) => durationMs)
      .sort((one, other) => one - other),
  )
  const percentile = (share: number, tone: 'p50' | 'p95'): Series => {
    const values = durations.map((all) => all[Math.ceil(share * all.length) - 1] ?? null)
    const words = values.map((value) => (value === null ? '' : shortDuration(value)))
    return { label: tone, words, drawn: { values, tone, isMark: true } }
  }
  const first = requests[0]
  return {
    title: 'Response times of API requests over time',
    format: shortDuration,
    empty: 'No API requests are known of this period.',
    series: [
      percentile(0.5, 'p50'),
      percentile(0.95, 'p95'),
      { label: 'Requests', words: durations.map(({ length }) => countWord(length)) },
    ],
    note:
      first &&
      `All requests since ${formatDateTime(first.sandboxAt, timeZone)}. The log keeps ${logLimits(log)}.`,
  }
}

function webhooks({ deliveries }: ChartInput): ChartContent {
  return {
    title: 'Webhooks over time by state',
    format: compact,
    empty: 'No webhooks in this period.',
    series: deliveryStates.map((state) => {
      const values = deliveries.map((each) => tally(each, state))
      const drawn = { values, tone: stateTones[state] }
      return { label: capitalize(state), words: values.map(countWord), drawn }
    }),
  }
}

const deliveryStates = ['delivered', 'failed', 'pending'] as const

const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)

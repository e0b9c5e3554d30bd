import type { Child } from 'hono/jsx'
import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import { money } from '../../../presentation/money.ts'
import { type Counter, total } from '../../../views/statistics/figures.ts'
import { type Counters, tally } from '../../../views/statistics/timeline.ts'
import { Hidden, Select, Submit } from '../../components/actions.tsx'
import { formatNumber, formatPercent } from '../../components/format.ts'
import { type FragmentSlot, type Fragments, html, type Values } from '../../frame/page-view.tsx'
import { approvalShare } from './charts.tsx'
import { Sparkline } from './time-chart.tsx'

interface PeriodSums {
  readonly figures: Counters<Counter>
  readonly deliveries: Counters<DeliveryState>
}

/** A figure: its value of a period, and how that is written. */
interface Figure {
  readonly title: string
  readonly valueIn: (period: PeriodSums) => number | null
  readonly words: (value: number) => string
  readonly note: (period: PeriodSums) => string
  /** True for a share: its change is a difference. */
  readonly isShare?: boolean
}

const percent = (share: number): string => formatPercent(share, 1)

function figuresIn(currency: string): Readonly<Record<string, Figure>> {
  const sumIn = (name: 'taken' | 'refunded', { figures }: PeriodSums) => tally(figures, `${name} ${currency}`)
  const amountFigure = (title: string, name: 'taken' | 'refunded', note: Figure['note']): Figure => ({
    title,
    valueIn: (period) => sumIn(name, period),
    words: (value) => money(value, currency),
    note,
  })
  return {
    taken: amountFigure('Taken', 'taken', () => currency),
    refunded: amountFigure('Refunded', 'refunded', (period) => {
      const taken = sumIn('taken', period)
      return taken === 0 ? 'nothing taken' : `${formatPercent(sumIn('refunded', period), taken)} of taken`
    }),
    count: {
      title: 'Transactions',
      valueIn: ({ figures }) => total(figures),
      words: formatNumber,
      note: ({ figures }) => `${formatNumber(tally(figures, 'open'))} open`,
    },
    approval: {
      title: 'Approval rate',
      valueIn: ({ figures }) => approvalShare(figures),
      words: percent,
      isShare: true,
      note: ({ figures }) => {
        const approved = tally(figures, 'success')
        const decided = approved + tally(figures, 'fail')
        return decided === 0 ? 'none decided' : `${formatNumber(approved)} of ${formatNumber(decided)}`
      },
    },
    deliveries: {
      title: 'Webhooks',
      valueIn: ({ deliveries }) => [...deliveries.values()].reduce((sum, count) => sum + count, 0),
      words: formatNumber,
      note: ({ deliveries }) => {
        const worst = (['failed', 'pending', 'delivered'] as const).find((one) => tally(deliveries, one) > 0)
        return worst === undefined ? 'none sent' : `${formatNumber(tally(deliveries, worst))} ${worst}`
      },
    },
  }
}

/** Characters of a value that a card of a phone has room for in the usual size. */
const mostInOneSize = 13

/**
 * The pieces of the figures that change. `before`: the period of equal length before it, null where there is none; `bars`: of
 * the chart.
 */
export const figureFragments = (
  period: PeriodSums,
  before: PeriodSums | null,
  bars: readonly PeriodSums[],
  currency: string,
): Fragments =>
  Object.fromEntries(
    Object.entries(figuresIn(currency)).map(([id, figure]) => {
      const value = figure.valueIn(period)
      const text = value === null ? '–' : figure.words(value)
      return [
        id,
        html(
          <>
            <p class="figure-value tight bold tabular line-1-3">
              {text.length > mostInOneSize ? <span class="figure-long one-line">{text}</span> : text}
              {before !== null && drawChange(figure.valueIn(before), value, figure.isShare)}
            </p>
            <p class="figure-note soft smallest">{figure.note(period)}</p>
            <Sparkline values={bars.map(figure.valueIn)} />
          </>,
        ),
      ]
    }),
  )

/** By how much a figure changed since the period before: in percent, or of a share in percentage points. */
function drawChange(from: number | null, to: number | null, isShare = false) {
  if (from === null || to === null || (from === 0 && !isShare)) return null
  const change = Math.round(100 * (isShare ? to - from : to / from - 1))
  const sign = change < 0 ? '−' : '+'
  return (
    <span class="figure-change light soft smallest" title="Compared with the period before">
      {sign}
      {formatNumber(Math.abs(change))} {isShare ? 'points' : '%'}
    </span>
  )
}

/** The cards of the figures. `currency`: what stands beside the first two. */
export const figureCards = (slot: FragmentSlot, currency: Child) => (
  <div class="figures stack gap-2">
    {Object.entries(figuresIn('')).map(([id, { title }]) => (
      <section class="panel figure-card stack" aria-labelledby={`${id}-title`}>
        <h2 class="light soft smaller one-line" id={`${id}-title`}>
          {title}
        </h2>
        {id === 'taken' && currency}
        {slot(id)}
      </section>
    ))}
  </div>
)

/** Chooses the currency of the amounts, where there are several; `others`: parameters of the address, which are kept. */
export const currencyChoice = (currencies: readonly string[], chosen: string, others: Values): string =>
  currencies.length < 2
    ? ''
    : html(
        <form class="figure-currency row gap-1" method="get" action="/" data-apply>
          <Hidden fields={others} />
          <label>
            <span class="visually-hidden">Currency of the amounts</span>
            <Select id="figure-currency" name="currency" options={currencies} chosen={chosen} />
          </label>
          <Submit className="without-scripts">Show</Submit>
        </form>,
      )

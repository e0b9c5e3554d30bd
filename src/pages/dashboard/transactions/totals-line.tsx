import type { Child } from 'hono/jsx'
import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import { money } from '../../../presentation/money.ts'
import { type Figures, total } from '../../../views/statistics/figures.ts'
import { formatNumber, formatPercent } from '../../components/format.ts'
import { Pairs } from '../../components/pairs.tsx'

interface TotalsProps {
  readonly figures: Figures
  /** Deliveries by state. */
  readonly webhooks: Readonly<Record<DeliveryState, number>>
}

/** Currencies that are shown; the rest is counted. */
const shownCurrencies = 3

/** The sums of the shown transactions, in one line. */
export const Totals = ({ figures, webhooks: { pending, delivered, failed } }: TotalsProps) => {
  const { counts } = figures
  const ended = counts.success + counts.fail
  return (
    <Pairs
      kind="totals"
      pairs={[
        ['Taken', value(<Sums figures={figures} of="taken" />), 'total total-lead'],
        ['Refunded', value(<Sums figures={figures} of="refunded" />), 'total'],
        ['Transactions', value(formatNumber(total(figures)), `${formatNumber(counts.open)} open`), 'total'],
        [
          'Approval rate',
          value(
            ended === 0 ? '–' : formatPercent(counts.success, ended),
            `${formatNumber(counts.success)} of ${formatNumber(ended)} decided`,
          ),
          'total',
        ],
        [
          'Webhooks',
          value(
            pending + delivered + failed === 0 ? '–' : `${formatNumber(delivered)} sent`,
            webhookNote(pending, failed),
          ),
          'total',
        ],
      ]}
    />
  )
}

const value = (text: Child, note = '') => (
  <>
    <span class="total-value tight bold tabular line-1-3">{text}</span>
    {note !== '' && <span class="note">{note}</span>}
  </>
)

const webhookNote = (pending: number, failed: number): string =>
  [pending > 0 && `${formatNumber(pending)} pending`, failed > 0 && `${formatNumber(failed)} failed`]
    .filter(Boolean)
    .join(', ')

const Sums = ({ figures, of }: { readonly figures: Figures; readonly of: 'taken' | 'refunded' }) => {
  const sums = [...figures.byCurrency].filter(([, sum]) => sum[of] !== 0)
  const [first, ...others] = sums.sort(([, one], [, other]) => other.count - one.count)
  if (first === undefined) return <>–</>
  return (
    <>
      {money(first[1][of], first[0])}
      {others.slice(0, shownCurrencies - 1).map(([currency, sum]) => (
        <span class="total-more light block soft small">{money(sum[of], currency)}</span>
      ))}
      {others.length >= shownCurrencies && (
        <span class="total-more light block soft small">
          and {formatNumber(others.length - shownCurrencies + 1)} more
        </span>
      )}
    </>
  )
}

import type { Child } from 'hono/jsx'
import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import { money } from '../../../presentation/money.ts'
import { type Figures, total } from '../../../views/statistics/contribution.ts'
import type { Survey } from '../../../views/statistics/filter-survey.ts'
import { formatNumber, formatPercent, plural } from '../../components/format.ts'
import { Pairs } from '../../components/panel.tsx'
import { queryString } from '../lists/list-query.ts'
import type { TransactionFilterQuery } from './transaction-filter-form.tsx'

/** `28 of 137`: how many match, of how many. */
export const countInWords = ({ count, ids, looked }: Survey, stored: number): string =>
  ids === null
    ? plural(stored, 'transaction')
    : `${formatNumber(count)}${looked === null ? '' : '+'} of ${formatNumber(stored)}`

/** `1–25 of 137`: which of the matching ones the page has; null where that is not known. */
export function rangeInWords(survey: Survey, firstIndex: number | null, shown: number): string | null {
  if (firstIndex === null || shown === 0) return null
  const all = survey.looked === null ? formatNumber(survey.count) : `${formatNumber(survey.count)}+`
  return `${formatNumber(firstIndex + 1)}–${formatNumber(firstIndex + shown)} of ${all}`
}

/** The list as a file, by the filters that are set. */
export const ExportLinks = ({ filters }: { readonly filters: TransactionFilterQuery }) => (
  <p class="export flex gap-2 soft">
    Export{' '}
    <a href={`/transactions.csv${queryString(filters)}`} download aria-label="Export as CSV">
      CSV
    </a>{' '}
    <a href={`/transactions.json${queryString(filters)}`} download aria-label="Export as JSON">
      JSON
    </a>
  </p>
)

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

import { formatNumber, plural } from '../../components/format.ts'
import { queryString } from '../lists/list-query.ts'
import type { LookUpResult } from './look-up.ts'
import type { TransactionFilterQuery } from './transaction-filter-form.tsx'

/** `28 of 137`: how many match, of how many; `28+` where the search did not look at all. */
export const countInWords = (count: number, looked: LookUpResult['looked'], stored: number): string =>
  looked === null && count === stored
    ? plural(stored, 'transaction')
    : `${atLeast(count, looked)} of ${formatNumber(stored)}`

/** `1–25 of 137`: which of the matching ones the page has; null where that is not known. */
export const rangeInWords = (
  count: number,
  looked: LookUpResult['looked'],
  firstIndex: number | null,
  shown: number,
): string | null =>
  firstIndex === null || shown === 0
    ? null
    : `${formatNumber(firstIndex + 1)}–${formatNumber(firstIndex + shown)} of ${atLeast(count, looked)}`

const atLeast = (count: number, looked: LookUpResult['looked']): string =>
  `${formatNumber(count)}${looked === null ? '' : '+'}`

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

import { typeNames } from '../../../contract/statuses.ts'
import { capitalize } from '../../../text/words.ts'
import { formatNumber, plural } from '../../components/format.ts'
import type { Chip } from '../lists/filter-form.tsx'
import { queryString } from '../lists/list-query.ts'
import type { LookUpResult } from './look-up.ts'
import { onlineChoice, type TransactionFilterQuery, typeChoices } from './transaction-filter-form.tsx'

/** The filters that are set, each with the address of the list without it. `otherParameters`: parameters that stay. */
export function chipsOf(filters: TransactionFilterQuery, otherParameters: object): Chip[] {
  const names: Readonly<Record<Exclude<keyof TransactionFilterQuery, 'match' | 'since' | 'until'>, string>> =
    {
      q: 'Search',
      status: 'Status',
      type: 'Type',
      terminal: 'Terminal',
      from: 'At least',
      to: 'At most',
    }
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((each) => filters[each] !== '')
    .map((each) => ({
      name: names[each],
      value: valueInWords(each, filters[each]),
      without: `/${queryString({ ...filters, [each]: '', ...(each === 'q' && { match: '' }) }, otherParameters)}`,
    }))
}

function valueInWords(name: keyof TransactionFilterQuery, value: string): string {
  if (name === 'status') return capitalize(value)
  if (name === 'type') return typeNames[typeChoices.find((type) => type === value) ?? 'SALE']
  if (name === 'terminal' && value === onlineChoice) return 'Online'
  return value
}

interface CountProps {
  /** Number of those that match. */
  readonly count: number
  readonly looked: LookUpResult['looked']
  /** Number of all transactions. */
  readonly stored: number
  /** For exact matches, the address that searches for the text as a part. */
  readonly asPart: string | null
}

/** The number of matches, and how far the search looked. */
export const Count = ({ count, looked, stored, asPart }: CountProps) => (
  <p class="list-count soft tabular">
    {looked === null && count === stored ? (
      plural(stored, 'transaction')
    ) : (
      <>
        <strong>{formatNumber(count)}</strong>{' '}
        {looked === null
          ? `of ${formatNumber(stored)}`
          : `in the newest ${formatNumber(looked)} of ${formatNumber(stored)}`}
      </>
    )}
    {asPart !== null && (
      <>
        {', exact match. '}
        <a href={asPart}>Search all texts</a>
      </>
    )}
  </p>
)

/** `1–25 of 137`: which of the matching ones the page has; null where that is not known. */
export function rangeInWords(
  { count, looked }: Pick<CountProps, 'count' | 'looked'>,
  firstIndex: number | null,
  shown: number,
): string | null {
  if (firstIndex === null || shown === 0) return null
  const all = looked === null ? formatNumber(count) : `${formatNumber(count)}+`
  return `${formatNumber(firstIndex + 1)}–${formatNumber(firstIndex + shown)} of ${all}`
}

/** The list as a file, by the filters that are set. */
export const ExportLinks = ({ filters }: { readonly filters: TransactionFilterQuery }) => (
  <p class="export flex gap-2 soft to-end">
    Export{' '}
    <a href={`/transactions.csv${queryString(filters)}`} download aria-label="Export as CSV">
      CSV
    </a>{' '}
    <a href={`/transactions.json${queryString(filters)}`} download aria-label="Export as JSON">
      JSON
    </a>
  </p>
)

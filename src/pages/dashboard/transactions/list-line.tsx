import { typeNames } from '../../../contract/statuses.ts'
import { capitalize } from '../../../text/capitalize.ts'
import { formatNumber, plural } from '../../components/format.ts'
import type { Chip } from '../lists/filter-form.tsx'
import { queryString } from '../lists/list-query.ts'
import { dayChoices, onlineChoice, type TransactionFilterQuery, typeChoices } from './transaction-filters.ts'
import type { Survey } from './transaction-survey.ts'

/** The filters that are set, each with the address of the list without it. `otherParameters`: parameters that stay. */
export function chipsOf(filters: TransactionFilterQuery, otherParameters: object): Chip[] {
  const names: Readonly<Record<Exclude<keyof TransactionFilterQuery, 'match'>, string>> = {
    q: 'Search',
    status: 'Status',
    when: 'Time',
    since: 'From',
    until: 'Until',
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
  if (name === 'when') return dayChoices[value as keyof typeof dayChoices]
  if (name === 'type') return typeNames[typeChoices.find((type) => type === value) ?? 'SALE']
  if (name === 'terminal' && value === onlineChoice) return 'Online'
  return value.replace('T', ' ')
}

interface CountProps {
  readonly survey: Survey
  /** Number of all transactions. */
  readonly stored: number
  /** For exact matches, the address that searches for the text as a part. */
  readonly asPart: string | null
}

/** The number of matches, and how far the search looked. */
export const Count = ({ survey: { count, ids, looked }, stored, asPart }: CountProps) => (
  <p class="list-count soft tabular">
    {ids === null ? (
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
export function rangeInWords(survey: Survey, firstIndex: number | null, shown: number): string | null {
  if (firstIndex === null || shown === 0) return null
  const all = survey.looked === null ? formatNumber(survey.count) : `${formatNumber(survey.count)}+`
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

import type { Child } from 'hono/jsx'
import { searchLimit, walk } from '../../../views/search-walk.ts'
import type { Statistics } from '../../../views/statistics/statistics.ts'
import { sumOf } from '../../../views/statistics/timeline.ts'
import { formatNumber } from '../../components/format.ts'
import type { PageView } from '../../frame/page-view.tsx'

interface ListPage extends Omit<PageView, 'live' | 'status'> {
  /** Path of the page. */
  readonly path: string
  /** Query of this view, with its `?`. */
  readonly query: string
  readonly topics: NonNullable<PageView['live']>['topics']
  readonly again?: NonNullable<PageView['live']>['again']
  readonly problems: readonly string[]
}

/** A page with a list: it is streamed with its own query, and answers 422 when the query has problems. */
export const listPage = ({ path, query, topics, again, problems, ...view }: ListPage): PageView => ({
  ...view,
  live: { path: `${path === '/' ? '' : path}/live${query}`, topics, ...(again && { again }) },
  status: problems.length === 0 ? 200 : 422,
})

type PageLinkId = 'newest' | 'newer' | 'older' | 'first-open' | 'more-open'

/** Links to other pages of a list, in their order. */
const pageLinks: readonly { id: PageLinkId; text: string; rel?: 'prev' | 'next' }[] = [
  { id: 'newest', text: 'Newest' },
  { id: 'newer', text: 'Newer', rel: 'prev' },
  { id: 'older', text: 'Older', rel: 'next' },
  { id: 'first-open', text: 'First' },
  { id: 'more-open', text: 'More', rel: 'next' },
]

interface ListProps {
  /** Name of the items, in the plural: `open batches`. */
  readonly name: string
  /** The table; null when it has no rows. */
  readonly table: Child
  /** Content when the list is empty. */
  readonly empty: Child
  /** Addresses of the other pages; null when there is none. */
  readonly links: { readonly [id in PageLinkId]?: string | null }
  /** Which of them the page has; left out: it does not say. */
  readonly range?: string | null
  /** Where a search that reached its limit goes on; null when it looked at everything. */
  readonly goOn?: string | null
}

/** One page of a list, with links to the pages beside it. */
export const List = ({ name, table, empty, links, range = null, goOn = null }: ListProps) => {
  const shown = pageLinks.filter(({ id }) => links[id] != null)
  return (
    <>
      {table ?? (goOn === null && empty)}
      {goOn !== null && (
        <p class="stopped soft small text-center">
          Searched {formatNumber(searchLimit)} {name}.{' '}
          <a id="go-on" href={goOn}>
            Search on
          </a>
        </p>
      )}
      {shown.length > 0 && (
        <nav class="pager gap-4 flex amid small" aria-label={`Pages of ${name}`}>
          {range !== null && <span class="pager-range soft tabular">{range}</span>}
          {shown.map(({ id, text, rel }) => (
            <a id={id} rel={rel} href={links[id] ?? ''}>
              {text}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

/** Rows of one page. */
export const pageSize = 25

/** A part of the records that a search looked at. */
interface Scan<T> {
  /** In search order. */
  readonly rows: readonly T[]
  /** Index of the record that was looked at last, or the one before the first. */
  readonly last: number
  /** True when the limit was reached before the page was full. */
  readonly isStopped: boolean
}

/** Walks until a page is full, or `most` are found. */
export async function scan<T>(
  records: readonly T[],
  start: number,
  step: 1 | -1,
  matches: (record: T) => boolean,
  indexOf?: (record: T) => number,
  most = pageSize,
): Promise<Scan<T>> {
  const rows: T[] = []
  const look = (record: T) => {
    if (matches(record)) rows.push(record)
    return rows.length < most
  }
  const last = await walk(records, start, step, look, indexOf)
  return { rows, last, isStopped: records[last + step] !== undefined && rows.length < most }
}

/** New items since the reader looked away, and the mark to continue from. */
interface Unread {
  /** Transactions that are new, or were open then and are decided now. */
  readonly count: number
  /** The number of items and of open ones: `12-1`. */
  readonly mark: string
}

/** Counts from a mark; an invalid mark, or one from before a reset, counts nothing. */
export function unreadSince(
  { transactions, figures }: Pick<Statistics['current'], 'transactions' | 'figures'>,
  mark: string,
): Unread {
  const open = sumOf(figures.all, 'open')
  const now = `${transactions.length}-${open}`
  const [, stored, opened] = /^(\d{1,12})-(\d{1,12})$/.exec(mark) ?? []
  if (stored === undefined || Number(stored) > transactions.length) return { count: 0, mark: now }
  const added = transactions.slice(Number(stored))
  const openBefore = open - added.filter(({ contribution }) => contribution.has('open')).length
  return { count: added.length + Math.max(0, Number(opened) - openBefore), mark: now }
}

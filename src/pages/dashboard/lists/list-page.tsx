import type { Child } from 'hono/jsx'
import { statusGroupOf } from '../../../contract/presentation/status.ts'
import { searchLimit, walk } from '../../../sandbox/views/search-walk.ts'
import { tally } from '../../../sandbox/views/statistics/figures.ts'
import type { Register } from '../../../sandbox/views/statistics/statistics.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { formatNumber } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { actionLooks, iconButtonLook } from '../../components/looks.ts'
import { type Section, sections } from '../../components/navigation.tsx'
import { ListNote } from '../../components/panel.tsx'
import { type FragmentSlot, html, type PageView, type Values } from '../../frame/page-view.tsx'
import { filterForm, type ListSearch, Problems, type QueryReader, queryString } from './filter-form.tsx'
import { type Column, ListTable, type RowLink } from './list-table.tsx'

/** One page of a list. */
interface ListPart<Row> {
  readonly rows: readonly Row[]
  /** Where the page before it begins; null: that is the newest. A list without leads to the newest. */
  readonly newer?: string | null
  /** Where the page of older ones begins; null for none. */
  readonly older: string | null
  /** Where a search that reached its limit goes on; null when it looked at everything. */
  readonly goOn?: string | null
  /** Which records they are, where a pager leads to others. */
  readonly place?: string
  readonly count?: string
  readonly empty: Child
  readonly note?: Child
}

/** What a page with a list names: its filters, its columns, and how its rows are found. */
interface ListPage<Row> {
  readonly section: Section
  readonly items: string
  readonly reader: QueryReader
  readonly filters: object
  /** Parameters of the address that filters keep. */
  readonly others?: Values
  /** The position below which the page begins; null: at the newest. */
  readonly before: string | null
  readonly topics: NonNullable<PageView['live']>['topics']
  readonly again?: NonNullable<PageView['live']>['again']
  readonly lead?: PageView['lead']
  readonly aside?: PageView['aside']
  /** What stands above the list, and the pieces of it that change. */
  readonly above?: (slot: FragmentSlot) => Child
  readonly pieces?: PageView['fragments']
  readonly head?: Child
  /** Left out: nothing is to be searched. */
  readonly search?: ListSearch
  /** What stands at the end of the line of the filters. */
  readonly tools?: (slot: FragmentSlot) => Child
  /** Made for each drawing: they depend on the day, and on what the list holds. */
  readonly columns: () => readonly Column<Row>[]
  /** True: each column is shown however narrow the list is. */
  readonly showsAll?: boolean
  readonly link?: (row: Row) => RowLink
  readonly part: () => Promise<ListPart<Row>> | ListPart<Row>
}

/**
 * A page with a list, and room for a record beside it. It is streamed with its own query, and answers 422
 * when the query has problems.
 */
export function listPage<Row>(list: ListPage<Row>): PageView {
  const { section, items, filters, others = {}, before, topics, again, search } = list
  const { problems } = list.reader
  const path = sections[section]
  const title = capitalize(section)
  const to = (position: string | null) => `${path}${queryString(filters, others, { before: position })}`
  const open = readOpen(list.reader)
  return {
    title,
    section,
    lead: list.lead,
    aside: list.aside,
    live: {
      path: `${path === '/' ? '' : path}/live${queryString(filters, others, { before })}`,
      topics,
      ...(again && { again }),
    },
    status: problems.length === 0 ? 200 : 422,
    fragments: async () => {
      const part = await list.part()
      return {
        ...(await list.pieces?.()),
        ...(search && { 'list-count': part.count ?? '' }),
        list: html(drawList(list, part, to)),
      }
    },
    body: (slot) => (
      <>
        {list.above?.(slot)}
        <div class="split mt-4 [.overview+&]:mt-2 [.page-head+&]:mt-0">
          <section class="panel panel-list in-[.overview+.split]:pt-2" aria-label={`List of ${items}`}>
            {list.head}
            {search === undefined ? (
              <Problems problems={problems} />
            ) : (
              <div class="list-line flex flex-wrap items-center gap-3 mb-2 narrow:gap-y-1 tight:gap-x-2">
                {filterForm(title, path, search, others, problems)}
                <div class="w-38 text-end text-note whitespace-nowrap text-ink-soft tabular-nums has-[>:empty]:hidden tight:order-1 tight:ms-auto tight:w-auto">
                  {slot('list-count')}
                </div>
                {list.tools?.(slot)}
              </div>
            )}
            {slot('list')}
          </section>
          {list.link !== undefined && beside(path, open)}
        </div>
      </>
    ),
  }
}

/** What leads from the record to those above and below it in the list. */
const steps = [
  ['Previous', -1, 'rotate-90'],
  ['Next', 1, '-rotate-90'],
] as const

/** Room for one record beside the list, which the script fills; without it a link to the record's page. */
const beside = (path: string, open: string) => {
  const records = path.slice(1) || 'transactions'
  return (
    <aside
      class="beside relative outline-none"
      aria-label="Chosen record"
      tabindex={-1}
      hidden={open === ''}
      data-records={records}
    >
      <p class="absolute top-2 max-md:top-1 right-3 z-2 flex items-center gap-2">
        <a
          class={iconButtonLook}
          href={open === '' ? path : `/${records}/${encodeURIComponent(open)}`}
          aria-label="Open as a page"
          data-open-page
        >
          <Icon name="open" />
        </a>
        {steps.map(([label, step, turn]) => (
          <button class={`${iconButtonLook} with-scripts`} type="button" aria-label={label} data-step={step}>
            <Icon name="chevron" look={`w-[1.25em] ${turn}`} />
          </button>
        ))}
        <button class={`${iconButtonLook} with-scripts`} type="button" aria-label="Close" data-close-beside>
          <Icon name="cross" />
        </button>
      </p>
      <div
        class="empty:h-80 empty:bg-[repeating-linear-gradient(var(--color-line)_0_0.75rem,transparent_0_2rem)] empty:opacity-60"
        id="beside"
      />
    </aside>
  )
}

/** One page of a list, with links to other pages. `to`: address of the list from a position on. */
function drawList<Row>(list: ListPage<Row>, part: ListPart<Row>, to: (position: string | null) => string) {
  const { items, columns, link, showsAll } = list
  const { rows, newer = null, older, goOn = null, place, empty, note } = part
  const pages = [
    ...(list.before === null ? [] : [['Newest', null, newer === null ? 'h' : undefined] as const]),
    ...(newer === null ? [] : [['Newer', newer, 'h'] as const]),
    ...(older === null ? [] : [['Older', older, 'l'] as const]),
  ]
  return (
    <>
      {rows.length === 0
        ? goOn === null && empty
        : ListTable({ caption: `${items}, newest first`, columns: columns(), rows, link, showsAll })}
      {goOn !== null && (
        <ListNote>
          Searched {formatNumber(searchLimit)} {items}.{' '}
          <a id="go-on" href={to(goOn)}>
            Search on
          </a>
        </ListNote>
      )}
      {(list.before !== null || older !== null) && (
        <nav class="pager flex items-center justify-center gap-2 pt-3" aria-label={`Pages of ${items}`}>
          {place && <span class="px-2 text-note text-ink-soft tabular-nums">{place}</span>}
          {pages.map(([name, position, key]) => (
            <a class={actionLooks.plain} id={name.toLowerCase()} aria-keyshortcuts={key} href={to(position)}>
              {name}
            </a>
          ))}
        </nav>
      )}
      {note && <ListNote>{note}</ListNote>}
    </>
  )
}

/** Rows of one page. */
export const pageSize = 25

/**
 * Walks back from `start`, or with a step of 1 on from it, until a page is full, or `most` are found. `last`:
 * index of the record that was looked at last, or the one before the first; `isStopped`: the limit was
 * reached before the page was full.
 */
export async function scan<T>(
  records: readonly T[],
  start: number,
  matches: (record: T) => boolean,
  most = pageSize,
  step: 1 | -1 = -1,
): Promise<{ rows: readonly T[]; last: number; isStopped: boolean }> {
  const rows: T[] = []
  const look = (record: T) => {
    if (matches(record)) rows.push(record)
    return rows.length < most
  }
  const last = await walk(records, start, look, step)
  return { rows, last, isStopped: records[last + step] !== undefined && rows.length < most }
}

/**
 * Where the page that ends with the record at that index begins: the index after it; null: the newest page
 * holds it.
 */
export async function pageAbove<T>(
  records: readonly T[],
  index: number,
  matches: (record: T) => boolean,
): Promise<number | null> {
  const { last } = await scan(records, index, matches, pageSize, 1)
  return records[last + 1] === undefined ? null : last + 1
}

/**
 * `26–50 of 308`: which of the matching records a page has, counted from the newest; empty where too many are
 * newer. `index`: of the record above the page; `all`: how many match, undefined where nobody counted them.
 */
export async function placeInList<T>(
  records: readonly T[],
  index: number,
  matches: (record: T) => boolean,
  { length }: readonly T[],
  all?: number,
): Promise<string> {
  const newer = await scan(records, index, matches, Number.POSITIVE_INFINITY, 1)
  if (newer.isStopped || length === 0) return ''
  const first = newer.rows.length + 1
  const place = `${formatNumber(first)}–${formatNumber(first + length - 1)}`
  return all === undefined ? place : `${place} of ${formatNumber(all)}`
}

/** The record beside the list, which the query names. */
export const readOpen = (reader: QueryReader): string => reader.shortText('open', 'The record')

/**
 * Counts the transactions that are new, or were open then and are decided now, since the reader looked away.
 * The mark to continue from has the number of items and of open ones: `12-1`. An invalid one, or one from
 * before a reset, counts nothing.
 */
export function unreadSince(
  { transactions, figures }: Pick<Register, 'transactions' | 'figures'>,
  mark: string,
): { readonly count: number; readonly mark: string } {
  const open = tally(figures.all, 'open')
  const now = `${transactions.length}-${open}`
  const [, stored, opened] = /^(\d{1,12})-(\d{1,12})$/.exec(mark) ?? []
  if (stored === undefined || Number(stored) > transactions.length) return { count: 0, mark: now }
  const added = transactions.slice(Number(stored))
  const openBefore =
    open - added.filter(({ transaction }) => statusGroupOf(transaction.status) === 'open').length
  return { count: added.length + Math.max(0, Number(opened) - openBefore), mark: now }
}

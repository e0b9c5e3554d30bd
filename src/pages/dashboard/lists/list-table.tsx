import type { Child } from 'hono/jsx'
import { exponentOf } from '../../../contract/currencies.ts'
import { money } from '../../../contract/presentation/money.ts'
import { localDateTime } from '../../../domain/model/local-time.ts'
import { formatDateTime, formatDay } from '../../components/format.ts'
import { Table } from '../../components/panel.tsx'

/** A column of a list, and what its cells hold. */
export interface Column<Row> {
  readonly head: string
  /** What its head holds instead of that word. */
  readonly box?: Child
  /** Classes of its head and cells: fixed width, the list's width from which it shows, what it holds. */
  readonly look?: string
  readonly cell: (row: Row) => Child
  /** The whole text, where a cell may cut it, or what it says no more than in short. */
  readonly title?: (row: Row) => string | undefined
  /** For what stands under the row's name where the column has no room; a text stands before it. */
  readonly isUnder?: true | string
  /** True: under the row's name it begins a line. */
  readonly startsLine?: true
  /** Of the column of times: the day, which is said once above its rows. */
  readonly day?: (row: Row) => string
  /** True for the column that names a row: its cells hold the link of the row. */
  readonly isName?: boolean
}

/** The link of a row: it covers the whole row, and opens its record. */
export interface RowLink {
  readonly id: string
  readonly href: string
}

interface ListTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Left out: rows lead nowhere. */
  readonly link?: ((row: Row) => RowLink) | undefined
  /** True: each column is shown however narrow the list is. */
  readonly showsAll?: boolean | undefined
}

/** The table of every list: a line a record, in columns whose widths do not depend on what they hold. */
export const ListTable = <Row,>({ columns, ...list }: ListTableProps<Row>) => {
  const lookOf = ({ look = '' }: Column<Row>) =>
    list.showsAll ? look.replace(/@max-\w+:hidden/, '@max-sm:hidden').replace('@xl:w-', '@sm:w-') : look
  const nameCell = (row: Row, cell: Column<Row>['cell']) => {
    const under = columns.filter((each) => each.isUnder && each.cell(row))
    return (
      <>
        {cell(row)}
        {under.length > 0 && (
          <span class="under @sm:hidden font-normal">
            {under.map((each, index) => [
              index > 0 && (each.startsLine ? [' ', <br />] : ' · '),
              each.isUnder,
              each.cell(row),
            ])}
          </span>
        )}
      </>
    )
  }
  const tableRow = (row: Row, href?: RowLink) => (
    <tr>
      {columns.map((column) => {
        const { cell, title, isName } = column
        return isName ? (
          <th scope="row" class={lookOf(column)} title={title?.(row)}>
            {href === undefined ? (
              nameCell(row, cell)
            ) : (
              <a class="row-link text-ink" {...href}>
                {nameCell(row, cell)}
              </a>
            )}
          </th>
        ) : (
          <td class={lookOf(column)} title={title?.(row)}>
            {cell(row)}
          </td>
        )
      })}
    </tr>
  )
  const days = list.rows.map((row) => columns.find(({ day }) => day)?.day?.(row))
  return (
    <Table
      kind={list.showsAll ? 'table dense every-width' : 'table dense'}
      caption={list.caption}
      heads={columns.map((column) => [column.box ?? column.head, lookOf(column)])}
    >
      {list.rows.map((row, index) => (
        <>
          {days[index] !== days[index - 1] && (
            <tr class="day">
              <th scope="rowgroup">{days[index]}</th>
            </tr>
          )}
          {tableRow(row, list.link?.(row))}
        </>
      ))}
    </Table>
  )
}

/** The column of times, each in milliseconds with its time zone. `now`: of the same clock. */
export const timeColumn = <Row,>(
  now: number,
  timeOf: (row: Row) => readonly [at: number, timeZone: string],
  head = 'Time',
): Column<Row> => ({
  head,
  look: '@sm:w-24 when figure text-ink-soft',
  title: (row) => `${formatDateTime(...timeOf(row))} ${timeOf(row)[1]}`,
  cell: (row) => localDateTime(...timeOf(row)).slice(11),
  day: (row) => {
    const [at, timeZone] = timeOf(row)
    const [day, today] = [at, now].map((each) => formatDay(each, now, timeZone))
    return `${day === today ? 'Today, ' : ''}${day}`
  },
})

/** Of a state, and what is said beside it; on a phone below it. */
export const stateLook = '@sm:flex items-baseline gap-2'

interface MiddleCutProps {
  readonly text: string
  /** Characters for which there is room anywhere. */
  readonly room?: number
  /** The index from which the end begins. */
  readonly end?: number
}

/**
 * A text of which the middle is left out where there is no room: its end tells it from others. In a cell
 * that shows it whole its end has a line of its own.
 */
export const MiddleCut = ({ text, room = 20, end = -6 }: MiddleCutProps) =>
  text.length <= room ? (
    text
  ) : (
    <span class="inline-flex max-w-[min(100%,round(down,100%,1ch)+1px)] min-w-0 align-bottom @sm:in-[.whole]:flex-wrap">
      <span class="truncate">{text.slice(0, end)}</span>
      <span class="max-w-3/4 flex-none truncate">{text.slice(end)}</span>
    </span>
  )

interface SumProps {
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly isBack?: boolean
}

/** An amount, with room at its end so that decimal separators of all currencies are below each other. */
export const Sum = ({ amount, currency, isBack = false }: SumProps) => (
  <span class={`decimals-${exponentOf(currency) ?? 2} whitespace-nowrap${isBack ? ' text-ink-soft' : ''}`}>
    {isBack && '−'}
    {money(amount, currency)}
  </span>
)

/** Minor units of a currency. */
type CurrencySum = readonly [currency: string, amount: number]

/** Sums by the codes of their currencies: one order everywhere, whatever was paid first. */
export const inCurrencyOrder = (sums: Iterable<CurrencySum>): readonly CurrencySum[] =>
  [...sums].sort(([one], [other]) => one.localeCompare(other, 'en'))

interface SumLineProps {
  readonly label: string
  readonly sums: Iterable<CurrencySum>
}

/** What it comes to, one sum a currency. */
export const SumLine = ({ label, sums }: SumLineProps) => {
  const ordered = inCurrencyOrder(sums)
  return (
    <p class="sums flex flex-wrap items-baseline gap-x-3 mb-2 tabular-nums">
      <span class="text-ink-soft text-sm">{label}</span>
      {(ordered.length === 0 ? ['nothing'] : ordered.map(([currency, sum]) => money(sum, currency))).map(
        (text) => (
          <strong class="whitespace-nowrap text-lg max-lg:text-sm/6">{text}</strong>
        ),
      )}
    </p>
  )
}

/** A link in a row to another record than the row's own. */
export const TransactionLink = ({ id }: { readonly id: string }) => (
  <a class="over-row" href={`/transactions/${id}`}>
    {id}
  </a>
)

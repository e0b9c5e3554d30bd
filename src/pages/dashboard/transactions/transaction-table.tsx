import { takesBack, typeNames } from '../../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { StatusBadge } from '../../components/basics.tsx'
import { cardInWords, formatNumber, formatTime, plural } from '../../components/format.ts'
import { queryString } from '../lists/filter-form.tsx'
import { type ColumnName, columnNames, parseColumns } from '../lists/list-columns.tsx'
import { type Column, Sum } from '../lists/list-table.tsx'
import type { TransactionFilterQuery } from './transaction-filter-form.tsx'
import type { LookUpResult } from './transaction-search.ts'

type TransactionColumn = Column<OwnedTransaction>

const amount: TransactionColumn = {
  head: 'Amount',
  look: 'w-11 sum figure',
  cell: ({ transaction }) => (
    <Sum
      amount={amountOf(transaction)}
      currency={transaction.currency}
      isBack={takesBack(transaction.type)}
    />
  ),
  isName: true,
}

const type: TransactionColumn = {
  head: 'Type',
  look: 'w-8 from-small soft',
  cell: ({ transaction }) => typeNames[transaction.type],
  isUnder: true,
}

/** The columns of a list: the status at its edge, amount and type, and the others of its address. `now`: sandbox time in milliseconds. */
export function transactionColumns(columns: string, now: number): readonly TransactionColumn[] {
  const chosen: Readonly<Record<ColumnName, Omit<TransactionColumn, 'head'>>> = {
    status: {
      look: 'w-11',
      cell: ({ transaction }) => <StatusBadge transaction={transaction} />,
      title: ({ transaction }) => resultInWords(transaction),
    },
    card: {
      look: 'w-8 from-medium',
      cell: ({ transaction }) => cardInWords(transaction),
    },
    result: { look: 'from-medium', cell: ({ transaction }) => resultInWords(transaction) },
    terminal: {
      look: 'w-10 from-wider code',
      cell: ({ transaction }) => transaction.terminalSn ?? 'online',
    },
    order: { look: 'from-wide code', cell: ({ transaction }) => transaction.orderId ?? '–' },
    description: { look: 'from-medium', cell: ({ transaction }) => transaction.description ?? '–' },
    id: { look: 'w-10 from-wider code', cell: ({ transaction }) => transaction.id },
    time: {
      look: 'w-7 from-small figure soft',
      cell: ({ ledger, transaction }) => formatTime(transaction.createdAt, now, ledger.settings.timeZone),
      isUnder: true,
    },
  }
  const shown = parseColumns(columns).map((name) => ({ head: columnNames[name], ...chosen[name] }))
  const statuses = shown[0]?.head === columnNames.status ? 1 : 0
  return [...shown.slice(0, statuses), amount, type, ...shown.slice(statuses)]
}

/** `051 Insufficient funds`, or the status. */
export function resultInWords({ status, resultCode, resultMsg, screen }: Transaction): string {
  if (resultCode !== null) return `${resultCode} ${resultMsg ?? ''}`.trim()
  if (status === 'CLOSED') return 'unpaid'
  return screen === 'host' ? 'waiting for the host' : screen.replace('-', ' ')
}

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

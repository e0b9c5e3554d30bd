import { takesBack, typeNames } from '../../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { money } from '../../../presentation/money.ts'
import type { CountedTransaction } from '../../../views/statistics/counted-transaction.ts'
import { StatusBadge } from '../../components/basics.tsx'
import { cardInWords, formatTime } from '../../components/format.ts'
import { Table } from '../../components/panel.tsx'
import { type ColumnName, columnNames, parseColumns } from '../lists/list-columns.tsx'

/** The minimum window width for a column; a chosen column is shown wherever it fits. */
const widths: Readonly<Record<ColumnName, string>> = {
  status: '',
  card: 'from-medium',
  result: 'from-medium',
  terminal: 'from-wide',
  order: 'from-medium',
  description: 'from-medium',
  id: 'from-wider',
  time: 'from-small',
}

interface TransactionTableProps {
  readonly rows: readonly CountedTransaction[]
  /** Sandbox time in milliseconds. */
  readonly now: number
  /** As the address has them. */
  readonly columns: string
}

/** Transactions as a table, a line each; the whole line leads to its page. */
export function transactionTable({ rows, now, columns }: TransactionTableProps) {
  const isChosen = columns !== ''
  const shown = parseColumns(columns)
  const classOf = (column: ColumnName) =>
    [isChosen ? '' : widths[column], column === 'time' ? 'figure' : ''].filter(Boolean).join(' ') || undefined
  const { status, ...others } = columnNames
  const afterType = shown.filter((column) => column !== 'status')
  const hasStatus = shown.includes('status')
  const heads = [
    ['Amount', 'figure'] as const,
    ...(hasStatus ? [status] : []),
    'Type',
    ...afterType.map((column) => [others[column as keyof typeof others], classOf(column) ?? ''] as const),
  ]
  return (
    <Table
      caption="Transactions, newest first"
      heads={heads}
      kind={isChosen ? 'table dense every-width' : 'table dense'}
    >
      {rows.map((row) => (
        <tr>
          <Sum transaction={row.transaction} />
          {hasStatus && (
            <td title={resultInWords(row.transaction)}>
              <StatusBadge transaction={row.transaction} />
            </td>
          )}
          <th scope="row">
            <a class="row-link" id={`row-${row.id}`} href={`/transactions/${row.id}`}>
              {typeNames[row.transaction.type]}
            </a>
          </th>
          {afterType.map((column) => (
            <td class={[classOf(column), looks[column]].filter(Boolean).join(' ') || undefined}>
              {cellOf(column, row, now)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

const looks: Readonly<Partial<Record<ColumnName, string>>> = {
  terminal: 'code',
  order: 'code',
  id: 'code',
  time: 'time',
}

const Sum = ({ transaction }: Pick<CountedTransaction, 'transaction'>) => {
  const isBack = takesBack(transaction.type)
  return (
    <td class={isBack ? 'figure sum bold back' : 'figure sum bold'}>
      {isBack && '−'}
      {money(amountOf(transaction), transaction.currency)}
    </td>
  )
}

function cellOf(column: ColumnName, { ledger, transaction }: CountedTransaction, now: number): string {
  const { id, orderId, createdAt, description, terminalSn } = transaction
  if (column === 'card') return cardInWords(ledger, transaction)
  if (column === 'result') return resultInWords(transaction)
  if (column === 'terminal') return terminalSn ?? 'online'
  if (column === 'order') return orderId ?? '–'
  if (column === 'description') return description ?? '–'
  if (column === 'time') return formatTime(createdAt, now, ledger.settings.timeZone)
  return id
}

/** `051 Insufficient funds`, or the status. */
export function resultInWords({ status, resultCode, resultMsg, screen }: Transaction): string {
  if (resultCode !== null) return `${resultCode} ${resultMsg ?? ''}`.trim()
  if (status === 'CLOSED') return 'unpaid'
  return screen === 'host' ? 'waiting for the host' : screen.replace('-', ' ')
}

import type { TransactionList, TransactionRow } from '../../contract/control/transaction-list.ts'
import { rowInWords } from '../../contract/presentation/status.ts'
import { hintText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { timeColumn } from '../output/render-time.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { paintStatus, theme } from '../output/theme.ts'

/** Transactions in a line each, newest first. `isFiltered`: something was asked for beside all of them. */
export function renderTransactions(list: TransactionList, isFiltered: boolean): string {
  const { transactions, more } = cleaned(list)
  if (transactions.length === 0)
    return `${hintText(isFiltered ? 'No transaction matches. `tillbox list` shows all.' : 'No transactions yet. Take a payment: `tillbox sale --amount 10.00`')}\n`
  const note = more ? `\n\n${theme.faint(`Only the newest ${transactions.length}; --limit shows more.`)}` : ''
  return `${fittingTable(transactions, transactionColumns(transactions))}${note}\n`
}

function transactionColumns(rows: readonly TransactionRow[]): Column<TransactionRow>[] {
  const merchants = new Set(rows.map(({ merchantId }) => merchantId))
  const merchant: Column<TransactionRow> = { head: 'merchant', cell: (row) => row.merchantId, yields: 4 }
  return [
    { ...timeColumn('created', ({ createdAt }) => createdAt), yields: 1 },
    { head: 'transaction', cell: ({ transactionId }) => theme.link(transactionId) },
    {
      head: 'type',
      cell: (row) => rowInWords(row).type,
      brief: (row) => rowInWords(row).type.replace(/^(incremental) auth$/, '$1'),
    },
    { head: 'amount', cell: (row) => rowInWords(row).amount, isNumber: true },
    { head: 'status', cell: (row) => paintStatus(row, rowInWords(row).state) },
    ...(merchants.size > 1 ? [merchant] : []),
    { head: 'terminal', cell: ({ terminalSn }) => terminalSn ?? theme.faint('online'), yields: 3 },
    { head: 'order', cell: ({ referenceOrderId }) => referenceOrderId ?? '', yields: 5 },
    { head: 'card', cell: ({ card }) => card ?? '', yields: 6 },
    {
      head: 'result',
      cell: resultText,
      yields: 2,
      brief: shortResult,
      least: 12,
    },
  ]
}

/** The host's answer, or what the status does not say about an open payment. */
function resultText({ resultCode, resultMessage, waiting, status }: TransactionRow): string {
  if (resultCode !== null) return [resultCode, resultMessage].filter(Boolean).join(' ')
  if (waiting?.for === 'online') return 'its terminal is offline'
  return status === 'CLOSED' ? 'unpaid' : ''
}

/** The result of a row without what its status says already. */
const shortResult = (row: TransactionRow): string =>
  row.status === 'SUCCESS' ? '' : (row.resultMessage ?? resultText(row))

import { formatAmount } from '../../contract/currencies.ts'
import type { TransactionList, TransactionRow } from '../../contract/sandbox/transaction-list.ts'
import { statusWordOf, typeWordOf } from '../../contract/statuses.ts'
import { clip } from '../../text/display-width.ts'
import { hintText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { paintStatus } from '../output/render-record.ts'
import { minuteText, utcText } from '../output/render-time.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'

/** Transactions in a line each, newest first. `isFiltered`: something was asked for beside all of them. */
export function renderTransactions(list: TransactionList, isFiltered: boolean): string {
  const { transactions, more } = cleaned(list)
  const theme = themeOf('stdout')
  if (transactions.length === 0)
    return `${hintText(isFiltered ? 'No transaction matches. tillbox list shows all.' : 'No transactions yet. Take a payment: tillbox sale --amount 10.00', theme)}\n`
  const note = more ? `\n\n${theme.faint(`Only the newest ${transactions.length}; --limit shows more.`)}` : ''
  return `${fittingTable(transactions, columnsOf(transactions, theme), theme)}${note}\n`
}

function columnsOf(rows: readonly TransactionRow[], theme: Theme): Column<TransactionRow>[] {
  const merchants = new Set(rows.map(({ merchantId }) => merchantId))
  const merchant: Column<TransactionRow> = { head: 'merchant', cell: (row) => row.merchantId, yields: 3 }
  return [
    {
      head: 'created (UTC)',
      cell: ({ createdAt }) => theme.faint(utcText(createdAt)),
      brief: { head: 'time (UTC)', cell: ({ createdAt }) => theme.faint(minuteText(createdAt)) },
    },
    { head: 'transaction', cell: ({ transactionId }) => theme.link(transactionId) },
    { head: 'type', cell: ({ type }) => typeWordOf(type) },
    { head: 'amount', cell: amountText, isNumber: true },
    { head: 'status', cell: ({ status }) => paintStatus(status, theme, statusWordOf(status)) },
    ...(merchants.size > 1 ? [merchant] : []),
    { head: 'terminal', cell: ({ terminalSn }) => terminalSn ?? theme.faint('online'), yields: 2 },
    { head: 'order', cell: ({ referenceOrderId }) => referenceOrderId ?? '', yields: 4 },
    { head: 'card', cell: ({ card }) => card ?? '', yields: 5 },
    {
      head: 'result',
      cell: (row) => theme.faint(resultText(row)),
      yields: 1,
      brief: { head: 'result', cell: (row) => theme.faint(shortResult(row)) },
      cut: (row, room) => theme.faint(clip(shortResult(row), room)),
    },
  ]
}

/** `10.00 USD`. */
export const amountText = ({ amount, currency }: Pick<TransactionRow, 'amount' | 'currency'>): string =>
  `${formatAmount(amount, currency)} ${currency}`

const waits = {
  person: 'for a person',
  line: 'in line',
  online: 'for its terminal to come online',
  host: 'for the host',
  shopper: 'for the shopper',
} as const

/** The host's answer, or what the transaction waits for. */
function resultText({ resultCode, resultMessage, waiting, status }: TransactionRow): string {
  if (resultCode !== null) return [resultCode, resultMessage].filter(Boolean).join(' ')
  if (waiting !== null) return `waits ${waits[waiting.for]}`
  return status === 'CLOSED' ? 'unpaid' : ''
}

/** What the status does not show: why it was declined, or what it waits for. */
function shortResult(row: TransactionRow): string {
  const { resultMessage, waiting, status } = row
  if (waiting !== null) return waits[waiting.for]
  return status === 'SUCCESS' ? '' : (resultMessage ?? resultText(row))
}

import { formatAmount } from '../../contract/currencies.ts'
import type { TransactionList, TransactionRow } from '../../contract/sandbox/transactions/transaction-list.ts'
import { type Status, statusWordOf, typeWordOf } from '../../contract/statuses.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { statusSymbols } from '../output/status-symbols.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import { utcText } from '../output/time.ts'

/** Transactions in a line each, newest first. `isFiltered`: something was asked for beside all of them. */
export function renderTransactions(list: TransactionList, isFiltered: boolean): string {
  const { transactions, more } = cleaned(list)
  const theme = themeOf('stdout')
  if (transactions.length === 0)
    return isFiltered
      ? hint('No transaction matches. tillbox list shows all.\n')
      : hint('No transactions yet. Take a payment: tillbox sale --amount 10.00\n')
  const note = more ? `\n\n${theme.faint(`Only the newest ${transactions.length}; --limit shows more.`)}` : ''
  return `${fittingTable(transactions, columnsOf(transactions, theme), theme)}${note}\n`
}

function columnsOf(rows: readonly TransactionRow[], theme: Theme): Column<TransactionRow>[] {
  const merchants = new Set(rows.map(({ merchantId }) => merchantId))
  const merchant: Column<TransactionRow> = { head: 'merchant', cell: (row) => row.merchantId, yields: 3 }
  return [
    { head: 'created (UTC)', cell: ({ createdAt }) => theme.faint(utcText(createdAt)) },
    { head: 'transaction', cell: ({ transactionId }) => theme.link(transactionId) },
    { head: 'type', cell: ({ type }) => typeWordOf(type) },
    { head: 'amount', cell: amountText, isNumber: true },
    { head: 'status', cell: ({ status }) => paintWord(status, theme) },
    ...(merchants.size > 1 ? [merchant] : []),
    { head: 'terminal', cell: ({ terminalSn }) => terminalSn ?? theme.faint('online'), yields: 2 },
    { head: 'order', cell: ({ referenceOrderId }) => referenceOrderId ?? '', yields: 4 },
    { head: 'card', cell: ({ card }) => card ?? '', yields: 5 },
    { head: 'result', cell: (row) => theme.faint(resultText(row)), yields: 1 },
  ]
}

/** `10.00 USD`. */
export const amountText = ({ amount, currency }: Pick<TransactionRow, 'amount' | 'currency'>): string =>
  `${formatAmount(amount, currency)} ${currency}`

/** `✓ approved`, in its colour. */
export function paintWord(status: Status, theme: Theme): string {
  const text = `${statusSymbols[status]} ${statusWordOf(status)}`
  if (status === 'SUCCESS') return theme.good(text)
  return status === 'FAIL' || status === 'CLOSED' ? theme.bad(text) : theme.open(text)
}

const waits = {
  person: 'waits for a person',
  line: 'waits in line',
  online: 'waits for its terminal to come online',
  host: 'waits for the host',
  shopper: 'waits for the shopper',
} as const

/** What the host answered, or what it waits for. */
function resultText({ resultCode, resultMessage, waiting, status }: TransactionRow): string {
  if (resultCode !== null) return [resultCode, resultMessage].filter(Boolean).join(' ')
  if (waiting !== null) return waits[waiting.for]
  return status === 'CLOSED' ? 'unpaid' : ''
}

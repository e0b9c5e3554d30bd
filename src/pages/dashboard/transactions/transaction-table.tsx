import { cardReadOf } from '../../../domain/model/cards.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { money } from '../../../presentation/money.ts'
import type { CountedTransaction } from '../../../views/statistics/statistics.ts'
import { StatusBadge } from '../../components/badges.tsx'
import { formatTime, typeNames } from '../../components/format.ts'
import { networkName } from '../../components/network-names.ts'
import { Table } from '../../components/panel.tsx'

const heads = [
  ['Amount', 'figure'],
  'Status',
  'Type',
  ['Card', 'from-medium'],
  ['Terminal', 'from-wide'],
  ['Order', 'from-medium'],
  ['Id', 'from-wider'],
  ['Time', 'figure from-small'],
] as const

/** Transactions as a table, a line each; the whole line leads to its page. `now`: sandbox time in milliseconds. */
export const transactionTable = (rows: readonly CountedTransaction[], now: number) => (
  <Table caption="Transactions, newest first" heads={heads} kind="table dense">
    {rows.map((row) => rowOf(row, now))}
  </Table>
)

function rowOf({ ledger, transaction }: CountedTransaction, now: number) {
  const { id, type, currency, orderId, createdAt } = transaction
  const time = formatTime(createdAt, now, ledger.settings.timeZone)
  const isBack = type === 'REFUND' || type === 'VOID'
  return (
    <tr>
      <td class={isBack ? 'figure sum back' : 'figure sum'}>
        {isBack && '−'}
        {money(amountOf(transaction), currency)}
      </td>
      <td title={resultInWords(transaction)}>
        <StatusBadge transaction={transaction} />
      </td>
      <th scope="row">
        <a class="row-link" id={`row-${id}`} href={`/transactions/${id}`}>
          {typeNames[type]}
        </a>
      </th>
      <td class="from-medium">{cardInWords(ledger, transaction)}</td>
      <td class="from-wide code">{transaction.terminalSn ?? 'online'}</td>
      <td class="from-medium code">{orderId ?? '–'}</td>
      <td class="from-wider code">{id}</td>
      <td class="figure from-small time">{time}</td>
    </tr>
  )
}

/** `051 Insufficient funds`, or where it stands. */
export function resultInWords({ status, resultCode, resultMsg, screen }: Transaction): string {
  if (resultCode !== null) return `${resultCode} ${resultMsg ?? ''}`.trim()
  if (status === 'CLOSED') return 'unpaid'
  return screen === 'host' ? 'waiting for the host' : screen.replace('-', ' ')
}

/** `Visa ··1111`. */
export function cardInWords(ledger: Ledger, transaction: Transaction): string {
  const card = cardReadOf(ledger, transaction)
  if (card === null) return '–'
  const name = networkName(card.paymentMethod)
  return card.maskedPan === null ? name : `${name} ··${card.maskedPan.slice(-4)}`
}

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
  'Transaction',
  ['Amount', 'figure'],
  'Status',
  ['Paid with', 'from-medium'],
  ['Order', 'from-wide'],
  ['Time', 'figure from-small'],
] as const

/** Transactions as a table; each row leads to its own page. `now`: sandbox time in milliseconds. */
export const transactionTable = (rows: readonly CountedTransaction[], now: number) => (
  <Table caption="Transactions, newest first" heads={heads}>
    {rows.map((row) => rowOf(row, now))}
  </Table>
)

function rowOf({ ledger, transaction }: CountedTransaction, now: number) {
  const { id, type, status, currency, orderId, createdAt } = transaction
  const time = formatTime(createdAt, now, ledger.settings.timeZone)
  return (
    <tr>
      <th scope="row">
        <a id={`row-${id}`} href={`/transactions/${id}`}>
          {typeNames[type]}
        </a>
        <span class="under code wide-only">{id}</span>
        <span class="under until-small">{time}</span>
      </th>
      <td class={type === 'REFUND' || type === 'VOID' ? 'figure sum back' : 'figure sum'}>
        {money(amountOf(transaction), currency)}
      </td>
      <td>
        <StatusBadge status={status} />
        <span class="under">{resultInWords(transaction)}</span>
      </td>
      <td class="from-medium">
        {cardInWords(ledger, transaction)}
        <span class="under code">{transaction.terminalSn ?? 'online'}</span>
      </td>
      <td class="from-wide code">{orderId ?? '–'}</td>
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

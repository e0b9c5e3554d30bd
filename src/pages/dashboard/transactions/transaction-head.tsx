import type { PropsWithChildren } from 'hono/jsx'
import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { isFinal, typeNames } from '../../../contract/statuses.ts'
import { localDate } from '../../../domain/model/local-time.ts'
import { authorisedUntil, leftToCapture, leftToRefund, sumOf } from '../../../domain/model/parts.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { waitsFor } from '../../../domain/screen-flow.ts'
import { money } from '../../../presentation/money.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { decisionOf } from '../../../views/views.ts'
import { StatusBadge } from '../../components/basics.tsx'
import { CopyText, WholeFlags } from '../../components/command.tsx'
import { cardInWords, formatDateTime } from '../../components/format.ts'
import { type DescriptionItem, Pairs, RecordHead } from '../../components/panel.tsx'
import { resultInWords } from './transaction-table.tsx'

/** The rule that decided the outcome, in words. assumption: outcome-order */
const reasons: Readonly<Record<NonNullable<Transaction['rule']>, string>> = {
  header: 'the request’s header X-Sandbox-Outcome decided',
  queue: 'an outcome queued on the terminal decided',
  person: 'the person at the terminal decided',
  terminal: 'the terminal is set to this outcome',
  amount: 'the order amount decided',
  card: 'the card decided',
  default: 'default, because no other rule applies',
  settled: 'its batch is closed',
}

/** Type, status and copyable ids of a transaction; inside, what can be done with it. Times are of the sandbox clock. */
export const TransactionHead = ({ ledger, transaction, children }: PropsWithChildren<OwnedTransaction>) => {
  const { id, type, currency, terminalSn, orderId, transactionRequestId, createdAt } = transaction
  const { outcome, rule } = decisionOf(transaction)
  const { timeZone } = ledger.settings
  const waiting = waitsFor(ledger, transaction)
  return (
    <RecordHead
      title={
        <>
          <span>{typeNames[type]}</span>{' '}
          <span class="tabular one-line">{money(amountOf(transaction), currency)}</span>
        </>
      }
      state={
        <>
          <StatusBadge transaction={transaction} />
          {isFinal(transaction.status) && <span>{resultInWords(transaction)}</span>}
        </>
      }
      facts={[
        ['Paid with', cardInWords(transaction)],
        [
          'Terminal',
          terminalSn === null ? 'none (online payment)' : <a href={terminalPath(terminalSn)}>{terminalSn}</a>,
        ],
        ['Opened, sandbox clock', `${formatDateTime(createdAt, timeZone)} ${timeZone}`],
        ['Order', orderId === null ? null : <CopyText text={orderId} />],
        ['Transaction id', <CopyText text={id} />],
        ['Transaction request id', <CopyText text={transactionRequestId} />, 'wide-fact'],
        ['Outcome', outcome !== null && rule !== null ? `${outcome}: ${reasons[rule]}` : null],
        ['Waits for', waiting && <WholeFlags text={waiting} />],
      ]}
    >
      {children}
    </RecordHead>
  )
}

/** Only finished transactions at a terminal have a receipt. */
export const hasReceipt = ({ terminalSn, status }: Transaction): boolean =>
  terminalSn !== null && isFinal(status)

/** The parts of its amount, and what is left of it; zero parts are left out. */
export const AmountBreakdown = ({ ledger, transaction }: OwnedTransaction) => {
  const { currency, followUps } = transaction
  const capturable = leftToCapture(transaction)
  const until = localDate(authorisedUntil(ledger, transaction), ledger.settings.timeZone)
  const sum = (amount: number, sign = '') => <span class="one-line">{sign + money(amount, currency)}</span>
  const row = (name: string, amount: number | null | undefined, sign = ''): DescriptionItem => [
    name,
    amount == null ? null : sum(amount, sign),
  ]
  const part = (name: string, amount: number): DescriptionItem => row(name, amount === 0 ? null : amount)
  return (
    <Pairs
      kind="rows"
      pairs={[
        row('Order', transaction.order),
        part('Tip', transaction.tip),
        part('Tax', transaction.tax),
        part('Surcharge', transaction.surcharge),
        part('Cashback', transaction.cashback),
        [
          'Total',
          sum(amountOf(transaction)),
          'row-total baseline above-2 pad-top-3 rule-above body-size bold',
        ],
        row('Refunded', followUps?.refunded && sumOf(followUps.refunded), '−'),
        row('Left to refund', leftToRefund(transaction)),
        row('Left to capture', capturable),
        ['Capture until', capturable === null ? null : until],
      ]}
    />
  )
}

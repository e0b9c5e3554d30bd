import { typeNames } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { localDate } from '../../../domain/model/local-time.ts'
import { authorisedOf, authorisedUntil, isInEffect, leftToRefund } from '../../../domain/model/remaining.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { money } from '../../../presentation/money.ts'
import { StatusBadge } from '../../components/badges.tsx'
import { formatNumber } from '../../components/format.ts'

/** Maximum follow-ups shown for one transaction. */
const drawn = 50

function rootOf(ledger: Ledger, transaction: Transaction): Transaction {
  const original = ledger.transactions.get(transaction.originalId ?? '')
  return original === undefined ? transaction : rootOf(ledger, original)
}

/** The first transaction of the chain, its follow-ups, and what is left to do; `own` is the one of the page. */
export const relatedTransactions = (ledger: Ledger, own: Transaction) => (
  <ul class="related">{memberOf(ledger, rootOf(ledger, own), own.id)}</ul>
)

function memberOf(ledger: Ledger, transaction: Transaction, own: string) {
  const { id, type, currency, followUps } = transaction
  const children = (followUps?.children ?? []).slice(0, drawn)
  const hidden = (followUps?.children.length ?? 0) - children.length
  const left = leftOf(ledger, transaction)
  return (
    <li>
      <a
        class="member lined round-s pad-2-3 stack small no-underline"
        href={`/transactions/${id}`}
        aria-current={id === own ? 'page' : undefined}
      >
        <span class="member-type">{typeNames[type]}</span>
        <span class="member-sum bold tabular">{money(amountOf(transaction), currency)}</span>
        <span class="soft code">{id}</span>
        <StatusBadge transaction={transaction} />
      </a>
      {left !== null && <p class="left note">{left}</p>}
      {children.length > 0 && (
        <ul>
          {children.map((child) => {
            const found = ledger.transactions.get(child)
            return found && memberOf(ledger, found, own)
          })}
          {hidden > 0 && <li class="left note">and {formatNumber(hidden)} more</li>}
        </ul>
      )}
    </li>
  )
}

/** Types with an amount left to refund or capture. */
const hasLeft: Readonly<Record<Transaction['type'], boolean>> = {
  SALE: true,
  AUTH: true,
  FORCED_AUTH: true,
  POST_AUTH: true,
  INCREMENTAL: false,
  REFUND: false,
  VOID: false,
}

/** What is left to refund or capture, or why nothing is, in words; null if no follow-up can move its money. */
function leftOf(ledger: Ledger, transaction: Transaction): string | null {
  const { type, status, currency, followUps } = transaction
  if (status !== 'SUCCESS' || !hasLeft[type]) return null
  if (!isInEffect(transaction)) return 'voided'
  const left = leftToRefund(transaction)
  if (left !== null) return left === 0 ? 'refunded in full' : `${money(left, currency)} left to refund`
  if (followUps?.captured || followUps?.capturing) return 'captured'
  const until = localDate(authorisedUntil(ledger, transaction), ledger.settings.timeZone)
  return `${money(authorisedOf(transaction), currency)} to capture until ${until}`
}

import type { AmountParts } from '../../../contract/amounts.ts'
import { formatAmount } from '../../../contract/currencies.ts'
import type { FollowUpName } from '../../../contract/operations.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { authorisedParts, leftToRefund, partsInOrder, refundableParts } from '../../../domain/model/parts.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { partFields } from '../../../domain/rules/refund.ts'
import { money } from '../../../presentation/money.ts'
import { refusalOfFollowUp } from '../../../views/possible-follow-ups.ts'

/** What can be done with a transaction on its page. */

/** An amount field, and its preset value: minor units, or null for none. */
interface AmountMember {
  readonly name: (typeof partFields)[keyof typeof partFields]
  readonly label: string
  readonly value: number | null
}

/** One action: its form, and its operation. */
export interface FollowUp {
  /** Last part of its path. */
  readonly path: string
  readonly label: string
  readonly operation: (transaction: Transaction) => FollowUpName
  readonly amounts: (transaction: Transaction) => readonly AmountMember[]
  /** Description of the action, in a sentence. */
  readonly lead: string
  /** What is left for the action to take, in words; null or absent: nothing is said. */
  readonly left?: (transaction: Transaction) => string | null
  /** The result of an action that opens no transaction, in a sentence. `data`: the answer. */
  readonly done?: (transaction: Transaction, data: object) => string
}

const partLabels = {
  order: 'Order amount',
  tip: 'Tip',
  tax: 'Tax',
  surcharge: 'Surcharge',
  cashback: 'Cashback',
} as const

/** A field for each existing part; without other parts, the order's is simply the amount. */
function amountsOf(parts: AmountParts, there: AmountParts): readonly AmountMember[] {
  const names = partsInOrder.filter((part) => part === 'order' || there[part] > 0)
  return names.map((part) => ({
    name: partFields[part],
    label: names.length === 1 ? 'Amount' : partLabels[part],
    value: Math.max(parts[part], 0),
  }))
}

const none = () => []

/** The actions in the order of their buttons. */
export const followUps: readonly FollowUp[] = [
  {
    path: 'refund',
    label: 'Refund',
    operation: ({ online }) => (online === null ? 'refund' : 'online-refund'),
    amounts: (transaction) => amountsOf(refundableParts(transaction), transaction),
    lead: 'Refund all that is left, or a part of it.',
    left: (transaction) => {
      const left = leftToRefund(transaction)
      return left === null ? null : `${money(left, transaction.currency)} left to refund`
    },
  },
  {
    path: 'capture',
    label: 'Capture',
    operation: () => 'post-auth',
    amounts: (auth) => {
      const parts = authorisedParts(auth)
      const amounts = amountsOf(parts, parts)
      return parts.tip > 0 ? amounts : [...amounts, { name: 'tipAmount', label: 'Tip', value: null }]
    },
    lead: 'Capture the authorised amount, or part of it. An authorisation can be captured once.',
  },
  {
    path: 'increment',
    label: 'Increment',
    operation: () => 'incremental-auth',
    amounts: () => [{ name: 'amount', label: 'Amount to add', value: null }],
    lead: 'Raise the authorised amount.',
  },
  {
    path: 'adjust-tip',
    label: 'Adjust tip',
    operation: () => 'tip-adjust',
    amounts: ({ tip }) => [{ name: 'tipAmount', label: 'New tip', value: tip }],
    lead: 'The new tip replaces the old one.',
    done: ({ currency }, data) =>
      `The tip is ${money('tipAmount' in data ? Number(data.tipAmount) : 0, currency)} now.`,
  },
  {
    path: 'void',
    label: 'Void',
    operation: () => 'void',
    amounts: none,
    lead: 'Reverse the whole transaction before its batch is closed.',
  },
  {
    path: 'abort',
    label: 'Abort',
    operation: () => 'abort',
    amounts: none,
    lead: 'Close the payment before it is paid.',
    done: ({ status }) =>
      status === 'CLOSED'
        ? 'The payment is aborted.'
        : 'Too late to abort: the host was asked already, and its answer stands.',
  },
  {
    path: 'expire',
    label: 'Close checkout page',
    operation: () => 'expire-session',
    amounts: none,
    lead: 'The shopper can no longer pay on the checkout page.',
    done: () => 'The checkout page is closed.',
  },
]

/** The actions that the rules allow now. `at`: sandbox time in milliseconds. */
export const possibleActions = (ledger: Ledger, transaction: Transaction, at: number): readonly FollowUp[] =>
  followUps.filter(
    ({ operation }) => refusalOfFollowUp(ledger, transaction, operation(transaction), at) === null,
  )

/** Preset values of an action's fields. */
export const presetValues = ({ amounts }: FollowUp, transaction: Transaction): Record<string, string> =>
  Object.fromEntries(
    amounts(transaction).map(({ name, value }) => [
      name,
      value === null ? '' : formatAmount(value, transaction.currency),
    ]),
  )

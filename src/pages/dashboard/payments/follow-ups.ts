import type { AmountParts } from '../../../contract/amounts.ts'
import { needs } from '../../../contract/operation-members.ts'
import { type FollowUpName, followUpNames, operations } from '../../../contract/operations.ts'
import { money } from '../../../contract/presentation/money.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import {
  authorisedAmount,
  authorisedParts,
  leftToRefund,
  partsInOrder,
  refundableParts,
} from '../../../domain/model/parts.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { partFields } from '../../../domain/rules/refund.ts'
import { refusalOfFollowUp } from '../../../sandbox/views/possible-follow-ups.ts'
import { capitalize } from '../../../shared/text/words.ts'

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
  readonly operation: FollowUpName
  /** The operation for an online payment, where that is another one. */
  readonly onlineOperation?: FollowUpName
  readonly amounts: (transaction: Transaction) => readonly AmountMember[]
  /** Description of the action, in a sentence. */
  readonly lead: string
  /** True for one that ends the payment. */
  readonly isDestructive?: true
  /** The amount that it changes, in words: `$5.00 left to refund`; null or absent: nothing is said. */
  readonly remaining?: (transaction: Transaction) => string | null
  /** The result of an action that opens no transaction, in a sentence. `data`: the answer. */
  readonly done?: (transaction: Transaction, data: object) => string
}

const partLabel = (part: keyof AmountParts): string => (part === 'order' ? 'Order amount' : capitalize(part))

/** A field for each existing part; without other parts, the order's is simply the amount. */
function amountMembers(parts: AmountParts, there: AmountParts): readonly AmountMember[] {
  const names = partsInOrder.filter((part) => part === 'order' || there[part] > 0)
  return names.map((part) => ({
    name: partFields[part],
    label: names.length === 1 ? 'Amount' : partLabel(part),
    value: Math.max(parts[part], 0),
  }))
}

/** What an action says itself, in the order of the buttons. */
const overrides: { readonly [N in FollowUpName]?: Partial<FollowUp> } = {
  refund: {
    onlineOperation: 'online-refund',
    amounts: (transaction) => amountMembers(refundableParts(transaction), transaction),
    lead: 'Refund all that is left, or a part of it.',
    remaining: (transaction) => {
      const refundable = leftToRefund(transaction)
      return refundable === null ? null : `${money(refundable, transaction.currency)} left to refund`
    },
  },
  'post-auth': {
    path: 'capture',
    label: 'Capture',
    amounts: (auth) => {
      const parts = authorisedParts(auth)
      const amounts = amountMembers(parts, parts)
      return parts.tip > 0 ? amounts : [...amounts, { name: 'tipAmount', label: 'Tip', value: null }]
    },
    lead: 'Capture the authorised amount, or part of it. An authorisation can be captured once.',
  },
  'incremental-auth': {
    path: 'increment',
    label: 'Increment',
    amounts: () => [{ name: 'amount', label: 'Amount to add', value: null }],
    lead: 'Raise the authorised amount.',
    remaining: (auth) => `${money(authorisedAmount(auth), auth.currency)} authorised`,
  },
  'tip-adjust': {
    path: 'adjust-tip',
    label: 'Adjust tip',
    amounts: ({ tip }) => [{ name: 'tipAmount', label: 'New tip', value: tip }],
    lead: 'The new tip replaces the old one.',
    done: ({ currency }, data) =>
      `The tip is ${money('tipAmount' in data ? Number(data.tipAmount) : 0, currency)} now.`,
  },
  void: { lead: 'Reverse the whole transaction before its batch is closed.', isDestructive: true },
  abort: {
    lead: 'Close the payment before it is paid.',
    isDestructive: true,
    done: ({ status }) =>
      status === 'CLOSED'
        ? 'The payment is aborted.'
        : 'Too late to abort: the host was asked already, and its answer stands.',
  },
  'expire-session': {
    path: 'expire',
    label: 'Close checkout page',
    lead: 'The shopper can no longer pay on the checkout page.',
    isDestructive: true,
    done: () => 'The checkout page is closed.',
  },
}

/** The action of an operation: by its row the name of its command, and the amounts that it must have. */
const createFollowUp = (operation: FollowUpName): FollowUp => ({
  path: operation,
  label: capitalize(operations[operation].command.replaceAll('-', ' ')),
  operation,
  amounts: () =>
    partsInOrder
      .filter((part) => needs(operation, partFields[part]))
      .map((part) => ({ name: partFields[part], label: partLabel(part), value: null })),
  lead: `${operations[operation].summary}.`,
  ...overrides[operation],
})

const first = Object.keys(overrides) as FollowUpName[]
const online = Object.values(overrides).map(({ onlineOperation }) => onlineOperation)

/** The actions in the order of their buttons. */
export const followUps: readonly FollowUp[] = [...new Set([...first, ...followUpNames])]
  .filter((name) => !online.includes(name))
  .map(createFollowUp)

/** The operation of an action on that transaction. */
export const followUpOperation = (
  { operation, onlineOperation = operation }: FollowUp,
  transaction: Transaction,
): FollowUpName => (transaction.online === null ? operation : onlineOperation)

/** The actions that the rules allow now. `at`: sandbox time in milliseconds. */
export const possibleActions = (
  ledger: Ledger,
  transaction: Transaction,
  at: number,
  among = followUps,
): readonly FollowUp[] =>
  among.filter(
    (action) => refusalOfFollowUp(ledger, transaction, followUpOperation(action, transaction), at) === null,
  )

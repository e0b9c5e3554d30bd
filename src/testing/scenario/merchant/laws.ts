import type * as v from 'valibot'
import { described, named, one, text } from '../../../contract/answer-kinds.ts'
import type { TransactionRow } from '../../../contract/control/transaction-list.ts'
import { type Law, laws } from '../../../contract/exam/situation.ts'
import { amountText } from '../../../contract/presentation/money.ts'
import { isFinal, moneyDirection } from '../../../contract/statuses.ts'
import type { OrderMember, ServerSection } from './server-schema.ts'

/** An order as the merchant tells of it. Amounts in minor units; undefined: it does not tell. */
export interface MerchantOrder {
  /** The referenceOrderId of its payments. */
  readonly id: string
  readonly currency: string
  readonly amount: number | undefined
  readonly paid: boolean
  readonly pending: boolean
  readonly shipped: boolean
  /** How many parcels have left; undefined: it does not tell. */
  readonly parcels?: number | undefined
  readonly refunded: number | undefined
}

/** A payment as the sandbox knows it. */
export type KnownPayment = Pick<
  TransactionRow,
  | 'transactionId'
  | 'referenceOrderId'
  | 'originalTransactionId'
  | 'type'
  | 'status'
  | 'relatedTransactionStatus'
  | 'amount'
  | 'currency'
>

export const violation = named('Violation', 'A law that is broken', {
  law: one(Object.keys(laws) as Law[]),
  text: described(text, 'What is wrong, with ids and amounts, in a sentence without its full stop'),
})
export type Violation = v.InferOutput<typeof violation>

/** All that the laws look at. */
export interface Books {
  readonly orders: readonly MerchantOrder[]
  readonly payments: readonly KnownPayment[]
  /** What the steps asked to pay back; undefined: not said. Minor units. */
  readonly refundsAsked: { readonly amount: number; readonly currency: string } | undefined
  /** How many orders the steps asked for, a repeated request as one; undefined: not said. */
  readonly ordersAsked?: number | undefined
  /** An order may stay paid in part, and is not called paid then. */
  readonly inParts?: boolean | undefined
  /** The merchant ships what is paid by itself. */
  readonly shipsWhenPaid?: boolean | undefined
}

/** An order with its approved payments, if one of the two sides knows of it. */
interface Account {
  readonly id: string
  readonly order: MerchantOrder | undefined
  /** Approved payments that were not voided. */
  readonly charges: readonly KnownPayment[]
  readonly voided: readonly KnownPayment[]
  readonly refunds: readonly KnownPayment[]
  /** Goods may leave for it; a capture that was declined takes that back. */
  readonly authorised: boolean
  /** A payment of it has not ended. */
  readonly isOpen: boolean
}

/** The laws that the books break, in the order of the laws. */
export function violationsIn(books: Books): Violation[] {
  const accounts = accountsOf(books)
  const found = accounts.flatMap((account) => orderViolations(account, books))
  const all = [...found, ...tooMuchRefunded(books, accounts), ...tooManyOrders(books, accounts)]
  const names = Object.keys(laws)
  if (all.length > 0) return all.sort((one, other) => names.indexOf(one.law) - names.indexOf(other.law))
  return totalViolations(books, accounts)
}

/**
 * What is wrong with each order that has ended, by its id; null: nothing. An order that the merchant calls
 * pending, whose payments go on, or whose price it does not tell, is not judged.
 */
export function judgedOrders(books: Books): Map<string, string | null> {
  const ended = accountsOf(books).filter(({ id, order, isOpen }) => id !== '' && !isOpen && !order?.pending)
  const told = ended.filter(({ order }) => order === undefined || order.amount !== undefined)
  return new Map(
    told.map((account) => {
      const broken = orderViolations(account, books)
      const orders = account.order === undefined ? [] : [account.order]
      const all = broken.length > 0 ? broken : totalViolations({ ...books, orders }, [account])
      return [account.id, all.map(({ text }) => text).join('; ') || null]
    }),
  )
}

/** Fields of `orders` without which a law is not checked; of every order, `id` and `paid` are known. */
export const lawFields: Readonly<Partial<Record<Law, readonly (OrderMember | 'shipsWhenPaid')[]>>> = {
  'amount-charged': ['amount'],
  'refunds-agree': ['refunded'],
  'shipped-if-paid': ['shipped'],
  'shipped-when-paid': ['shipped', 'shipsWhenPaid'],
  'shipped-once': ['parcels'],
  'ends-known': ['pending'],
  'totals-agree': ['amount', 'refunded'],
}

/**
 * Laws about what a server does not tell, or its steps do not ask for. `untold`: members that no order has.
 */
export function uncheckedLaws(
  { orders, refunds, purchases }: ServerSection,
  untold: ReadonlyMap<OrderMember, string>,
): Law[] {
  const tells = (member: OrderMember | 'shipsWhenPaid') =>
    member === 'shipsWhenPaid'
      ? orders?.shipsWhenPaid === true
      : !untold.has(member) && (member === 'amount' || orders?.[member] !== undefined)
  const isAsked: Partial<Record<Law, boolean>> = {
    'ordered-once': purchases !== undefined,
    'refunds-asked': refunds !== undefined,
  }
  return (Object.keys(laws) as Law[]).filter(
    (law) => isAsked[law] === false || lawFields[law]?.every(tells) === false,
  )
}

function accountsOf({ orders, payments }: Books): Account[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const ids = new Set([...byId.keys(), ...payments.map(({ referenceOrderId }) => referenceOrderId ?? '')])
  return [...ids].map((id) => {
    const orderPayments = payments.filter(({ referenceOrderId }) => (referenceOrderId ?? '') === id)
    const approved = orderPayments.filter(({ status }) => status === 'SUCCESS')
    const paying = approved.filter(({ type }) => moneyDirection[type] === 1)
    return {
      id,
      order: byId.get(id),
      charges: paying.filter((each) => !isVoided(each)),
      voided: paying.filter(isVoided),
      refunds: orderPayments.filter((each) => isApprovedRefund(each) && !isVoided(each)),
      authorised: approved.some(({ type }) => type === 'AUTH') && !orderPayments.some(isFailedCapture),
      isOpen: orderPayments.some(({ status }) => !isFinal(status)),
    }
  })
}

const isFailedCapture = ({ type, status }: KnownPayment): boolean => type === 'POST_AUTH' && status === 'FAIL'

const isApprovedRefund = ({ type, status }: KnownPayment): boolean =>
  status === 'SUCCESS' && moneyDirection[type] === -1

const isVoided = ({ relatedTransactionStatus }: KnownPayment): boolean =>
  relatedTransactionStatus === 'VOIDED'

/** What the merchant gave back: a refund, or a payment that was voided. */
export const isGivenBack = (payment: KnownPayment): boolean =>
  moneyDirection[payment.type] === -1 || (moneyDirection[payment.type] === 1 && isVoided(payment))

const sum = (payments: readonly { readonly amount: number }[]): number =>
  payments.reduce((total, { amount }) => total + amount, 0)

/** The sum of payments, in each of their currencies. */
function sumText(payments: readonly KnownPayment[]): string {
  const currencies = [...new Set(payments.map(({ currency }) => currency))]
  const of = (wanted: string) => sum(payments.filter(({ currency }) => currency === wanted))
  return currencies.map((currency) => amountText(of(currency), currency)).join(' and ')
}

/** An account with what several laws ask of it. */
interface Judged extends Account {
  readonly name: string
  readonly price: number | undefined
  /** Charges that were not paid back in full, and their sum. */
  readonly standing: readonly KnownPayment[]
  readonly charged: number
  /** Sum of what was paid back by refunds. */
  readonly back: number
  readonly isPart: boolean
  readonly shipsWhenPaid: boolean
  readonly money: (amount: number) => string
}

function judged(account: Account, books: Books): Judged {
  const { id, order, charges, refunds } = account
  const standing = standingCharges(account)
  const currency = charges[0]?.currency ?? order?.currency ?? ''
  return {
    ...account,
    name: id === '' ? 'A payment without referenceOrderId' : `Order ${id}`,
    price: order?.amount,
    standing,
    charged: sum(standing),
    back: sum(refunds),
    isPart: isPaidInPart(account, books),
    shipsWhenPaid: books.shipsWhenPaid === true,
    money: (amount) => amountText(amount, currency),
  }
}

/** The laws that an order breaks. */
const orderViolations = (account: Account, books: Books): Violation[] =>
  Object.entries(orderLaws).flatMap(([law, broken]) => {
    const text = broken(judged(account, books))
    return text === undefined ? [] : [{ law: law as Law, text }]
  })

/** What is wrong by each law about one order; undefined: nothing. */
const orderLaws = {
  'charged-once': (each: Judged) =>
    isChargedTwice(each)
      ? `${each.name} is charged ${each.standing.length} times: ${each.standing.map(({ transactionId }) => transactionId).join(', ')}`
      : undefined,
  'amount-charged': (each: Judged) => (isChargedTwice(each) ? undefined : wrongAmount(each)),
  'refunds-agree': (each: Judged) => {
    const { name, order, refunds, voided, standing, back, money } = each
    const kept = sum(refunds.filter((refund) => standing.some((payment) => isFollowUpOf(payment)(refund))))
    // what cancels a payment may be called a refund, or not
    const wished = back - sum(needlessRefunds(each))
    return order?.refunded === undefined || [back, back + sum(voided), kept, wished].includes(order.refunded)
      ? undefined
      : `${name}: ${money(back)} is refunded; the merchant lists ${money(order.refunded)}`
  },
  'shipped-if-paid': (each: Judged) => {
    const { name, order, charges, voided, authorised, price = 0, money } = each
    if (!order?.shipped || authorised) return undefined
    const approved = sum([...charges, ...voided])
    if (approved === 0) return `${name} is shipped, and no payment of it is approved`
    const isTold = isChargedTwice(each) || wrongAmount(each) !== undefined
    return approved < price && !isTold
      ? `${name} is shipped, and only ${money(approved)} of ${money(price)} is approved`
      : undefined
  },
  'shipped-when-paid': ({ name, order, shipsWhenPaid, standing, back }: Judged) =>
    shipsWhenPaid && order?.paid && standing.length > 0 && back === 0 && !order.shipped
      ? `${name} is paid, and is not shipped`
      : undefined,
  'shipped-once': ({ name, order }: Judged) =>
    order?.parcels !== undefined && order.parcels > 1
      ? `${name} is shipped ${order.parcels} times`
      : undefined,
  'paid-if-approved': ({ name, order, charges, voided }: Judged) =>
    order?.paid && charges.length + voided.length === 0
      ? `${name} is marked as paid, and no payment of it is approved`
      : undefined,
  'approved-known': (each: Judged) => {
    const { id, order, charged, money } = each
    const what = id === '' ? 'no order' : `order ${id}`
    const told = order === undefined ? 'does not list' : 'does not mark as paid'
    return isUnknown(each)
      ? `${money(charged)} is charged for ${what}, which the merchant ${told}`
      : undefined
  },
  'ends-known': (each: Judged) =>
    each.order?.pending && !each.isOpen && !each.isPart && !isUnknown(each)
      ? `${each.name} is still pending, and all its payments are final`
      : undefined,
} satisfies Partial<Record<Law, (each: Judged) => string | undefined>>

/** Several payments of one order add up to its price. */
const isChargedTwice = ({ standing, price, charged }: Judged): boolean =>
  standing.length > 1 && (price === undefined || charged > price)

const isUnknown = ({ charged, order, isPart }: Judged): boolean =>
  charged > 0 && order?.paid !== true && !isPart

/** What is charged and should be, where they differ. */
function wrongAmount({ name, order, price, standing, charges, isPart }: Judged): string | undefined {
  // of what was paid back in full, a part of a bill may be less than the price
  const tooMuch = () => charges.filter(({ amount }) => price !== undefined && amount > price).slice(0, 1)
  const compared = standing.length > 0 ? standing : tooMuch()
  if (order === undefined || price === undefined || compared.length === 0 || isPart) return undefined
  if (!order.paid && standing.length > 0) return undefined // approved-known tells it
  const isCaptured = charges.some(({ type }) => type === 'POST_AUTH')
  const [is, should] = [sumText(compared), amountText(price, order.currency)]
  // a part that was paid back on purpose is a part of the price all the same
  if ([is, sumText(charges)].includes(should)) return undefined
  return isCaptured
    ? `${name}: ${is} is captured; its price is ${should}, and should be the captured amount`
    : `${name} is charged ${is}; its price is ${should}`
}

const isFollowUpOf =
  ({ transactionId }: KnownPayment) =>
  ({ originalTransactionId }: KnownPayment): boolean =>
    originalTransactionId === transactionId

/** Charges that were not paid back in full. */
const standingCharges = ({ charges, refunds }: Account): readonly KnownPayment[] =>
  charges.filter((each) => sum(refunds.filter(isFollowUpOf(each))) < each.amount)

/** Refunds of payments that were paid back in full, and that the price does not need. */
function needlessRefunds(account: Account): readonly KnownPayment[] {
  const { order, charges, refunds } = account
  const standing = standingCharges(account)
  let open = order?.amount ?? Number.POSITIVE_INFINITY
  const extra = [...standing, ...charges.filter((each) => !standing.includes(each))].filter((each) => {
    const isNeeded = open > 0
    open -= each.amount
    return !isNeeded && !standing.includes(each)
  })
  return refunds.filter((refund) => extra.some((each) => isFollowUpOf(each)(refund)))
}

/** Of an order that is paid in parts, some have come, and it is not called paid. */
function isPaidInPart(account: Account, { inParts }: Books): boolean {
  const charged = sum(standingCharges(account))
  return (
    inParts === true && account.order?.paid === false && charged > 0 && charged < (account.order.amount ?? 0)
  )
}

function tooManyOrders({ ordersAsked }: Books, accounts: readonly Account[]): Violation[] {
  const charged = accounts.filter((account) => standingCharges(account).length > 0)
  if (ordersAsked === undefined || charged.length <= ordersAsked) return []
  const ids = charged.map(({ id }) => id || 'one without referenceOrderId').join(', ')
  return [
    { law: 'ordered-once', text: `${charged.length} orders are charged, ${ordersAsked} requested: ${ids}` },
  ]
}

/** How many orders payments were opened for: one that is declined or paid back was asked for, too. */
export const orderedIn = (payments: readonly Pick<KnownPayment, 'type' | 'referenceOrderId'>[]): number =>
  new Set(
    payments
      .filter(({ type }) => type === 'AUTH' || moneyDirection[type] === 1)
      .map(({ referenceOrderId }) => referenceOrderId),
  ).size

/**
 * What is given back of an order that failed, or whose price another payment covers, was taken by mistake:
 * it needs no wish.
 */
function tooMuchRefunded({ refundsAsked }: Books, accounts: readonly Account[]): Violation[] {
  if (refundsAsked === undefined) return []
  const { amount, currency } = refundsAsked
  const wished = accounts
    .filter(({ order }) => order?.paid !== false)
    .flatMap((account) => {
      const needless = needlessRefunds(account)
      return account.refunds.filter((each) => !needless.includes(each))
    })
  const back = sum(wished.filter((each) => each.currency === currency))
  if (back <= amount) return []
  const [paid, asked] = [back, amount].map((each) => amountText(each, currency))
  return [{ law: 'refunds-asked', text: `${paid} is refunded, and ${asked} was requested` }]
}

/**
 * What came twice and was given back, as far as the merchant calls it a refund: that is right, as is the
 * opposite. What was asked for is a refund for everybody.
 */
function calledRefund(account: Account, refunded: number, { refundsAsked }: Books): number {
  const [back, voided] = [sum(account.refunds), sum(account.voided)]
  const isCovered = sum(standingCharges(account)) >= (account.order?.amount ?? Number.POSITIVE_INFINITY)
  if (isCovered && voided > 0 && refunded === back + voided) return voided
  if (refunded !== back) return 0
  return Math.min(sum(needlessRefunds(account)), Math.max(0, back - (refundsAsked?.amount ?? 0)))
}

/** Paid orders less refunds, by currency; only where the merchant tells both. */
function totalViolations(books: Books, all: readonly Account[]): Violation[] {
  const { orders } = books
  const accounts = all.filter((account) => !isPaidInPart(account, books))
  if (orders.some(({ amount, refunded }) => amount === undefined || refunded === undefined)) return []
  const currencies = [...new Set(orders.map(({ currency }) => currency))]
  return currencies.flatMap((currency) => {
    const sumIn = (all: readonly { readonly amount: number; readonly currency: string }[]) =>
      sum(all.filter((each) => each.currency === currency))
    const paid = orders.filter((order) => order.paid)
    const said = sumIn(
      paid.map(({ amount = 0, refunded = 0, ...order }) => {
        const account = accounts.find(({ id }) => id === order.id)
        return {
          ...order,
          amount: amount - refunded + (account ? calledRefund(account, refunded, books) : 0),
        }
      }),
    )
    const taken = accounts.reduce((total, { charges, refunds }) => total + sumIn(charges) - sumIn(refunds), 0)
    if (said === taken) return []
    const [theirs, ours] = [said, taken].map((each) => amountText(each, currency))
    return [{ law: 'totals-agree', text: `The orders add up to ${theirs}, the payments to ${ours}` } as const]
  })
}

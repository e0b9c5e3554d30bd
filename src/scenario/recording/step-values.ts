import { textOf } from '../../client/tolerant.ts'
import { formatAmount, isCurrency } from '../../contract/currencies.ts'
import { argumentOf, entriesOf, isRefund } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../is-object.ts'
import { durationText } from '../../text/duration.ts'
import { shortNamesOf } from '../file/actions.ts'
import { isMoneyMember } from '../file/written-amounts.ts'

/** Members that every run makes for itself, or that belong to the caller. */
const madeByEachRun = ['appId', 'merchantId', 'transactionRequestId', 'notifyUrl', 'terminalEventNotifyUrl']

/**
 * The value of an operation's step: members with short names, amounts with their currency; a single value if possible.
 * `referenceTo`: the reference for a captured id, undefined for other text.
 */
export function operationValue(
  name: OperationName,
  members: Members,
  referenceTo: (value: unknown, member: string) => string | undefined,
): unknown {
  const shorts = new Map(Object.entries(shortNamesOf(name)).map(([short, member]) => [member, short]))
  const currency = textOf(isObject(members.amount) ? members.amount.priceCurrency : members.priceCurrency)
  const entries = entriesOf(name)
  const statedMembers = Object.entries(members).filter(
    ([member, value]) =>
      Object.hasOwn(entries, member) &&
      value !== null &&
      !madeByEachRun.includes(member) &&
      !isMadeUp(member, value),
  )
  const money = Object.entries(withMoney(Object.fromEntries(statedMembers), currency))
  const written = money.map(([member, value]): [string, unknown] => {
    const short = shorts.get(member) ?? member
    return [short, referenceTo(value, short) ?? (isRefund(name) ? value : plainAmount(value))]
  })
  const argument = shorts.get(argumentOf(name)?.member ?? '')
  const first = written.filter(([member]) => member === argument)
  if (first.length === 1 && written.length === 1) return first[0]?.[1]
  return Object.fromEntries([...first, ...written])
}

/** The value of a clock step; a duration in the largest unit without a fraction. */
export function clockValue({ action, milliseconds, time }: Members): unknown {
  if (action !== 'advance') return action === 'set' ? { set: time } : action
  return { advance: durationText(Number(milliseconds)) }
}

/** True for values that the command line and the SDKs generate. */
const isMadeUp = (member: string, value: unknown): boolean =>
  (member === 'referenceOrderId' && /^TBX-[0-9a-f]{18}$/.test(String(value))) ||
  (member === 'description' && /^[\w -]+ by tillbox$/.test(String(value)))

/** Amounts with their currency, which then need not be named; without one, in minor units. */
function withMoney(members: Members, currency: string | undefined): Members {
  const isKnown = currency !== undefined && isCurrency(currency)
  const { priceCurrency, ...rest } = members
  const amounts = Object.entries(isKnown ? rest : members).map(([name, value]): [string, unknown] => {
    if (name === 'amount' && isObject(value)) return [name, withMoney(value, currency)]
    if (!isMoneyMember(name) || typeof value !== 'number') return [name, value]
    return [name, isKnown ? `${formatAmount(value, currency)} ${currency}` : { minor: value }]
  })
  return Object.fromEntries(amounts)
}

/** An amount object that has the order's amount alone says no more than that amount. */
const plainAmount = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).join() === 'orderAmount' ? value.orderAmount : value

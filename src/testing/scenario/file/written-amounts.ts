import { formatAmount } from '../../../contract/currencies.ts'
import { memberSchemas, moneyMembers } from '../../../contract/operation-members.ts'
import type { OperationName } from '../../../contract/operations.ts'
import type { Members } from '../../../contract/validate.ts'
import { readAmount } from '../../../contract/written-amount.ts'
import type { Flaw, Path } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { isObject } from '../../../shared/is-object.ts'

/** Amounts as people write them: `10.00 USD`, or `{ minor: 1000 }`. */

/** Something looks like an amount, but is not. */
export class WrongAmount extends Error {
  override readonly name = 'WrongAmount'
}

interface Money {
  /** Minor units. */
  readonly amount: number
  /** Undefined for minor units without one. */
  readonly currency: string | undefined
}

/** `10.00 USD`, or `{ minor: 1000 }`, as an amount; undefined for anything else. Errors: WrongAmount. */
export function moneyIn(value: unknown): Money | undefined {
  if (isMinor(value)) return { amount: value.minor as number, currency: undefined }
  const [, digits, currency] = /^(\d[\d.]*) ([A-Z]{3})$/.exec(typeof value === 'string' ? value : '') ?? []
  if (digits === undefined || currency === undefined) return undefined
  const amount = readAmount(digits, currency, 'refused')
  if (typeof amount === 'number') return { amount, currency }
  const { kind, wrong, remedy } = amount
  if (kind === 'currency') throw new WrongAmount(`${value}: ${wrong}`)
  const otherwise = kind === 'bare' ? `, or { minor: ${digits} }` : ''
  throw new WrongAmount(`${digits} ${wrong}. ${remedy} ${currency}${otherwise}`)
}

const isMinor = (value: unknown): value is { readonly minor: unknown } =>
  isObject(value) && Object.keys(value).join() === 'minor'

/** Where an amount cannot be read, in a value and below it. `isMoney`: the value itself is one. */
export function wrongAmountsIn(value: unknown, path: Path = [], isMoney = false): Flaw[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => wrongAmountsIn(each, [...path, index], isMoney))
  if (isObject(value) && !isMinor(value))
    return Object.entries(value).flatMap(([name, each]) =>
      wrongAmountsIn(each, [...path, name], isMoney || isAmountName(name)),
    )
  const reason = isMoney ? wrongIn(value) : undefined
  return reason === undefined ? [] : [{ path, reason }]
}

function wrongIn(value: unknown): string | undefined {
  if (value !== 0 && /^-?\d+(\.\d+)?$/.test(String(value))) return wrongNumber(String(value))
  try {
    moneyIn(value)
    return undefined
  } catch (error) {
    if (error instanceof WrongAmount) return error.message
    throw error
  }
}

/** A number without a currency: 10.00 is 10 by now, and could be meant either way. */
function wrongNumber(digits: string): string {
  const amount = readAmount(digits, 'USD', 'major')
  const spellings = [
    ...(typeof amount === 'number' ? [`${formatAmount(amount, 'USD')} USD`] : []),
    ...(digits.includes('.') ? [] : [`{ minor: ${digits} } for ${formatAmount(Number(digits), 'USD')} USD`]),
  ]
  return `${digits} has no currency. Write ${spellings.join(', or ')}`
}

const isAmountName = (name: string): boolean => /amount$/i.test(name) || isMoneyMember(name)

/** Names of amounts inside a member of a request. */
const inside = ['orderAmount', 'totalAmount', 'threshold']

/** True for a member of a request that is an amount, and for one inside a member. */
export const isMoneyMember = (name: string): boolean => moneyMembers.has(name) || inside.includes(name)

/**
 * Members with their amounts in minor units. The currency that they name goes with the request where it takes
 * one and has none. Errors: WrongAmount, also for two currencies.
 */
export function withMinorUnits(name: OperationName, members: Members): Members {
  const { plain, currency } = amountsInOneCurrency(members, statedCurrency(members))
  const isTaken = 'priceCurrency' in memberSchemas(name) && plain.priceCurrency === undefined
  if (currency === undefined || !isTaken) return plain
  const { amount } = plain
  return isObject(amount)
    ? { ...plain, amount: { priceCurrency: currency, ...amount } }
    : { ...plain, priceCurrency: currency }
}

/** The currency that a request or a record states. */
const statedCurrency = ({ amount, priceCurrency }: Members): unknown =>
  priceCurrency ?? (isObject(amount) ? amount.priceCurrency : undefined)

/** Errors: WrongAmount for an amount that is written in another currency than that of its payment. */
export const requireCurrency = (members: Members, payment: Members = {}): unknown =>
  amountsInOneCurrency(members, statedCurrency(payment))

/** Members with amounts in minor units, for an order without a currency. Errors: WrongAmount. */
export const inMinorUnits = (members: Members): Members => amountsInOneCurrency(members, undefined).plain

/** `stated`: the currency in which the amounts must be; undefined for any. */
function amountsInOneCurrency(members: Members, stated: unknown) {
  const currencies = new Set<string>()
  const plain = minorUnits(members, currencies)
  const [currency, other = typeof stated === 'string' ? stated : currency] = [...currencies]
  if (other !== currency && currency !== undefined)
    throw new WrongAmount(`the amounts are in ${currency} and ${other}: use one currency`)
  return { plain, currency }
}

function minorUnits(members: Members, currencies: Set<string>): Members {
  const read = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => read(name, each))
    const money = isMoneyMember(name) ? moneyIn(value) : undefined
    if (money?.currency !== undefined) currencies.add(money.currency)
    if (money !== undefined) return money.amount
    return isObject(value) ? minorUnits(value, currencies) : value
  }
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, read(name, value)]))
}

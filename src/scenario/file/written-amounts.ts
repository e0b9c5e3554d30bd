import { exponentOf } from '../../contract/currencies.ts'
import { entriesOf, moneyMembers } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import type { Path } from '../../fixture-files/fixtures-problems.ts'
import { isObject } from '../../is-object.ts'
import { parseMinorUnits } from '../../text/minor-units.ts'

/** Amounts as people write them: `10.00 USD`, with all decimals of the currency. Numbers are minor units. */

/** A text looks like an amount, but is not. */
export class WrongAmount extends Error {
  override readonly name = 'WrongAmount'
}

interface Money {
  readonly amount: number
  readonly currency: string
}

/** The amount that a text says; undefined for any other text. Errors: WrongAmount. */
export function moneyIn(given: unknown): Money | undefined {
  const [, digits, currency] = /^(\d[\d.]*) ([A-Z]{3})$/.exec(typeof given === 'string' ? given : '') ?? []
  if (digits === undefined || currency === undefined) return undefined
  const exponent = exponentOf(currency)
  if (exponent === undefined)
    throw new WrongAmount(`${given}: ${currency} is not an active ISO 4217 currency`)
  const whole = digits.includes('.') || exponent === 0 ? digits : `${digits}.`
  const amount = parseMinorUnits(whole, exponent)
  if (typeof amount === 'number') return { amount, currency }
  const example = (10).toFixed(exponent)
  throw new WrongAmount(`${given}: write all decimals of ${currency}, such as ${example} ${currency}`)
}

/** The amounts in a value where an amount is expected, and below it. */
export function amountsIn(
  value: unknown,
  path: Path = [],
  isMoney = false,
): { readonly path: Path; readonly given: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => amountsIn(each, [...path, index], isMoney))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) =>
      amountsIn(each, [...path, name], isMoney || isAmountName(name)),
    )
  return isMoney ? [{ path, given: value }] : []
}

/** Where a text is an amount that cannot be read, below members that are amounts. */
export const wrongAmountsIn = (
  value: unknown,
  path: Path = [],
): { readonly path: Path; readonly reason: string }[] =>
  amountsIn(value, path).flatMap(({ path: at, given }) => {
    try {
      moneyIn(given)
      return []
    } catch (error) {
      if (!(error instanceof WrongAmount)) throw error
      return [{ path: at, reason: error.message }]
    }
  })

/** What is wrong with a number as an amount: `25.00` would be 25 minor units. */
export function wrongNumber(written: string): string | undefined {
  if (!written.includes('.')) return undefined
  const major = Number(written)
  return `${written}: write ${major.toFixed(2)} USD, or ${Math.round(major * 100)} minor units`
}

const isAmountName = (name: string): boolean => /amount$/i.test(name) || isMoneyMember(name)

/** Names of amounts inside a member of a request. */
const inside = ['orderAmount', 'totalAmount', 'threshold']

/** True for a member of a request that is an amount, and for one inside a member. */
export const isMoneyMember = (name: string): boolean => moneyMembers.has(name) || inside.includes(name)

/**
 * Members with their amounts in minor units. The currency that they name goes with the request where it takes one.
 * Errors: WrongAmount, also for two currencies.
 */
export function withMinorUnits(name: OperationName, members: Members): Members {
  const currencies = new Set<string>()
  const plain = minorUnits(members, currencies)
  const [currency, other] = [...currencies]
  if (other !== undefined)
    throw new WrongAmount(`the amounts are in ${currency} and ${other}: use one currency`)
  const isTaken = 'priceCurrency' in entriesOf(name) && plain.priceCurrency === undefined
  if (currency === undefined || !isTaken) return plain
  const { amount } = plain
  const isNested = typeof amount === 'object' && amount !== null
  return isNested
    ? { ...plain, amount: { priceCurrency: currency, ...amount } }
    : { ...plain, priceCurrency: currency }
}

/** The same for members without a currency. */
export const inMinorUnits = (members: Members): Members => minorUnits(members, new Set())

function minorUnits(members: Members, currencies: Set<string>): Members {
  const read = (name: string, value: unknown): unknown => {
    if (isObject(value)) return minorUnits(value, currencies)
    const money = isMoneyMember(name) ? moneyIn(value) : undefined
    if (money === undefined) return value
    currencies.add(money.currency)
    return money.amount
  }
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, read(name, value)]))
}

import { asText, parseJson } from '../../../client/tolerant.ts'
import { readAmount } from '../../../contract/written-amount.ts'
import { isObject } from '../../../shared/is-object.ts'
import type { KnownPayment, MerchantOrder } from './laws.ts'
import { type MerchantServer, ServerProblem } from './merchant-server.ts'
import { fitsCondition, memberAt, type OrderMember, type OrdersSection } from './server-schema.ts'

/**
 * Members that the section names and that no order has, each with its path; none where there is no order. An
 * order always has the price and the currency that are named. Errors: ServerProblem.
 */
export function untoldMembers(
  listed: readonly unknown[],
  section: OrdersSection,
): ReadonlyMap<OrderMember, string> {
  const { amount = 'amount', currency, parcels, refunded } = section
  const [paid, pending, shipped] = [section.paid, section.pending, section.shipped].map(
    (each) => Object.keys(each ?? {})[0],
  )
  const paths = Object.entries({ amount, currency, paid, pending, shipped, parcels, refunded })
  // null may be nothing that was paid back yet, but is no price
  const isTold = (path: string, isPrice: boolean) =>
    listed.some(
      (order) => memberAt(order, path) !== undefined && !(isPrice && memberAt(order, path) === null),
    )
  const untold = paths.flatMap(([name, path]) =>
    path === undefined || listed.length === 0 || isTold(path, ['amount', 'currency'].includes(name))
      ? []
      : [[name as OrderMember, path] as const],
  )
  const mistake = untold.find(([name]) => name === 'currency' || (name === 'amount' && section.amount))
  if (mistake) throw new ServerProblem(`No order has ${mistake[1]}, which orders.${mistake[0]} names`)
  return new Map(untold)
}

/** The merchant's orders as it lists them. Errors: ServerProblem. */
export async function listOrders(server: MerchantServer, section: OrdersSection): Promise<unknown[]> {
  const { request, command = '', list } = section
  const [answer, asker] =
    request === undefined
      ? [parseJson(await server.run(command)), command]
      : [await server.send({ line: request }), `${request} of ${server.url}`]
  const whole = request === undefined ? answer : memberAt(answer, 'body') // where a list that is the whole answer stands
  const listed = list === undefined ? whole : memberAt(answer, list)
  if (Array.isArray(listed)) return listed
  const where = list === undefined ? '' : ` in ${list}`
  throw new ServerProblem(`${asker} does not list orders${where}: ${answerText(answer)} is no list`)
}

/** An answer, or what a command printed, as it came. */
function answerText(answer: unknown): string {
  const { httpStatus, ...members } = isObject(answer) ? answer : {}
  const text = (value: unknown) => JSON.stringify(value)?.slice(0, 200)
  return httpStatus === undefined ? `${text(answer)}` : `${httpStatus} ${text(members.body ?? members)}`
}

/** What they tell. `payments`: for the currency of an order that does not tell it. Errors: ServerProblem. */
export const readOrders = (
  listed: readonly unknown[],
  section: OrdersSection,
  payments: readonly KnownPayment[] = [],
): MerchantOrder[] => listed.map((each) => readOrder(each, section, payments))

function readOrder(entry: unknown, section: OrdersSection, payments: readonly KnownPayment[]): MerchantOrder {
  const { id = 'id', amount = 'amount', currency = 'currency', refunded } = section
  const order = isObject(entry) ? entry : {}
  const name = asText(memberAt(order, id))
  if (name === undefined) throw new ServerProblem(`An order has no ${id}: ${JSON.stringify(entry)}`)
  const payment = payments.find(({ referenceOrderId }) => referenceOrderId === name)
  const code = asText(memberAt(order, currency))?.toUpperCase() ?? payment?.currency ?? 'USD'
  const fits = (condition: Readonly<Record<string, unknown>> | undefined) =>
    condition !== undefined && fitsCondition(order, condition)
  return {
    id: name,
    currency: code,
    amount: amountIn(memberAt(order, amount), code, amount),
    paid: fits(section.paid),
    pending: fits(section.pending),
    shipped: fits(section.shipped),
    parcels:
      section.parcels === undefined ? undefined : countIn(memberAt(order, section.parcels), section.parcels),
    refunded: refunded === undefined ? undefined : (amountIn(memberAt(order, refunded), code, refunded) ?? 0),
  }
}

/** A count; 0 where an order has none. */
function countIn(value: unknown, member: string): number {
  const count = Number(value ?? 0)
  if (!Array.isArray(value) && Number.isSafeInteger(count)) return count
  throw new ServerProblem(`${member} of an order is ${JSON.stringify(value)}, which is no whole number`)
}

/** Minor units of a text in major units, `12.50`, or of a whole number in minor ones. */
function amountIn(value: unknown, currency: string, member: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'number')
    throw new ServerProblem(
      `${member} of an order is the number ${value}: list minor units as whole numbers, or major units as text, "12.50"`,
    )
  const text = String(value)
  const exact = /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text // some list "1245.00" in JPY, too
  const amount = readAmount(exact, currency, 'major')
  if (typeof amount === 'number') return amount
  throw new ServerProblem(`${member} of an order is ${JSON.stringify(value)}, which ${amount.wrong}`)
}

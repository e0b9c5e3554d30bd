import { parseJson, textOf } from '../../client/tolerant.ts'
import { readAmount } from '../../contract/written-amount.ts'
import { isObject } from '../../is-object.ts'
import type { KnownPayment, MerchantOrder } from './laws.ts'
import { type MerchantServer, ServerProblem } from './merchant-server.ts'
import { fitsCondition, memberOf, type OrdersSection } from './server-schema.ts'

/** Reads the merchant's orders. `payments`: for the currency of an order that does not tell it. Errors: ServerProblem; Unreachable. */
export async function ordersOf(
  server: MerchantServer,
  section: OrdersSection,
  payments: readonly KnownPayment[],
): Promise<MerchantOrder[]> {
  const { request, command = '', list } = section
  const [answer, asker] =
    request === undefined
      ? [parseJson(await server.run(command)), command]
      : [await server.send({ line: request }), `${request} of ${server.url}`]
  const whole = request === undefined ? answer : memberOf(answer, 'body') // where a list that is the whole answer stands
  const listed = list === undefined ? whole : memberOf(answer, list)
  if (Array.isArray(listed)) return listed.map((each) => orderOf(each, section, payments))
  const where = list === undefined ? '' : ` in ${list}`
  throw new ServerProblem(
    `${asker} does not list orders${where}. The answer is ${JSON.stringify(answer)?.slice(0, 200)}`,
  )
}

function orderOf(given: unknown, section: OrdersSection, payments: readonly KnownPayment[]): MerchantOrder {
  const { id = 'id', amount = 'amount', currency = 'currency', refunded } = section
  const order = isObject(given) ? given : {}
  const name = textOf(memberOf(order, id))
  if (name === undefined) throw new ServerProblem(`An order has no ${id}: ${JSON.stringify(given)}`)
  const own = payments.find(({ referenceOrderId }) => referenceOrderId === name)
  const code = textOf(memberOf(order, currency)) ?? own?.currency ?? 'USD'
  const fits = (condition: Readonly<Record<string, unknown>> | undefined) =>
    condition !== undefined && fitsCondition(order, condition)
  return {
    id: name,
    currency: code,
    amount: amountIn(memberOf(order, amount), code, amount),
    paid: fits(section.paid),
    pending: fits(section.pending),
    shipped: fits(section.shipped),
    refunded: refunded === undefined ? undefined : (amountIn(memberOf(order, refunded), code, refunded) ?? 0),
  }
}

/** Minor units of a text in major units, `12.50`, or of a whole number in minor ones. Errors: ServerProblem. */
function amountIn(given: unknown, currency: string, member: string): number | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given
  if (typeof given === 'number')
    throw new ServerProblem(
      `${member} of an order is the number ${given}: list minor units as whole numbers, or major units as text, "12.50"`,
    )
  const amount = readAmount(String(given), currency, 'major')
  if (typeof amount === 'number') return amount
  throw new ServerProblem(`${member} of an order is ${JSON.stringify(given)}, which ${amount.wrong}`)
}

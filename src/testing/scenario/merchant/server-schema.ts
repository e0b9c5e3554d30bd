import * as v from 'valibot'
import { described, only, filledText as text } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { isObject } from '../../../shared/is-object.ts'
import { readOr } from '../../../shared/read-or.ts'
import { moneyIn } from '../file/written-amounts.ts'

/** The member `server` of a scenario: the merchant's server, and where it tells of its orders. */

/** `POST /orders` */
export const requestLine = v.pipe(
  v.string('must be a method and a path, such as POST /orders'),
  v.regex(
    /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/,
    'must be a method and a path from the root, such as POST /orders',
  ),
)

/** Members of an order with the values that mean yes: `{ status: [paid, shipped] }`. */
const condition = (help: string) =>
  v.pipe(
    v.record(v.string(), v.unknown(), 'must be a member and its value, such as { status: paid }'),
    v.check((value) => Object.keys(value).length === 1, 'must name one member'),
    v.description(help),
  )

/** Where the merchant lists its orders, and what their members mean. */
export const orderMembers = {
  request: described(requestLine, 'Request that lists all orders'),
  command: v.optional(text('Command that prints all orders as JSON, in place of a request')),
  list: v.optional(text('Field of the answer that contains the list. Default: the answer is the list')),
  id: v.optional(text("Field with the referenceOrderId of the order's payments. Default: id")),
  amount: v.optional(text('Field with the price: "12.50", or minor units as a number. Default: amount')),
  currency: v.optional(
    text('Field with the currency. Default: currency, or else the currency of the payment'),
  ),
  paid: condition('Field and values of a paid order, such as { status: [paid, refunded] }'),
  pending: v.optional(condition('Field and values of an order whose result the server does not know yet')),
  shipped: v.optional(condition('Field and values of a shipped order')),
  shipsWhenPaid: described(
    v.boolean('must be true or false'),
    'true if the server ships paid orders automatically',
  ),
  parcels: v.optional(text('Field with the number of parcels that were shipped')),
  refunded: v.optional(text('Field with the refunded amount, in the same form as the price')),
}

/** What an order tells. */
export type OrderMember = 'amount' | 'currency' | 'paid' | 'pending' | 'shipped' | 'parcels' | 'refunded'

export const ordersSection = v.pipe(
  only(orderMembers),
  v.check(
    ({ request, command }) => (request === undefined) !== (command === undefined),
    'must have a request or a command',
  ),
  v.check(
    ({ shipsWhenPaid, shipped }) => shipsWhenPaid !== true || shipped !== undefined,
    'must say in shipped which orders have left, where shipsWhenPaid is true',
  ),
)

const moneyForm = 'must be an amount such as 4.00 USD'
const money = v.pipe(
  v.string(moneyForm),
  v.check((value) => isMoney(value), moneyForm),
)

/** The check says what is wrong with another text. */
const isMoney = (value: string): boolean => readOr(false, () => moneyIn(value)?.currency !== undefined)

const countForm = 'must be a whole number'
const count = v.pipe(v.number(countForm), v.integer(countForm), v.minValue(0, countForm))

const urlForm = 'must be a URL such as http://127.0.0.1:3000'

/** The merchant's server. */
export const serverMembers = {
  url: described(
    v.pipe(
      v.string(urlForm),
      v.check((value) => URL.canParse(value), urlForm),
    ),
    'URL of the server. Default: a free port of this machine, which the server gets as PORT',
  ),
  start: v.optional(text('Command that starts the server. Default: it is already running')),
  folder: v.optional(
    text('Folder in which commands run, relative to the folder of this file. Default: that folder'),
  ),
  reconcile: described(
    requestLine,
    'Request that makes the server query all unknown and pending payments, as its cron job does',
  ),
  reset: described(
    requestLine,
    'Request that makes the server delete all orders, so that one process serves many tries',
  ),
  orders: described(ordersSection, 'How to read the orders of the server. Without it, no law is checked'),
  refunds: described(
    money,
    'Maximum total that the steps refund, such as 4.00 USD. Default: as in the run without faults',
  ),
  purchases: described(
    count,
    'Maximum number of orders that the steps place; a repeat counts once. Default: as in the run without faults',
  ),
  inParts: described(
    v.boolean('must be true or false'),
    'true if the steps pay an order in several parts, so that it may stay partly paid',
  ),
}

export const serverSection = v.pipe(
  only(serverMembers),
  v.description("The merchant's server, which the steps drive; laws are checked in the end"),
)
export type ServerSection = v.InferOutput<typeof serverSection>
export type OrdersSection = v.InferOutput<typeof ordersSection>

const togetherForm = 'must be a number from 2 to 10, webhooks, or a list of requests with to: and body:'

const requestMembers = {
  to: v.pipe(v.string('must be a method and a path, such as POST /orders'), v.description('Method and path')),
  body: described(v.unknown(), 'Body, sent as JSON'),
  headers: described(v.record(v.string(), v.unknown()), 'Further headers'),
}

/** A request to the merchant's server, with its body. */
export const serverRequest = only({
  ...requestMembers,
  together: described(
    v.union(
      [
        v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10)),
        v.literal('webhooks'),
        v.pipe(v.array(only(requestMembers)), v.minLength(1)),
      ],
      togetherForm,
    ),
    'What happens at nearly the same time: how often it is sent, as by a double click; other requests; or webhooks: those that are held arrive',
  ),
})

/** True for a value that some members of an order fit: `{ status: [paid, shipped] }`. */
export function fitsCondition(
  order: Readonly<Record<string, unknown>>,
  accepted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(accepted).every(([member, wanted]) =>
    (Array.isArray(wanted) ? wanted : [wanted]).some((each) => each === memberAt(order, member)),
  )
}

/** A member, or a member of a member: `payment.status`. */
export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value)

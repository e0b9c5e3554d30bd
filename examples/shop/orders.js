/** What is asked for does not fit what is there. */
export class Conflict extends Error {}

/** Rows by their key, where a real shop has its database. As a unique index does, it refuses a key that is there. */
export class Table {
  #rows = new Map()

  insert(key, row) {
    if (this.#rows.has(key)) throw new Conflict(`${key} is there already`)
    this.#rows.set(key, row)
    return row
  }

  get(key) {
    return this.#rows.get(key)
  }

  all() {
    return [...this.#rows.values()]
  }
}

/**
 * An order. Its price is as a sale takes it: amounts in minor units. Its transactions have their transactionRequestIds as
 * keys.
 */
export const newOrder = (id, { terminalSn: _, priceCurrency = 'USD', ...amounts }) => ({
  id,
  price: { priceCurrency, ...amounts },
  transactions: new Map(),
})

/** The type of the transaction that an operation opens. */
const typeOf = {
  sale: 'SALE',
  createSession: 'SALE',
  forcedAuth: 'FORCED_AUTH',
  auth: 'AUTH',
  incrementalAuth: 'INCREMENTAL',
  postAuth: 'POST_AUTH',
  refund: 'REFUND',
  onlineRefund: 'REFUND',
  void: 'VOID',
}

/** Types that charge the customer, and those that begin an order. */
export const charges = ['SALE', 'FORCED_AUTH', 'POST_AUTH']
const begins = ['SALE', 'FORCED_AUTH', 'AUTH']

/** Adds a transaction before it is requested: its notification may come before the answer. Returns its id. */
export function addTransaction({ id: orderId, transactions }, operation) {
  const id = `${orderId}-${transactions.size + 1}`
  transactions.set(id, { id, operation, type: typeOf[operation], status: 'I', amount: 0 })
  return id
}

/** A request was refused, or never arrived. The next one has the same id: should the first arrive late, one counts. */
export const forget = ({ transactions }, id) => transactions.delete(id)

/**
 * Keeps the record of a transaction. A result stays, and an order is what its transactions make of it: so it does not
 * matter how often, and in which order, they become known.
 */
export function note(order, record) {
  const {
    transactionRequestId: id,
    transactionType: type,
    transactionStatus: status,
    transactionAmount: amount,
  } = record
  const known = order.transactions.get(id)
  if (known === undefined || !isFinal(known))
    order.transactions.set(id, { ...known, id, type, status, amount })
}

const isFinal = ({ status }) => ['S', 'F', 'C'].includes(status)
const all = ({ transactions }) => [...transactions.values()]

/** Transactions that wait for their result. */
export const pendingOf = (order) => all(order).filter(({ status }) => ['I', 'P'].includes(status))

/** The newest transaction of these types; undefined: there is none. */
export const latestOf = (order, types) => all(order).findLast(({ type }) => types.includes(type))

const sumOf = (order, types) =>
  all(order)
    .filter(({ type, status }) => status === 'S' && types.includes(type))
    .reduce((sum, { amount }) => sum + amount, 0)

/** Where an order stands. */
export function stateOf(order) {
  const [charged, refunded] = [sumOf(order, charges), sumOf(order, ['REFUND'])]
  if (all(order).some(({ type, status }) => type === 'VOID' && status === 'S')) return 'cancelled'
  if (charged > 0 && refunded > 0) return refunded < charged ? 'partly refunded' : 'refunded'
  if (charged > 0) return 'paid'
  if (sumOf(order, ['AUTH']) > 0) return 'authorised'
  return { I: 'pending', P: 'pending', F: 'declined', C: 'closed' }[latestOf(order, begins)?.status] ?? 'open'
}

/** What the shop shows of an order. Amounts in minor units. */
export const viewOf = (order) => ({
  id: order.id,
  state: stateOf(order),
  authorised: sumOf(order, ['AUTH', 'INCREMENTAL']),
  charged: sumOf(order, charges),
  refunded: sumOf(order, ['REFUND']),
})

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient, LostAnswer, ServiceRefusal } from 'tillbox'

/** The sandbox's code for a transaction that is not there; that of your service goes here in production. */
const unknown = 'SBX_TXN_UNKNOWN'

/**
 * A shop with a till and a few rooms. `service` says where the payment service is and as whom it is called, as
 * `createClient` takes it. Amounts in cents.
 *
 * | request | what it does |
 * |---|---|
 * | POST /orders { amount, terminalSn? } | sells something at the till |
 * | POST /rooms { amount, terminalSn? } | authorises the price of a room |
 * | POST /rooms/:id/raise { amount } | authorises more, for the minibar |
 * | POST /rooms/:id/check-out { amount } | captures what was used |
 * | POST /orders/:id/refund { amount } | pays back |
 * | GET /orders/:id | shows where an order stands |
 * | POST /webhooks | takes notifications of the service |
 */
export async function openShop({ service, webhookSecret, port = 0 }) {
  const client = createClient(service)
  const orders = new Map()
  const seen = new Set() // a real shop keeps both in its database, in one transaction
  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => ({ status: statusOf(error), body: { error: error.message } }))
      .then(({ status, body }) => response.writeHead(status, json).end(JSON.stringify(body)))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  const notifyUrl = `${url}/webhooks`

  async function answer(request) {
    const body = Buffer.concat(await request.toArray())
    const [, kind, id, act] = request.url.split('/')
    const route = `${request.method} ${kind} ${act ?? (id === undefined ? '' : ':id')}`.trim()
    if (route === 'POST webhooks') return takeWebhook(request.headers, body)
    if (route === 'GET orders :id') return { status: 200, body: viewOf(orderNamed(id)) }
    const { amount, terminalSn } = JSON.parse(body)
    if (route === 'POST orders') return begin('sale', amount, terminalSn)
    if (route === 'POST rooms') return begin('auth', amount, terminalSn)
    const order = orderNamed(id)
    if (route === 'POST orders refund') return follow(order, 'refund', capturedBy(order), amount)
    if (route === 'POST rooms raise') return follow(order, 'incrementalAuth', authorisedBy(order), amount)
    if (route === 'POST rooms check-out') return follow(order, 'postAuth', authorisedBy(order), amount)
    return { status: 404, body: { error: `There is no ${route}` } }
  }

  /** The order is there before the service is asked: its notification may come before the answer. */
  async function begin(operation, amount, terminalSn) {
    const order = { id: `ORDER-${randomUUID().slice(0, 8)}`, amount, transactions: new Map(), mails: 0 }
    orders.set(order.id, order)
    const members = { referenceOrderId: order.id, amount, priceCurrency: 'USD' }
    await send(order, operation, { ...members, ...(terminalSn && { terminalSn }) })
    return { status: 202, body: viewOf(order) }
  }

  async function follow(order, operation, original, amount) {
    if (original === undefined) return { status: 409, body: { error: `${order.id} is ${stateOf(order)}` } }
    await send(order, operation, {
      originalTransactionId: original.transactionId,
      amount,
      priceCurrency: 'USD',
    })
    return { status: 202, body: viewOf(order) }
  }

  /**
   * Sends a request once. Where its answer is lost, it asks what became of it before it sends it again; the same
   * transactionRequestId both times, so that the service never charges twice.
   */
  async function send(order, operation, members) {
    const request = { ...members, transactionRequestId: randomUUID(), notifyUrl }
    try {
      await client[operation](request)
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error
      const record = await found(request)
      if (record === undefined) await client[operation](request)
      else note(order, record)
    }
  }

  async function found({ transactionRequestId }) {
    try {
      return await client.query({ transactionRequestId })
    } catch (error) {
      if (error instanceof ServiceRefusal && error.envelope.code === unknown) return undefined // it never arrived
      throw error
    }
  }

  function takeWebhook(headers, body) {
    if (!isGenuine(headers, body, webhookSecret)) return { status: 401, body: { error: 'wrong signature' } }
    const id = headers['x-client-request-id']
    const record = JSON.parse(body)
    const order = orders.get(record.referenceOrderId)
    if (order !== undefined && !seen.has(id)) {
      note(order, record)
      order.mails += 1 // what must not happen twice, such as a mail to the customer
    }
    seen.add(id)
    return { status: 200, body: { code: '0' } } // anything else is sent again
  }

  const orderNamed = (id) => {
    const order = orders.get(id)
    if (order === undefined) throw new NoOrder(`There is no order ${id}`)
    return order
  }

  return {
    url,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

class NoOrder extends Error {}

const json = { 'Content-Type': 'application/json' }

const statusOf = (error) => (error instanceof NoOrder ? 404 : error instanceof ServiceRefusal ? 422 : 500)

/** Whether the service sent it: over the bytes as they came. A comparison that takes the same time for each answer. */
function isGenuine(headers, body, secret) {
  const made = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // for a while after a rotation, the second header has the signature by the secret before
  return ['x-signature', 'x-sandbox-previous-signature'].some((name) => {
    const sent = Buffer.from(headers[name]?.toString() ?? '')
    return sent.length === made.length && timingSafeEqual(sent, made)
  })
}

/**
 * Keeps a record by its transaction. An order is what its transactions make of it, so it does not matter in which order
 * they become known.
 */
function note(order, record) {
  const {
    transactionId,
    transactionType: type,
    transactionStatus: status,
    transactionAmount: amount,
  } = record
  const before = order.transactions.get(transactionId)
  if (before === undefined || !isFinal(before.status))
    order.transactions.set(transactionId, { transactionId, type, status, amount })
}

const isFinal = (status) => ['S', 'F', 'C'].includes(status)

const approved = (order, types) =>
  [...order.transactions.values()].filter(({ type, status }) => status === 'S' && types.includes(type))
const capturedBy = (order) => approved(order, ['SALE', 'POST_AUTH'])[0]
const authorisedBy = (order) => approved(order, ['AUTH'])[0]
const sum = (transactions) => transactions.reduce((total, { amount }) => total + amount, 0)

/** Where an order stands. */
function stateOf(order) {
  const refunded = sum(approved(order, ['REFUND']))
  const captured = capturedBy(order)
  if (captured !== undefined) {
    if (refunded >= captured.amount) return 'refunded'
    return refunded > 0 ? 'partly refunded' : 'paid'
  }
  if (authorisedBy(order) !== undefined) return 'authorised'
  const ended = [...order.transactions.values()].filter(({ type }) => ['SALE', 'AUTH'].includes(type))
  const failed = ended.find(({ status }) => status === 'F' || status === 'C')
  return failed === undefined ? 'pending' : failed.status === 'F' ? 'declined' : 'closed'
}

const viewOf = (order) => ({
  id: order.id,
  state: stateOf(order),
  amount: order.amount,
  authorised: sum(approved(order, ['AUTH', 'INCREMENTAL'])),
  captured: capturedBy(order)?.amount ?? 0,
  refunded: sum(approved(order, ['REFUND'])),
  mails: order.mails,
})

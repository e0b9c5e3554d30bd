import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

/*
 * A till: sells at a terminal, ships what is paid, refunds, takes orders back.
 *
 * POST /orders { "amount": "12.50", "key" }             starts a sale at the terminal
 * POST /orders/<id>/refund { "amount": "4.00", "key" }  pays back
 * POST /orders/<id>/cancel                              takes it back: aborts, voids, or pays back what is left
 * GET  /orders                                          what the shop knows
 * POST /webhooks                                        takes notifications of the service
 * POST /reconcile                                       for cron: asks what became of everything that is open
 *
 * A key is new for each click that is meant: with the same one, a request is carried out once.
 */
const {
  PORT = '3000',
  DATA = 'orders.json',
  TILLBOX_BASE_URL: service,
  TILLBOX_API_KEY: apiKey,
} = process.env
const { TILLBOX_APP_ID: appId, TILLBOX_MERCHANT_ID: merchantId } = process.env
const { TILLBOX_TERMINAL_SN: terminalSn, TILLBOX_WEBHOOK_SECRET: secret } = process.env
const notifyUrl = `http://127.0.0.1:${PORT}/webhooks`
const currency = 'USD'
const tenMinutes = 600_000

/** The sandbox's codes; those of your service go here in production. */
const unknownTransaction = 'SBX_TXN_UNKNOWN'
const usedBefore = 'SBX_DUP_TXN_ID'

/** Statuses: I and P are open, F and C failed, S is approved. */
const rank = { I: 0, P: 0, F: 1, C: 1, S: 2 }

/** What the shop knows: each order with its payments, first the sale, then refunds. */
const orders = existsSync(DATA) ? JSON.parse(readFileSync(DATA, 'utf8')) : []

/** Replaces the file as a whole: a crash leaves the old one or the new one. */
function save() {
  writeFileSync(`${DATA}.new`, JSON.stringify(orders), { flush: true })
  renameSync(`${DATA}.new`, DATA)
}

/** Begins an order, or finds the one that this key began. */
async function sell({ amount, key }) {
  const cents = centsOf(amount)
  const before = key && withKey(orders, key, cents)
  if (before) return before
  const id = `ORDER-${randomUUID().slice(0, 13)}`
  const order = { id, key, amount: cents, refunded: 0, shipped: false, payments: [] }
  orders.push(order)
  await pay(order, 'sale', cents, { referenceOrderId: id, terminalSn })
  return order
}

/** Pays back a part of an order, once for each key. Refunds under way count: together they never exceed the order. */
async function refund(order, { amount, key }) {
  if (!key) throw new Refused(400, 'A refund needs a key: a new text for each refund')
  const cents = centsOf(amount)
  if (withKey(order.payments, key, cents)) return order
  const [sale] = order.payments
  if (sale.status !== 'S') throw new Refused(409, `${order.id} is not paid`)
  const left = leftOf(order)
  if (cents > left) throw new Refused(409, `Only ${decimal(left)} can be refunded`)
  await pay(order, 'refund', cents, { originalTransactionRequestId: sale.id }, key)
  return order
}

/** Takes an order back, for good: what is approved later is given back by cron. */
async function cancel(order) {
  order.cancelled = true
  save()
  const [sale] = order.payments
  if (rank[sale.status] === rank.I) {
    await call('POST', '/v1/semi-integration/transaction/abort', { originalTransactionRequestId: sale.id })
    await settle(order, sale) // accepted does not mean aborted
  }
  await giveBack(order)
}

/** Gives back what is left of a cancelled order: by a void, which only works on the same day, or else by a refund. */
async function giveBack(order) {
  const [sale] = order.payments
  for (const operation of ['void', 'refund']) {
    const left = leftOf(order)
    if (order.cancelled && sale.status === 'S' && left > 0)
      await pay(order, operation, left, { originalTransactionRequestId: sale.id, pushToTerminal: false })
  }
}

/** What can still be paid back: what is under way is not. */
function leftOf({ amount, payments: [, ...back] }) {
  return back.filter(({ status }) => !hasFailed(status)).reduce((left, each) => left - each.amount, amount)
}

function withKey(list, key, amount) {
  const found = list.find((each) => each.key === key)
  if (found && found.amount !== amount) throw new Refused(409, 'Another request has this key')
  return found
}

/** Stores what it is going to ask for, with the id by which it is known, and only then asks the service. */
async function pay(order, operation, amount, members, key) {
  const payment = { id: randomUUID(), key, operation, amount, members, status: 'I' }
  order.payments.push(payment)
  save()
  await send(order, payment)
}

/** Sends a payment, perhaps again: its id makes the service charge once. */
async function send(order, payment) {
  const { id, operation, amount, members } = payment
  const money = operation === 'void' ? {} : { amount, priceCurrency: currency } // all of it is voided
  const request = { ...members, ...money, transactionRequestId: id, notifyUrl }
  const answer = await call('POST', `/v1/semi-integration/transaction/${operation}`, request)
  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
  note(order, payment, answer.code === '0' ? answer.data.transactionStatus : 'F')
}

/** Asks what became of a payment, and sends it again if it never arrived. */
async function settle(order, payment) {
  const answer = await call('GET', `/v1/transaction/query?transactionRequestId=${payment.id}`)
  if (answer?.code === '0') note(order, payment, answer.data.transactionStatus)
  if (answer?.code === unknownTransaction) await send(order, payment)
}

/** Asks about everything whose end is not known. Safe at any time, also twice at once. */
async function reconcile() {
  for (const order of orders) {
    for (const payment of order.payments) if (rank[payment.status] === rank.I) await settle(order, payment)
    await giveBack(order)
  }
}

/**
 * Takes up what the service says of a payment. What is said twice, or late, changes nothing: the order in which answers
 * and notifications come does not matter, and an approval counts once.
 */
function note(order, payment, status) {
  if (!(rank[status] > rank[payment.status])) return
  payment.status = status
  if (status === 'S' && payment.operation === 'sale') order.shipped = !order.cancelled
  if (status === 'S' && payment.operation !== 'sale') order.refunded += payment.amount
  save()
}

/** Calls the service. Undefined without an answer that can be used: then nobody knows whether it was carried out. */
async function call(method, path, body) {
  try {
    const response = await fetch(`${service}${path}`, {
      method,
      body: body && JSON.stringify({ ...body, appId, merchantId }),
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'X-Client-Request-Id': randomUUID(),
        'X-Timestamp': String(Date.now()),
      },
      signal: AbortSignal.timeout(3000),
    })
    const answer = response.status === 200 ? await response.json() : undefined
    return typeof answer?.code === 'string' ? answer : undefined
  } catch (error) {
    console.error(`${method} ${path}: ${error.message}`)
    return undefined
  }
}

/** Takes a notification. Only 200 acknowledges it, so that is answered when it is stored. */
function takeWebhook(headers, body) {
  if (!isGenuine(headers, body)) throw new Refused(401, 'The signature is wrong')
  const age = Math.abs(Date.now() - Number(headers['x-timestamp']))
  if (!(age <= tenMinutes)) throw new Refused(400, 'X-Timestamp is not of now')
  const { transactionRequestId, transactionStatus } = JSON.parse(body)
  for (const order of orders)
    for (const payment of order.payments)
      if (payment.id === transactionRequestId) note(order, payment, transactionStatus)
}

/** Whether the service signed it: over the bytes as they came. */
function isGenuine(headers, body) {
  const made = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // for a while after a rotation, the second header has the signature by the secret before
  return ['x-signature', 'x-sandbox-previous-signature'].some((name) => {
    const sent = Buffer.from(headers[name] ?? '')
    return sent.length === made.length && timingSafeEqual(sent, made)
  })
}

const hasFailed = (status) => rank[status] === rank.F

/** Money is whole cents: 12.50 is 1250. A number with a fraction would round. */
function centsOf(amount) {
  const cents = /^\d{1,7}\.\d\d$/.test(amount) ? Number(amount.replace('.', '')) : 0
  if (cents === 0) throw new Refused(400, 'An amount is a text such as "12.50"')
  return cents
}

const decimal = (cents) => (cents / 100).toFixed(2)

function statusOf(order) {
  const [{ status }] = order.payments
  if (order.cancelled) return 'cancelled'
  if (status === 'S') return order.refunded === order.amount ? 'refunded' : 'paid'
  return hasFailed(status) ? 'failed' : 'pending'
}

const viewOf = (order) => ({
  id: order.id,
  amount: decimal(order.amount),
  currency,
  status: statusOf(order),
  shipped: order.shipped,
  refunded: decimal(order.refunded),
})

/** A request that the shop does not carry out. */
class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

async function answer(request) {
  const body = Buffer.concat(await request.toArray())
  const [, kind, id, act] = request.url.split('/')
  const order = orders.find((each) => each.id === id)
  const route = `${request.method} /${[kind, order ? ':id' : id, act].filter(Boolean).join('/')}`
  if (route === 'GET /orders') return orders.map(viewOf)
  if (route === 'POST /orders') return viewOf(await sell(JSON.parse(body)))
  if (route === 'POST /orders/:id/refund') return viewOf(await refund(order, JSON.parse(body)))
  if (route === 'POST /orders/:id/cancel') return viewOf((await cancel(order)) ?? order)
  if (route === 'POST /webhooks') return takeWebhook(request.headers, body) ?? {}
  if (route === 'POST /reconcile') return (await reconcile()) ?? {}
  throw new Refused(404, `There is no ${request.url}`)
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).then(
    (body) => [200, body],
    (error) => [error.status ?? (error instanceof SyntaxError ? 400 : 500), { error: error.message }],
  )
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open at http://127.0.0.1:${PORT}`))

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { closeDay, reconcile } from './jobs.js'
import { newOrder, Table, viewOf } from './orders.js'
import { isFinal, openService } from './service.js'
import { Conflict, openTill } from './till.js'
import { takeWebhook } from './webhooks.js'

/**
 * Opens a shop with a till, a web page and a few rooms. `service`: the payment service, as `openService` takes it. Amounts
 * in minor units of their currency.
 *
 * | request | what it does |
 * |---|---|
 * | POST /orders { id?, amount, currency?, tip?, tax?, surcharge?, terminalSn? } | sells something at the till |
 * | POST /vouchers { … } | takes a payment that the bank approved by telephone |
 * | POST /rooms { … } | authorises the price of a room |
 * | POST /pages { … } | opens a page where the customer pays |
 * | POST /orders/:id/pay { terminalSn? } | tries a failed payment again |
 * | POST /orders/:id/abort | ends a payment that is not paid yet |
 * | POST /orders/:id/tip { amount } | replaces the tip |
 * | POST /orders/:id/refund { amount } | pays back |
 * | POST /orders/:id/cancel | takes the whole payment back |
 * | POST /rooms/:id/raise { amount } | authorises more, for the minibar |
 * | POST /rooms/:id/check-out { amount } | captures what was used |
 * | GET /orders/:id | shows where an order stands |
 * | GET /orders/:id/return | where the customer comes back from the page |
 * | POST /webhooks | takes notifications of the service |
 * | POST /jobs/reconcile | asks for results that did not come |
 * | POST /jobs/close-day | settles what was sold |
 */
export async function openShop({ service: options, webhookSecret, port = 0, orders = new Table() }) {
  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => ({ status: statusOf(error), body: { error: error.message } }))
      .then(({ status, body }) => response.writeHead(status, json).end(JSON.stringify(body)))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  const service = openService(options)
  const till = openTill({ service, url })
  const kept = { secret: webhookSecret, orders, notifications: new Table() }

  /** What begins an order. */
  const beginnings = {
    orders: (order, { terminalSn }) => till.pay(order, 'sale', terminalSn),
    vouchers: (order, { terminalSn }) => till.pay(order, 'forcedAuth', terminalSn),
    rooms: (order, { terminalSn }) => till.pay(order, 'auth', terminalSn),
    pages: async (order) => ({ pay: await till.openPage(order) }),
  }

  /** What acts on one. */
  const acts = {
    'POST pay': (order, { terminalSn }) => till.pay(order, 'sale', terminalSn),
    'POST abort': (order) => till.abort(order),
    'POST tip': (order, { amount }) => till.adjustTip(order, amount),
    'POST refund': (order, { amount }) => till.refund(order, amount),
    'POST cancel': (order) => till.cancel(order),
    'POST raise': (order, { amount }) => till.follow(order, ['AUTH'], 'incrementalAuth', { amount }),
    'POST check-out': (order, { amount }) => till.follow(order, ['AUTH'], 'postAuth', { amount }),
    'GET return': (order) => till.learn(order), // what its query string says proves nothing
    GET: () => undefined,
  }

  const jobs = {
    reconcile: () => reconcile({ orders, till }),
    'close-day': () => closeDay({ service }),
  }

  async function answer(request) {
    const body = Buffer.concat(await request.toArray())
    const [, kind, id, act] = request.url.split(/[/?]/)
    if (kind === 'webhooks') return takeWebhook({ headers: request.headers, body }, kept)
    if (kind === 'jobs') return { status: 200, body: await jobs[id]() }
    const members = body.length === 0 ? {} : JSON.parse(body)
    const isNew = id === undefined
    const order = isNew ? orderOf(members) : orders.get(id)
    const run = isNew
      ? beginnings[kind]
      : acts[act === undefined ? request.method : `${request.method} ${act}`]
    if (order === undefined || run === undefined)
      return { status: 404, body: { error: 'There is no such thing' } }
    const more = await run(order, members)
    return { status: request.method === 'POST' ? 202 : 200, body: { ...viewOf(order), ...more } }
  }

  /** The order is there before the service is asked: its notification may come before the answer. */
  function orderOf({
    id = `ORDER-${randomUUID().slice(0, 8)}`,
    amount,
    currency = 'USD',
    tip,
    tax,
    surcharge,
  }) {
    const parts = { tipAmount: tip, taxAmount: tax, surchargeAmount: surcharge }
    return orders.get(id) ?? orders.insert(id, newOrder(id, { amount, priceCurrency: currency, ...parts }))
  }

  return {
    url,
    orders,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const json = { 'Content-Type': 'application/json' }

/** After 500 a request may have been carried out: the job asks. */
const statusOf = (error) => (error instanceof Conflict ? 409 : isFinal(error) ? 422 : 500)

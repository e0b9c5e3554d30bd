import { once } from 'node:events'
import { createServer } from 'node:http'
import { closeDay, reconcile } from './jobs.js'
import { Conflict, newOrder, Table, viewOf } from './orders.js'
import { isFinal, openService } from './service.js'
import { openTill } from './till.js'
import { takeWebhook } from './webhooks.js'

/**
 * Opens a shop with a till, a web page and a few rooms. `service`: the payment service, as `openService` takes it;
 * `orders`: those of a shop that ran before.
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

  /** What a request does to the order in its path, with the members of its body. */
  const routes = {
    'PUT /orders/:id': (order, members) => till.pay(order, 'sale', members),
    'PUT /vouchers/:id': (order, members) => till.pay(order, 'forcedAuth', members),
    'PUT /rooms/:id': (order, members) => till.pay(order, 'auth', members),
    'PUT /pages/:id': till.openPage,
    'GET /orders/:id': () => undefined,
    'GET /orders/:id/return': till.learn, // what its query string says proves nothing
    'POST /orders/:id/pay': (order, members) => till.pay(order, 'sale', members),
    'POST /orders/:id/abort': till.abort,
    'POST /orders/:id/tip': (order, { amount }) => till.adjustTip(order, amount),
    'POST /orders/:id/refund': (order, { amount }) => till.refund(order, amount),
    'POST /orders/:id/cancel': till.cancel,
    'POST /rooms/:id/raise': (order, { amount }) => till.raise(order, amount),
    'POST /rooms/:id/check-out': (order, { amount }) => till.capture(order, amount),
    'POST /reconcile': () => reconcile({ orders, till }),
    'POST /close-day': () => closeDay({ service }),
  }

  async function answer(request) {
    const body = Buffer.concat(await request.toArray())
    const [, kind, id, act] = request.url.split(/[/?]/)
    if (kind === 'webhooks') return takeWebhook({ headers: request.headers, body }, kept)
    const path = [kind, id && ':id', act].filter(Boolean).join('/')
    const run = routes[`${request.method} /${path}`]
    const members = body.length === 0 ? {} : JSON.parse(body)
    const isNew = run !== undefined && request.method === 'PUT' // what is put twice is one: a conflict
    const order = isNew ? orders.insert(id, newOrder(id, members)) : orders.get(id)
    if (run === undefined || (id && !order)) return { status: 404, body: { error: 'There is no such thing' } }
    const more = await run(order, members)
    return { status: request.method === 'GET' ? 200 : 202, body: { ...(order && viewOf(order)), ...more } }
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

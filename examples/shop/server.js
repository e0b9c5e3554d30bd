import { once } from 'node:events'
import { createServer } from 'node:http'
import { closeDay, reconcile } from './jobs.js'
import { newOrder, Table, viewOf } from './orders.js'
import { isFinal, openService } from './service.js'
import { Conflict, openTill } from './till.js'
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

  /** What a request does: with the members of its body, and the order in its path. */
  const routes = {
    'POST /orders': (members) => begin(members, (order) => till.pay(order, 'sale', members)),
    'POST /vouchers': (members) => begin(members, (order) => till.pay(order, 'forcedAuth', members)),
    'POST /rooms': (members) => begin(members, (order) => till.pay(order, 'auth', members)),
    'POST /pages': (members) => begin(members, till.openPage),
    'GET /orders/:id': () => undefined,
    'GET /orders/:id/return': (_, order) => till.learn(order), // what its query string says proves nothing
    'POST /orders/:id/pay': (members, order) => till.pay(order, 'sale', members),
    'POST /orders/:id/abort': (_, order) => till.abort(order),
    'POST /orders/:id/tip': ({ amount }, order) => till.adjustTip(order, amount),
    'POST /orders/:id/refund': ({ amount }, order) => till.refund(order, amount),
    'POST /orders/:id/cancel': (_, order) => till.cancel(order),
    'POST /rooms/:id/raise': ({ amount }, order) => till.raise(order, amount),
    'POST /rooms/:id/check-out': ({ amount }, order) => till.capture(order, amount),
    'POST /reconcile': () => reconcile({ orders, till }),
    'POST /close-day': () => closeDay({ service }),
  }

  /** The till names the order: what it sends twice is one. It is there before the service is asked, and notifies. */
  async function begin({ id, terminalSn: _, ...price }, run) {
    const order = orders.get(id) ?? orders.insert(id, newOrder(id, price))
    const more = await run(order)
    return { ...viewOf(order), ...more }
  }

  async function answer(request) {
    const body = Buffer.concat(await request.toArray())
    const [, kind, id, act] = request.url.split(/[/?]/)
    if (kind === 'webhooks') return takeWebhook({ headers: request.headers, body }, kept)
    const path = [kind, id && ':id', act].filter(Boolean).join('/')
    const run = routes[`${request.method} /${path}`]
    const order = orders.get(id)
    if (run === undefined || (id && !order)) return { status: 404, body: { error: 'There is no such thing' } }
    const more = await run(body.length === 0 ? {} : JSON.parse(body), order)
    return { status: request.method === 'POST' ? 202 : 200, body: { ...(order && viewOf(order)), ...more } }
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

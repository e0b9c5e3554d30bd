import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/*
 * A tiny shop, with a mistake that its tests do not show: read send() and guess, or let the exam find it.
 *
 * POST /orders { "amount": "12.50" }    GET /orders    POST /webhooks    POST /reconcile    POST /reset
 */
const { PORT = '3000', TILLBOX_BASE_URL: service, TILLBOX_API_KEY: apiKey } = process.env
const { TILLBOX_APP_ID: appId, TILLBOX_MERCHANT_ID: merchantId } = process.env
const { TILLBOX_TERMINAL_SN: terminalSn, TILLBOX_WEBHOOK_SECRET: secret } = process.env
const outcome = { S: 'paid', F: 'failed', C: 'failed' }
const orders = new Map()

async function call(method, path, body) {
  const response = await fetch(`${service}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'X-Client-Request-Id': randomUUID(),
      'X-Timestamp': String(Date.now()),
    },
    ...(body && { body: JSON.stringify({ ...body, appId, merchantId }) }),
    signal: AbortSignal.timeout(3000),
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.json()
}

/** Asks the service for the money; if something goes wrong on the way, once more. */
async function send(order, isAgain = false) {
  order.request = randomUUID()
  const sale = {
    transactionRequestId: order.request,
    referenceOrderId: order.id,
    terminalSn,
    amount: Number(order.amount.replace('.', '')),
    priceCurrency: 'USD',
    notifyUrl: `http://127.0.0.1:${PORT}/webhooks`,
  }
  try {
    const { code } = await call('POST', '/v1/semi-integration/transaction/sale', sale)
    if (code !== '0') order.status = 'failed'
  } catch {
    if (!isAgain) await send(order, true)
  }
}

function note(request, status) {
  for (const order of orders.values())
    if (order.request === request && order.status === 'pending') order.status = outcome[status] ?? 'pending'
}

const routes = {
  'GET /orders': () => [...orders.values()],
  'POST /orders': async (body) => {
    const order = {
      id: `ORDER-${randomUUID().slice(0, 8)}`,
      amount: JSON.parse(body).amount,
      status: 'pending',
    }
    orders.set(order.id, order)
    await send(order)
    return order
  },
  'POST /webhooks': (body, headers) => {
    if (createHmac('sha256', secret).update(body).digest('hex') !== headers['x-signature']) return 401
    const { transactionRequestId, transactionStatus } = JSON.parse(body)
    note(transactionRequestId, transactionStatus)
    return {}
  },
  'POST /reconcile': async () => {
    for (const { request, status } of orders.values()) {
      if (status !== 'pending') continue
      const { code, data } = await call('GET', `/v1/transaction/query?transactionRequestId=${request}`)
      note(request, code === '0' ? data.transactionStatus : 'F')
    }
    return {}
  },
  'POST /reset': () => {
    orders.clear()
    return {}
  },
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const answer = await Promise.resolve(
    routes[`${request.method} ${request.url}`]?.(body, request.headers),
  ).catch(() => 500)
  const status = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer ?? {}))
}).listen(Number(PORT), '127.0.0.1')

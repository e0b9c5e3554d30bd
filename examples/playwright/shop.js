import { once } from 'node:events'
import { createServer } from 'node:http'

/** A shop with one article: it sends its shopper to the hosted payment page, and believes the webhook alone. */
export async function openShop(sandbox) {
  const orders = new Map()
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const [, kind, id] = new URL(request.url, 'http://shop').pathname.split('/')
    const show = (text) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(text)
    if (kind === 'webhooks') {
      const { valid } = await sandbox.webhooks.verify(request.headers, body)
      const { referenceOrderId, transactionStatus } = JSON.parse(body)
      if (valid) orders.set(referenceOrderId, { S: 'paid', F: 'declined', C: 'cancelled' }[transactionStatus])
      response.writeHead(valid ? 200 : 401).end()
    } else if (kind === 'orders' && id !== undefined) {
      show(`<h1>Order ${id}: ${orders.get(id)}</h1>`)
    } else if (kind === 'orders') {
      response.writeHead(303, { Location: await checkoutUrl() }).end()
    } else {
      show('<form method="post" action="/orders"><button>Buy a chair</button></form>')
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`

  async function checkoutUrl() {
    const id = `ORDER-${orders.size + 1}`
    orders.set(id, 'open')
    const session = await sandbox.client.createSession({
      amount: 2490,
      priceCurrency: 'USD',
      referenceOrderId: id,
      notifyUrl: `${url}/webhooks`,
      merchantReturnUrl: `${url}/orders/${id}`,
    })
    return session.checkoutUrl
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

// A server for the bench: the sandbox, or a bare hono + @hono/node-server that echoes.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const options = JSON.parse(process.argv[2])
const delay = monitorEventLoopDelay({ resolution: 2 })
let loop = performance.eventLoopUtilization()
const { close, ...ready } = await (options.kind === 'echo' ? echo() : sandbox())
delay.enable()
process.send(ready)

process.on('message', async (question) => {
  if (question === 'delay') {
    const { active } = performance.eventLoopUtilization(loop)
    process.send({ p99: delay.percentile(99) / 1e6 - 2, busyMs: active })
    loop = performance.eventLoopUtilization()
    delay.reset()
  } else if (question === 'memory') {
    for (let round = 0; round < 4; round++) globalThis.gc()
    process.send(process.memoryUsage().heapUsed)
  } else {
    await close()
    process.exit(0)
  }
})

async function sandbox() {
  const { createSandbox } = await import('../../dist/index.js')
  const wall = () => Date.now() + (options.wallOffset ?? 0)
  const { state, notifyUrl } = options
  const running = await createSandbox({ state, notifyUrl: notifyUrl ?? undefined, wall })
  return {
    port: Number(new URL(running.url).port),
    apiKey: running.apiKey,
    transactionId: await firstSale(running, wall),
    close: () => running.close(),
  }
}

async function firstSale({ url, apiKey }, wall) {
  const id = crypto.randomUUID()
  const answer = await fetch(`${url}/v1/semi-integration/transaction/sale`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'X-Client-Request-Id': id,
      'X-Timestamp': String(wall()),
    },
    body: JSON.stringify({
      transactionRequestId: id,
      referenceOrderId: 'ORDER-1',
      amount: 1000,
      priceCurrency: 'USD',
    }),
  })
  return (await answer.json()).data.transactionId
}

/** Answers with what it was sent: the body of a sale; for a query its members, in a record of the usual size. */
async function echo() {
  const app = new Hono()
  const record = {
    text: 'x'.repeat(64),
    ...Object.fromEntries(Array.from({ length: 29 }, (_, at) => [`member${at}`, `value ${at} of it`])),
  }
  app.post('*', async (call) => call.json({ code: '0', data: await call.req.json() }))
  app.get('*', async (call) =>
    call.json({ code: '0', msg: 'success', data: { ...record, ...call.req.query() } }),
  )
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ port, apiKey: 'none', transactionId: '1795159696581000', close: () => server.close() }),
    )
  })
}

// A server of the bench: a sandbox, one whose spaces leave memory soon, a node of a database, or a bare echo.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const options = JSON.parse(process.argv[2])
const kinds = { echo, node, sandbox, spaces }
const { close, ...ready } = await kinds[options.kind]()

/** Microseconds of processor time, and bytes that are in use. */
const answers = {
  usage: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  memory: () => {
    for (let round = 0; round < 4; round++) globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  },
}

process.on('disconnect', () => process.exit(1)) // the bench is gone
process.on('message', async (question) => {
  if (question in answers) return process.send(answers[question]())
  await close()
  process.exit(0)
})
process.send(ready)

async function sandbox() {
  const { createSandbox } = await import('../../dist/index.js')
  const running = await createSandbox({ state: options.state })
  const port = Number(new URL(running.url).port)
  return { port, apiKey: running.apiKey, close: () => running.close() }
}

/** A server whose spaces leave memory when nobody has used them for `idleMs`. */
async function spaces() {
  const { startSandbox } = await import('../../dist/server/server.js')
  const { connection, close } = await startSandbox({ state: options.state, spaceIdleMs: options.idleMs })
  return { port: connection.port, apiKey: connection.apiKey, close }
}

/** A node of a database, with a space of its own. */
async function node() {
  const { startNode } = await import('../../dist/server/cluster/start-node.js')
  const { state, store, space } = options
  const { connection, close } = await startNode({ state, store })
  const answer = await fetch(`${connection.url}/_sandbox/spaces`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: space }),
  })
  const { data } = await answer.json()
  return { port: connection.port, apiKey: data.apiKey, close }
}

/** Parses a request and answers what the sandbox answered to such a one, with new ids. `answers`: by path. */
async function echo() {
  const app = new Hono()
  const made = (path, given) => {
    const { data, ...envelope } = options.answers[path]
    return { ...envelope, traceId: crypto.randomUUID(), data: { ...data, ...given } }
  }
  app.post('*', async (call) => {
    const { referenceOrderId, transactionRequestId } = await call.req.json()
    return call.json(made(call.req.path, { referenceOrderId, transactionRequestId }))
  })
  app.get('*', (call) => call.json(made(call.req.path, call.req.query())))
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ port, apiKey: 'none', close: () => server.close() }),
    )
  })
}

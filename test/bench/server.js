// A server of the bench: the sandbox, a node of a database, or a bare hono + @hono/node-server that echoes.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ownTime } from './results/processor-time.js'

const options = JSON.parse(process.argv[2])
const kinds = { echo, node, sandbox, spaces }
const { close, ...ready } = await kinds[options.kind]()
const answers = {
  usage: ownTime,
  memory: () => {
    for (let round = 0; round < 4; round++) globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { used: heapUsed + external, rss }
  },
}
process.send(ready)

process.on('disconnect', () => process.exit(1)) // the bench is gone
process.on('message', async (question) => {
  if (question in answers) return process.send(answers[question]())
  await close()
  process.exit(0)
})

async function sandbox() {
  const { createSandbox } = await import('../../dist/index.js')
  const { state, notifyUrl, wallOffset = 0 } = options
  const running = await createSandbox({
    state,
    notifyUrl: notifyUrl ?? undefined,
    wall: () => Date.now() + wallOffset,
  })
  return {
    port: Number(new URL(running.url).port),
    apiKey: running.apiKey,
    close: () => running.close(),
  }
}

/** A server whose spaces leave memory when nobody has used them for `idleMs`. */
async function spaces() {
  const { startSandbox } = await import('../../dist/server/server.js')
  const { state, idleMs } = options
  const { connection, close } = await startSandbox({ state, spaceIdleMs: idleMs })
  return { port: connection.port, apiKey: connection.apiKey, close }
}

/** A node of a database with a space of its own. */
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

/**
 * Answers what the sandbox answered to the same request, with the trace id and the ids of this one: as many bytes, made
 * from an object of the same members. `answers`: by path.
 */
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

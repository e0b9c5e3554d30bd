// A server of the bench: the sandbox, or a bare hono + @hono/node-server that echoes.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ownTime } from './processor-time.js'

const options = JSON.parse(process.argv[2])
const { close, ...ready } = await (options.kind === 'echo' ? echo() : sandbox())
const answers = {
  usage: ownTime,
  memory: () => {
    for (let round = 0; round < 4; round++) globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { used: heapUsed + external, rss }
  },
}
process.send({ ...ready, readyTime: ownTime().time })

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

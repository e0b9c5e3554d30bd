// A load client, in a process of its own: 32 connections, each sends its next request when it has its answer.
import autocannon from 'autocannon'
import { headersOf, loads } from './loads.js'

const { port, apiKey, transactionId, load, seconds, amount } = JSON.parse(process.argv[2])

const setupRequest = (request) => ({
  ...request,
  ...loads[load]({ id: crypto.randomUUID(), transactionId }),
  headers: { ...headersOf({ apiKey }), 'Content-Type': 'application/json' },
})

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: 32,
  ...(amount === undefined ? { duration: seconds } : { amount }),
  requests: [{ ...setupRequest({}), setupRequest }],
  verifyBody: (body) => body.includes('"code":"0"'),
})
process.send({
  count: result.requests.total,
  failed: result.errors + result.mismatches + result.non2xx,
  rate: result.requests.total / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
})
process.disconnect()

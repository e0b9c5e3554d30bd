// A load client, in a process of its own: 32 connections, each sends its next request when it has its answer.
import autocannon from 'autocannon'
import { headersOf, loads as ofSandbox } from './loads.js'
import { peers } from './peers.js'

const { port, apiKey, transactionId, peer, load, seconds, amount } = JSON.parse(process.argv[2])
const { loads, answered } = peers[peer] ?? { loads: ofSandbox, answered: /"code":"0"/ }

const setupRequest = (request) => ({
  ...request,
  ...loads[load]({ id: crypto.randomUUID(), transactionId }),
  headers: { ...headersOf({ apiKey }), 'Content-Type': 'application/json' },
})

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: 32,
  timeout: 60, // seconds: slow is not failed
  ...(amount === undefined ? { duration: seconds } : { amount }),
  requests: [{ ...setupRequest({}), setupRequest }],
  verifyBody: (body) => answered.test(body),
})
process.send({
  count: result.requests.total,
  failed: result.errors + result.mismatches + result.non2xx,
  rate: result.requests.total / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
})
process.disconnect()

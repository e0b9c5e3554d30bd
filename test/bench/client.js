// The load of the bench, in a process of its own.
import { randomUUID } from 'node:crypto'
import { load, prepare } from './load.js'

const options = JSON.parse(process.argv[2])
const now = Date.now() + options.wallOffset
const makers = { query, sale, seed: sale, mixed, paced: sale, session, batch }
const count = options.count ?? options.seconds * 70_000
const requests = prepare(count, makers[options.load])
globalThis.gc()
const result = await load({
  port: options.port,
  connections: options.connections,
  seconds: options.seconds,
  requests,
  pause: options.load === 'paced' ? 50 : 0,
  check: (answer) => answer.includes('"code":"0"'),
})
process.send(result, () => process.exit(0))

function query() {
  return request('GET', `/v1/transaction/query?transactionId=${options.transactionId}`)
}

function sale(index, terminalSn = 'TBX-AUTO-001') {
  const id = `${options.tag}-${process.pid}-${index}`
  return request(
    'POST',
    '/v1/semi-integration/transaction/sale',
    JSON.stringify({
      referenceOrderId: `ORDER-${index}`,
      transactionRequestId: id,
      amount: { orderAmount: 1000 + (index % 6000), priceCurrency: 'USD' },
      description: 'Coffee and cake',
      terminalSn,
    }),
  )
}

/** One sale of ten is declined. */
function mixed(index) {
  return sale(index, index % 10 === 0 ? 'TBX-DECLINE-001' : 'TBX-AUTO-001')
}

function session(index) {
  return request(
    'POST',
    '/v1/checkout/create-session',
    JSON.stringify({
      referenceOrderId: `ORDER-${index}`,
      transactionRequestId: `${options.tag}-session-${process.pid}-${index}`,
      amount: { orderAmount: 1000 + (index % 6000), priceCurrency: 'USD' },
      description: 'Coffee and cake',
      merchantReturnUrl: 'http://127.0.0.1/done',
    }),
  )
}

function batch() {
  return request('GET', '/v1/settlement/batch-query?terminalSn=TBX-AUTO-001')
}

function request(method, path, body = '') {
  const content =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${options.apiKey}\r\n` +
    `X-Client-Request-Id: ${randomUUID()}\r\nX-Timestamp: ${now}\r\n${content}\r\n${body}`
  )
}

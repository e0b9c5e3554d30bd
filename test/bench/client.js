// A load client of the bench, in a process of its own. It makes all requests, then sends them.
import { randomUUID } from 'node:crypto'
import { load } from './load.js'
import { ownTime } from './results/processor-time.js'

const { port, connections, seconds, count, tag, pause, headers, templates, good } = JSON.parse(
  process.argv[2],
)

/** Requests made for each second: more than a server answers, or than connections with this pause can send. */
const requestsASecond = pause === undefined ? 40_000 : (2_000 * connections) / pause

const makers = templates.map(makerOf)
const requests = prepare(count ?? Math.ceil(seconds * requestsASecond))
globalThis.gc()
const before = ownTime().time
const result = await load({ port, connections, seconds, requests, pause, good: Buffer.from(good) })
const busy = (ownTime().time - before) / 1e6 / result.elapsed
process.send({ ...result, busy }, () => process.exit(0))

/** The requests in one block of memory, each as its own piece. */
function prepare(wanted) {
  const pieces = Array.from({ length: wanted }, (_, index) =>
    Buffer.from(makers[index % makers.length](index)),
  )
  const block = Buffer.concat(pieces)
  let offset = 0
  return pieces.map(({ length }) => {
    offset += length
    return block.subarray(offset - length, offset)
  })
}

/** Makes the request of a number, as text. */
function makerOf({ method, path, body = '', ...own }) {
  const all = { Host: '127.0.0.1', ...headers, ...own.headers }
  if (body !== '') all['Content-Type'] ??= 'application/json'
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const makeHead = fillerOf(`${method} ${path} HTTP/1.1\r\n${lines.join('')}`)
  const makeBody = fillerOf(body)
  return (index) => {
    const text = makeBody(index)
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
    return `${makeHead(index)}${length}\r\n${text}`
  }
}

/** Fills in what stands for something, of a request of that number; see requests.js. */
function fillerOf(template) {
  const parts = template.split(/\{(index|unique|uuid|amount|slot)\}/)
  const fill = {
    index: String,
    unique: (index) => `${tag}-${process.pid}-${index}`,
    uuid: () => randomUUID(),
    amount: (index) => String(1000 + (index % 6000)),
    slot: (index) => String(index % 500),
  }
  return (index) => parts.map((part, at) => (at % 2 === 0 ? part : fill[part](index))).join('')
}

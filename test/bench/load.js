import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

/**
 * A lean HTTP/1.1 load client: each connection sends its next request when the last answer is complete. `make(n)`
 * gives the n-th request as text. Resolves to the rate and the latencies in milliseconds.
 */
export async function load({ port, connections, seconds, requests = Number.POSITIVE_INFINITY, make, check }) {
  const latencies = []
  const started = performance.now()
  const end = started + seconds * 1000
  let [sent, failed] = [0, 0]
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1')
          socket.setNoDelay(true)
          let [buffer, at] = ['', 0]
          const next = () => {
            if (performance.now() >= end || sent >= requests) {
              socket.end()
              return resolve()
            }
            at = performance.now()
            socket.write(make(sent++))
          }
          socket.setEncoding('latin1')
          socket.on('error', reject)
          socket.on('connect', next)
          socket.on('data', (chunk) => {
            buffer = buffer === '' ? chunk : buffer + chunk
            const head = buffer.indexOf('\r\n\r\n')
            if (head === -1) return
            const length = Number(/content-length: (\d+)/i.exec(buffer)?.[1] ?? 0)
            if (buffer.length < head + 4 + length) return
            latencies.push(performance.now() - at)
            if (check !== undefined && !check(buffer)) failed += 1
            buffer = ''
            next()
          })
        }),
    ),
  )
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((one, other) => one - other)
  const quantile = (part) => latencies[Math.floor(latencies.length * part)] ?? 0
  return { rate: latencies.length / elapsed, count: latencies.length, failed, p50: quantile(0.5), p99: quantile(0.99) }
}

/** A request as text. */
export function requestText(method, path, { apiKey, body = '' }) {
  const text = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n` +
    `X-Client-Request-Id: ${randomUUID()}\r\nX-Timestamp: ${Date.now()}\r\n${text}\r\n${body}`
  )
}

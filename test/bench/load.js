import { connect } from 'node:net'

/**
 * A lean HTTP/1.1 load client: each connection sends its next request when the last answer is complete. The requests
 * are made before the clock starts, so that the client costs as little as it can on a machine that it shares with the
 * server. `pause`: milliseconds between an answer and the next request. Resolves to the rate, the latencies in milliseconds, and how many answers `check` did not like.
 */
export async function load({ port, connections, seconds, requests, check, pause = 0 }) {
  const latencies = []
  const started = performance.now()
  const end = started + seconds * 1000
  let [sent, failed] = [0, 0]
  await Promise.all(Array.from({ length: connections }, () => new Promise(connection)))
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((one, other) => one - other)
  const quantile = (part) => latencies[Math.floor(latencies.length * part)] ?? 0
  return {
    rate: latencies.length / elapsed,
    count: latencies.length,
    failed,
    p50: quantile(0.5),
    p99: quantile(0.99),
  }

  function connection(resolve, reject) {
    const socket = connect(port, '127.0.0.1')
    let [rest, at] = [null, 0]
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('connect', next)
    socket.on('data', (chunk) => {
      const answer = rest === null ? chunk : Buffer.concat([rest, chunk])
      if (!isWhole(answer)) {
        rest = answer
        return
      }
      rest = null
      latencies.push(performance.now() - at)
      if (check !== undefined && !check(answer)) failed += 1
      if (pause > 0)
        setTimeout(next, pause * (0.5 + Math.random())) // else all come at the same moment
      else next()
    })
    function next() {
      at = performance.now()
      if (at >= end || sent >= requests.length) {
        socket.end()
        resolve()
      } else socket.write(requests[sent++])
    }
  }
}

function isWhole(answer) {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  const length = /content-length: (\d+)/i.exec(answer.latin1Slice(0, head))
  return answer.length >= head + 4 + Number(length?.[1] ?? 0)
}

/** `count` requests in one block of memory, each as its own piece. `make(n)` gives the n-th as text. */
export function prepare(count, make) {
  const pieces = Array.from({ length: count }, (_, index) => Buffer.from(make(index)))
  const block = Buffer.concat(pieces)
  let offset = 0
  return pieces.map(({ length }) => {
    offset += length
    return block.subarray(offset - length, offset)
  })
}

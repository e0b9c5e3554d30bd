import { connect } from 'node:net'

/**
 * A lean HTTP/1.1 load client: each connection sends its next request when the last answer is complete. The requests are
 * bytes that were made before, so that the client costs as little as it can on a machine that it shares with the server.
 * `pause`: milliseconds between an answer and the next request, half to one and a half times. Resolves to the rate, the
 * latencies in milliseconds, and how many answers do not hold the bytes `good`, the first of them as text.
 */
export async function load({ port, connections, seconds, requests, good, pause = 0 }) {
  const latencies = []
  const started = performance.now()
  const end = started + seconds * 1000
  let [sent, failed, firstFailed] = [0, 0, '']
  await Promise.all(Array.from({ length: connections }, () => new Promise(connection)))
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((one, other) => one - other)
  const quantile = (part) => latencies[Math.floor(latencies.length * part)] ?? 0
  const count = latencies.length
  return {
    rate: count / elapsed,
    elapsed,
    count,
    failed,
    firstFailed,
    p50: quantile(0.5),
    p99: quantile(0.99),
  }

  function connection(resolve, reject) {
    let [rest, at] = [null, 0]
    // Into one buffer for each connection: no memory is taken for each answer.
    const onread = { buffer: Buffer.allocUnsafe(64 * 1024), callback: take }
    const socket = connect({ port, host: '127.0.0.1', onread })
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('connect', goOn)
    socket.setTimeout(60_000, () => socket.destroy(new Error('the server sent no answer for a minute')))
    socket.on('close', () =>
      reject(new Error('the server closed a connection before its answer was complete')),
    )

    function take(length, buffer) {
      const chunk = buffer.subarray(0, length)
      const answer = rest === null ? chunk : Buffer.concat([rest, chunk])
      rest = isWhole(answer) ? null : Buffer.from(answer)
      if (rest !== null) return true
      latencies.push(performance.now() - at)
      if (!answer.includes(good)) fail(answer)
      goOn()
      return true
    }

    function goOn() {
      if (pause > 0)
        setTimeout(next, pause * (0.5 + Math.random())) // else all come at the same moment, the first ones too
      else next()
    }

    function next() {
      at = performance.now()
      if (at >= end || sent >= requests.length) {
        resolve()
        socket.end()
      } else socket.write(requests[sent++])
    }
  }

  function fail(answer) {
    failed += 1
    if (failed === 1) firstFailed = answer.toString('utf8', 0, 600)
  }
}

const lengthHeader = Buffer.from('ontent-length: ')
const lengthHeaderAsWritten = Buffer.from('ontent-Length: ')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/** Whether an answer has come to its end, by its length or its last chunk. */
function isWhole(answer) {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  const lower = answer.indexOf(lengthHeader)
  const at = lower === -1 ? answer.indexOf(lengthHeaderAsWritten) : lower
  if (at === -1 || at > head) return answer.subarray(-lastChunk.length).equals(lastChunk)
  let length = 0
  for (let digit = at + lengthHeader.length; answer[digit] !== 13; digit++)
    length = length * 10 + answer[digit] - 48
  return answer.length >= head + 4 + length
}

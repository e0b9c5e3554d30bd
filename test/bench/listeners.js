// What listeners cost that catch up from the beginning, with many transactions stored: the API beside them, and how fast a stream opens.
import { fork } from 'node:child_process'
import { get } from 'node:http'
import { join } from 'node:path'

/** Listeners that catch up at once. */
const listeners = 20

/** Streams whose opening is timed. */
const opened = 30

/**
 * Adds the rows of the listeners. `startServer` and `runLoad` are the bench's own; `full` is a state with `stored`
 * transactions, of which `copyOf` makes a copy.
 */
export async function listening({
  here,
  rounds,
  full,
  stored,
  copyOf,
  startServer,
  runLoad,
  median,
  results,
}) {
  const p99 = { none: [], some: [] }
  const opening = []
  let caughtUp = 0
  const turns = rounds > 1 ? 7 : 1 // a p99 differs from run to run
  for (let round = 1; round <= turns; round++)
    for (const kind of round % 2 === 0 ? ['none', 'some'] : ['some', 'none']) {
      const server = await startServer({ kind: 'sandbox', state: copyOf(full, `listeners-${kind}-${round}`) })
      await runLoad(server, 'paced', `${kind}${round}-warm`) // until it is compiled, p99 is the compiler's
      if (kind === 'none') opening.push(...(await openingTimes(server.port)))
      const readers = kind === 'some' ? await startListeners(server.port) : null
      const result = await runLoad(server, 'paced', `${kind}${round}`)
      if (result.failed > 0) throw new Error(`${result.failed} sales were refused`)
      p99[kind].push(result.p99)
      if (readers !== null) {
        const read = await readers.stop()
        if (read.ended > 0) throw new Error(`${read.ended} listeners had caught up before the end`)
        caughtUp += read.notifications
      }
      await server.stop()
    }
  if (caughtUp === 0) throw new Error('the listeners were told nothing')
  results.push(
    {
      what: `p99 of a sale, ${listeners} listeners catch up with ${stored} stored ÷ none`,
      value: `${median(p99.some).toFixed(2)} ms, ${median(p99.none).toFixed(2)} ms`,
      ratio: median(p99.some) / median(p99.none),
      bar: 2,
    },
    { what: 'sent to them meanwhile', value: `${Math.round(caughtUp / turns)} notifications a round` },
    { what: `an event stream opens with ${stored} stored`, value: `${median(opening).toFixed(1)} ms` },
  )

  /** Listeners in a process of their own. */
  async function startListeners(port) {
    const child = fork(join(here, 'listener.js'), [JSON.stringify({ port, listeners })])
    const next = () => new Promise((resolve) => child.once('message', resolve))
    await next()
    return {
      stop() {
        const read = next()
        child.send('stop')
        return read
      },
    }
  }
}

/** Milliseconds until streams without an id were told where they begin, one after the other. */
async function openingTimes(port) {
  const times = []
  for (let count = 0; count < opened; count++) {
    const started = performance.now()
    await new Promise((resolve, reject) => {
      const outgoing = get(
        { host: '127.0.0.1', port, path: '/_sandbox/events', agent: false },
        (incoming) => {
          incoming.once('data', () => {
            outgoing.destroy()
            resolve()
          })
          incoming.on('error', () => undefined) // closed
        },
      )
      outgoing.on('error', reject)
    })
    times.push(performance.now() - started)
  }
  return times
}

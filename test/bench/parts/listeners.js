// What listeners cost that catch up from the beginning, with many transactions stored: the API beside them, and how fast a stream opens.
import { get } from 'node:http'
import { runLoad, startListeners, startSandbox } from '../processes.js'
import { bars } from '../results/bars.js'
import { compare, median, rotated, spread } from '../results/statistics.js'

/** Listeners that catch up at once. */
const listeners = 20

/** Streams whose opening is timed. */
const opened = 30

/** Milliseconds between an answer and the next sale of a connection. */
const pause = 50

/** Adds the rows; `notified`: stored transactions of which the listeners are notified. */
export async function listening({ report, notified, rounds, seconds, storedState }) {
  const p99 = { none: [], some: [] }
  const opening = []
  let caughtUp = 0
  const { folder } = await storedState(notified)
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`listeners, round ${round + 1} of ${rounds}\n`)
    for (const kind of rotated(['none', 'some'], round)) {
      const server = await startSandbox({ state: folder })
      await runLoad(server, 'sale', { seconds: 3, tag: `${kind}${round}-warm`, pause }) // until it is compiled, p99 is the compiler's
      if (kind === 'none') opening.push(...(await openingTimes(server.port)))
      const readers = kind === 'some' ? await startListeners({ port: server.port, listeners }) : undefined
      const result = await runLoad(server, 'sale', { seconds: 2 * seconds, tag: `${kind}${round}`, pause })
      p99[kind].push(result.p99)
      const read = await readers?.stop()
      if (read?.ended > 0) throw new Error(`${read.ended} listeners had caught up before the end`)
      caughtUp += read?.notifications ?? 0
      await server.stop()
    }
  }
  if (caughtUp === 0) throw new Error('the listeners were told nothing')
  report.add(
    {
      what: `p99 of a sale, ${listeners} listeners catch up with ${notified} stored ÷ none`,
      value: `${median(p99.some).toFixed(2)} ms, ${median(p99.none).toFixed(2)} ms`,
      ...compare(p99.some, p99.none),
      bar: bars.catchUp,
    },
    { what: 'sent to them meanwhile', value: `${Math.round(caughtUp / rounds)} notifications a round` },
    {
      what: `an event stream opens with ${notified} stored`,
      value: '',
      ...spread(opening),
      unit: 'ms',
    },
  )
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

// What the dashboard costs: how fast it answers with much stored, and what open windows take from the sales.
import { get } from 'node:http'
import { join } from 'node:path'

/** Windows that are open at once. */
const windows = 50

/** Answers that are timed of each page. */
const answers = 60

/** Adds the rows of the dashboard. `startServer`, `seed` and `runLoad` are the bench's own; `many`: transactions stored. */
export async function dashboard({ root, rounds, many, startServer, seed, runLoad, median, results }) {
  await speed()
  await openWindows()

  /** The first page with many transactions beside the same with few, asked in turns. */
  async function speed() {
    const stored = { few: 1_000, many }
    const servers = {}
    for (const [name, count] of Object.entries(stored)) {
      const state = join(root, `dashboard-${name}`)
      await seed(state, count)
      servers[name] = await startServer({ kind: 'sandbox', state })
    }
    const times = { few: [], many: [] }
    for (let round = -5; round < answers; round++)
      for (const name of Object.keys(times)) {
        const started = performance.now()
        const page = await (await fetch(`http://127.0.0.1:${servers[name].port}/`)).text()
        if (!page.includes('id="older"')) throw new Error('the dashboard does not show its list')
        if (round >= 0) times[name].push(performance.now() - started)
      }
    for (const server of Object.values(servers)) await server.stop()
    results.push({
      what: `dashboard with ${many} stored ÷ with ${stored.few}`,
      value: `${median(times.many).toFixed(1)} ms, ${median(times.few).toFixed(1)} ms`,
      ratio: median(times.many) / median(times.few),
      bar: 1.5,
    })
  }

  /** Sales with open windows beside sales without any, in rounds that alternate. */
  async function openWindows() {
    const rates = { none: [], open: [] }
    let pushed = 0
    for (let round = 1; round <= rounds; round++)
      for (const kind of Object.keys(rates)) {
        const server = await startServer({ kind: 'sandbox', state: join(root, `windows-${kind}-${round}`) })
        const streams = kind === 'open' ? await openStreams(server.port) : []
        const result = await runLoad(server, 'sale', `windows-${kind}${round}`)
        if (result.failed > 0) throw new Error(`${result.failed} sales were refused`)
        rates[kind].push(result.rate)
        for (const stream of streams) {
          pushed += stream.bytes
          stream.close()
        }
        await server.stop()
      }
    if (pushed === 0) throw new Error('nothing was pushed to the windows')
    results.push({
      what: `durable sale with ${windows} windows of the dashboard ÷ with none`,
      value: `${Math.round(median(rates.open))}/s, ${Math.round(median(rates.none))}/s`,
      ratio: median(rates.open) / median(rates.none),
      bar: 0.85,
      higher: true,
    })
  }
}

/** Windows that take what is pushed to them; resolves when each was pushed something. */
function openStreams(port) {
  return Promise.all(
    Array.from(
      { length: windows },
      () =>
        new Promise((resolve, reject) => {
          const outgoing = get({ host: '127.0.0.1', port, path: '/live', agent: false }, (incoming) => {
            const stream = { bytes: 0, close: () => outgoing.destroy() }
            incoming.on('data', ({ length }) => {
              stream.bytes += length
              resolve(stream)
            })
            incoming.on('error', () => undefined) // closed
          })
          outgoing.on('error', reject)
        }),
    ),
  )
}

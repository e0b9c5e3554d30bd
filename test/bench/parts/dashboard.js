// What the dashboard costs: how fast it answers with much stored, and what open windows take from the sales.
import { get } from 'node:http'
import { pages, pay, timeOfPage } from '../pages.js'
import { runLoad, startSandbox } from '../processes.js'
import { bars } from '../results/bars.js'
import { compare, median, rotated } from '../results/statistics.js'

/** Windows that are open at once. */
const windows = 50

/** Answers that are timed of each page. */
const answers = 40

/** Adds the rows; `sizes`: how many transactions are stored, the fewest first. */
export async function dashboard(tools) {
  await speed(tools)
  await openWindows(tools)
}

/** Pages with much stored beside the same page with little, asked in turns; before each a sale is paid for. */
async function speed({ report, sizes, storedState }) {
  const servers = []
  for (const stored of sizes) {
    const { folder, oldest } = await storedState(stored)
    process.stdout.write(`dashboard, starting with ${stored} stored\n`)
    const server = { stored, oldest, ...(await startSandbox({ state: folder })), times: {}, first: {} }
    for (const [name, page] of Object.entries(pages)) server.first[name] = await timeOfPage(server, page)
    servers.push(server)
  }
  for (let round = -5; round < answers; round++)
    for (const [name, page] of Object.entries(pages))
      for (const server of servers) {
        await pay(server)
        const time = await timeOfPage(server, page)
        server.times[name] ??= []
        if (round >= 0) server.times[name].push(time)
      }
  const [least, ...others] = servers
  for (const name of Object.keys(pages))
    for (const { stored, times, first } of others)
      report.add({
        what: `dashboard, ${name}, ${stored} stored ÷ ${least.stored}`,
        value: `${median(times[name]).toFixed(1)} ms, ${median(least.times[name]).toFixed(1)} ms; the first answer ${first[name].toFixed(0)} ms`,
        ...compare(times[name], least.times[name]),
        bar: stored === sizes.at(-1) ? bars.dashboard : undefined,
      })
  for (const server of servers) {
    await besideSearches(server, report)
    await server.stop()
  }
}

/** How long a payment takes while a text is searched that was not searched before, beside one with nothing else going on. */
async function besideSearches(server, report) {
  const times = { alone: [], beside: [] }
  for (let round = 0; round < answers; round++) {
    times.alone.push(await pay(server))
    const searched = timeOfPage(server, { path: () => `/?q=hono${round}`, holds: 'Approval rate' })
    times.beside.push(await pay(server))
    await searched
  }
  report.add({
    what: `a sale while a text is searched ÷ alone, ${server.stored} stored`,
    value: `${median(times.beside).toFixed(1)} ms, ${median(times.alone).toFixed(1)} ms`,
    ...compare(times.beside, times.alone),
  })
}

/** Sales with open windows beside sales without any, in rounds that alternate. */
async function openWindows({ report, rounds, seconds, emptyState }) {
  const results = { none: [], open: [] }
  let pushed = 0
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`windows, round ${round + 1} of ${rounds}\n`)
    for (const kind of rotated(Object.keys(results), round)) {
      const server = await startSandbox({ state: emptyState() })
      const streams = kind === 'open' ? await openStreams(server.port) : []
      await runLoad(server, 'sale', { seconds: 3, tag: `${kind}${round}-warm` }) // until what draws the page is compiled, too
      results[kind].push(await runLoad(server, 'sale', { seconds, tag: `${kind}${round}` }))
      for (const stream of streams) {
        pushed += stream.bytes
        stream.close()
      }
      await server.stop()
    }
  }
  if (pushed === 0) throw new Error('nothing was pushed to the windows')
  const of = (kind, member) => results[kind].map((result) => result[member])
  const what = `durable sale with ${windows} windows of the dashboard ÷ with none`
  report.add(
    {
      what: `${what}, by processor time`,
      value: `${median(of('open', 'time')).toFixed(1)} µs, ${median(of('none', 'time')).toFixed(1)} µs, ${results.none[0].source}`,
      ...compare(of('none', 'time'), of('open', 'time')),
      bar: bars.windows,
    },
    {
      what: `${what}, by rate`,
      value: `${Math.round(median(of('open', 'rate')))}/s, ${Math.round(median(of('none', 'rate')))}/s`,
      ...compare(of('open', 'rate'), of('none', 'rate')),
      bar: bars.windows,
    },
  )
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

// What grows with what is stored: each figure with 1,000 to 1,000,000 transactions, in turns.
import { list, pages, pay, timeOfPage } from '../pages.js'
import { runLoad, startSandbox, startServer } from '../processes.js'
import { aligned } from '../results/report.js'
import { median, rotated } from '../results/statistics.js'

/** Answers that are timed of each page, after some that are not. */
const [answers, unmeasured] = [20, 5]

/** Each server is warmed up by so many requests of each load. */
const warmUp = { count: 5_000 }

/** Sales come last, because they are stored as well. */
const loaded = { query: 'query', batch: 'batch query', sale: 'durable sale' }
const measuredPages = {
  list,
  'search by id': pages['search by id'],
  'first page of the dashboard': pages['first page'],
}

/** Adds a table of one line a figure and one column a size; `sizes`: how many transactions are stored. */
export async function scale({ report, sizes, rounds, seconds, emptyState, storedState }) {
  const none = await memoryOf(emptyState())
  const servers = []
  for (const size of sizes) servers.push(await started(size, none, storedState))
  for (let round = -unmeasured; round < answers; round++)
    for (const [name, page] of Object.entries(measuredPages))
      for (const server of rotated(servers, round + unmeasured)) {
        await pay(server)
        const time = await timeOfPage(server, page)
        server.results[name] ??= []
        if (round >= 0) server.results[name].push(time)
      }
  for (const load of Object.keys(loaded)) await underLoad(load)
  await Promise.all(servers.map((server) => server.stop()))
  report.table(aligned([['stored at first', ...sizes.map(String)], ...lines(servers)]))

  /** Rounds of a load in which the servers take turns. */
  async function underLoad(load) {
    process.stdout.write(`scale, ${load}\n`)
    for (const server of servers) {
      await runLoad(server, load, { ...warmUp, tag: `warm-${server.stored}` })
      server.results[load] = []
    }
    for (let round = 0; round < rounds; round++)
      for (const server of rotated(servers, round)) {
        const { rate, time } = await runLoad(server, load, { seconds, tag: `${server.stored}-${round}` })
        server.results[load].push({ rate, time })
      }
  }
}

/** Starts with so many stored: the median of three. */
async function started(stored, none, storedState) {
  const { folder, oldest, bytes } = await storedState(stored)
  process.stdout.write(`scale, starting with ${stored} stored\n`)
  const starts = []
  for (let start = 0; start < 3; start++) {
    const server = await startServer({ kind: 'sandbox', state: folder })
    starts.push(server.readyMs)
    await server.stop()
  }
  const server = await startSandbox({ state: folder })
  const { used, rss } = await server.ask('memory')
  return {
    ...server,
    stored,
    oldest,
    bytes,
    start: median(starts),
    rss,
    each: (used - none) / stored,
    results: {},
  }
}

function lines(servers) {
  const line = (what, figure) => [what, ...servers.map(figure)]
  const of = (server, load, member) => median(server.results[load].map((result) => result[member]))
  return [
    ...Object.entries(loaded).flatMap(([load, what]) => [
      line(`${what}, processor time`, (server) => `${of(server, load, 'time').toFixed(1)} µs`),
      line(`${what}, rate`, (server) => `${Math.round(of(server, load, 'rate'))}/s`),
    ]),
    ...Object.keys(measuredPages).map((name) =>
      line(name, (server) => `${median(server.results[name]).toFixed(1)} ms`),
    ),
    line('start', ({ start }) => `${(start / 1000).toFixed(2)} s`),
    line('memory, in all (RSS)', ({ rss }) => `${Math.round(rss / 2 ** 20)} MB`),
    line('memory, a transaction', ({ each }) => `${Math.round(each)} bytes`),
    line('snapshot', ({ bytes }) => `${(bytes / 2 ** 20).toFixed(1)} MB`),
  ]
}

async function memoryOf(state) {
  const server = await startServer({ kind: 'sandbox', state })
  const { used } = await server.ask('memory')
  await server.stop()
  return used
}

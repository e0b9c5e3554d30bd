// Durable sales over PostgreSQL, by one to three nodes, beside the file store; TILLBOX_STORE names the database.
import { readdirSync } from 'node:fs'
import { runLoad, startSandbox, startServer } from '../processes.js'
import { nameOf, timeOf } from '../results/processor-time.js'
import { aligned } from '../results/report.js'
import { median } from '../results/statistics.js'

/** Each server is warmed up by so many sales. */
const warmUp = { count: 5_000 }

/** Nodes that serve a space each, at most. */
const most = 3

/** Adds a table: rates, latencies, and the processor time of a sale by who takes it. Errors: Error without a database. */
export async function shared({ report, rounds, seconds, emptyState }) {
  const store = process.env.TILLBOX_STORE
  if (!store) throw new Error('the bench of shared spaces needs TILLBOX_STORE, the URL of a database for it')
  const files = await startSandbox({ state: emptyState() })
  const nodes = []
  for (let number = 0; number < most; number++)
    nodes.push(
      await startServer({
        kind: 'node',
        store,
        state: emptyState(),
        space: `bench-${process.pid}-${number}`,
      }),
    )
  for (const server of [files, ...nodes]) await runLoad(server, 'sale', { ...warmUp, tag: 'warm' })
  const [first, second] = nodes
  const setups = {
    'files, one process': [files],
    ...Object.fromEntries(
      nodes.map((_, at) => [`PostgreSQL, ${at + 1} of its nodes`, nodes.slice(0, at + 1)]),
    ),
    'PostgreSQL, asked at another node': [{ ...second, apiKey: first.apiKey }],
  }
  const results = Object.fromEntries(Object.keys(setups).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`shared, round ${round + 1} of ${rounds}\n`)
    for (const [name, servers] of Object.entries(setups))
      results[name].push(await together(servers, seconds, `${round}`))
  }
  await Promise.all([files, ...nodes].map((server) => server.stop()))
  const of = (name, member) => median(results[name].map((result) => result[member]))
  report.table(
    aligned([
      ['durable sales', 'a second', 'p50', 'p99', 'node, a sale', 'database, a sale'],
      ...Object.keys(setups).map((name) => [
        name,
        `${Math.round(of(name, 'rate'))}`,
        `${of(name, 'p50').toFixed(1)} ms`,
        `${of(name, 'p99').toFixed(1)} ms`,
        `${of(name, 'time').toFixed(0)} µs`,
        name.startsWith('files') ? '' : `${of(name, 'database').toFixed(0)} µs`,
      ]),
    ]),
  )
}

/** A load on several servers at once: the sum of their rates, and the medians of the rest. */
async function together(servers, seconds, tag) {
  const before = databaseTime()
  const all = await Promise.all(
    servers.map((server, at) => runLoad(server, 'sale', { seconds, tag: `${tag}-${at}` })),
  )
  const count = all.reduce((sum, result) => sum + result.count, 0)
  return {
    rate: all.reduce((sum, { rate }) => sum + rate, 0),
    ...Object.fromEntries(
      ['p50', 'p99', 'time'].map((member) => [member, median(all.map((each) => each[member]))]),
    ),
    database: (databaseTime() - before) / count,
  }
}

const isPostgres = (pid) => nameOf(pid) === 'postgres'

/** Processor time of every process of PostgreSQL on this machine, in microseconds. */
function databaseTime() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.reduce((sum, pid) => sum + (isPostgres(pid) ? (timeOf(pid) ?? 0) : 0), 0)
}

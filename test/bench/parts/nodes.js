// Durable sales over the PostgreSQL of TILLBOX_STORE, by one to three nodes, beside the file store.
import { runLoad, startSandbox, startServer } from '../processes.js'
import { compare, median } from '../report.js'

/** Bars by number of nodes: their rate ÷ that of the files. */
const bars = [[0.8], [0.8], [0.75]]

export async function nodes({ report, rounds, seconds, newFolder }) {
  const store = process.env.TILLBOX_STORE
  if (!store) throw new Error('set TILLBOX_STORE to the URL of a database for the bench')
  const files = await startSandbox({ state: newFolder() })
  const started = []
  for (const number of bars.keys())
    started.push(
      await startServer({ kind: 'node', store, state: newFolder(), space: `bench-${process.pid}-${number}` }),
    )
  const setups = [[files], ...bars.map((_, at) => started.slice(0, at + 1))]
  const rates = setups.map(() => [])
  for (const server of [files, ...started]) await runLoad(server, 'sale', { amount: 5_000 })
  for (let round = 0; round < rounds; round++)
    for (const [at, servers] of setups.entries()) {
      const results = await Promise.all(servers.map((server) => runLoad(server, 'sale', { seconds })))
      rates[at].push(results.reduce((sum, { rate }) => sum + rate, 0))
    }
  await Promise.all([files, ...started].map((server) => server.stop()))
  const [ofFiles, ...ofNodes] = rates
  for (const [at, each] of ofNodes.entries())
    report.add({
      what: `sales of ${at + 1} nodes ÷ files, by rate`,
      value: `${Math.round(median(each))}/s; ${Math.round(median(ofFiles))}/s`,
      ...compare(each, ofFiles),
      bar: bars[at],
    })
}

// How long a sandbox with much stored takes to start, and what it takes of memory.
import { bars } from '../bars.js'
import { bareNode, startServer } from '../processes.js'
import { median, spread } from '../statistics.js'

/** Adds the rows; `sizes`: how many transactions are stored. */
export async function start({ report, sizes, rounds, emptyState, storedState }) {
  const states = new Map()
  for (const size of sizes) states.set(size, (await storedState(size)).folder)
  const [bare, starts] = [[], new Map(sizes.map((size) => [size, []]))]
  let used = 0
  for (let round = 0; round < rounds; round++) {
    bare.push(bareNode())
    for (const size of sizes) {
      const server = await startServer({ kind: 'sandbox', state: states.get(size) })
      starts.get(size).push(server)
      if (round === 0 && size === sizes.at(-1)) used = await server.ask('memory')
      await server.stop()
    }
  }
  report.add({ what: 'bare node -e 0', value: `${median(bare).toFixed(0)} ms` })
  for (const [size, servers] of starts)
    report.add({
      what: `start with ${size} stored`,
      value: `processor time ${(median(servers.map((server) => server.readyTime)) / 1e6).toFixed(2)} s`,
      ...spread(servers.map((server) => server.readyMs / 1000)),
      unit: 's',
      bar: bars[`start${size}`],
    })
  const none = await memoryOfNone(emptyState())
  const each = (used.used - none) / sizes.at(-1)
  report.add({
    what: `memory a transaction, ${sizes.at(-1)} stored`,
    value: `${Math.round(each)} bytes; in all ${Math.round(used.rss / 2 ** 20)} MB (RSS)`,
    ratio: each / 1024,
    unit: 'KB',
    bar: bars.memory,
  })
}

async function memoryOfNone(state) {
  const server = await startServer({ kind: 'sandbox', state })
  const { used } = await server.ask('memory')
  await server.stop()
  return used
}

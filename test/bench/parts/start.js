// How long a sandbox with much stored takes to start, and what it takes of memory.

import { bareNode, startBinary, startServer } from '../processes.js'
import { bars } from '../results/bars.js'
import { median, spread } from '../results/statistics.js'

/** Adds the rows; `sizes`: how many transactions are stored. */
export async function start({ report, sizes, rounds, emptyState, storedState }) {
  const states = new Map()
  for (const size of sizes) states.set(size, (await storedState(size)).folder)
  const [bare, starts] = [[], new Map(sizes.map((size) => [size, []]))]
  for (let round = 0; round < rounds; round++) {
    bare.push(bareNode())
    for (const size of sizes) {
      const server = await startBinary({ ...process.env, TILLBOX_STATE: states.get(size) })
      starts.get(size).push(server.wall / 1000)
      await server.stop()
    }
  }
  report.add({ what: 'bare node -e 0', value: `${median(bare).toFixed(0)} ms` })
  for (const [size, walls] of starts)
    report.add({
      what: `tillbox sandbox start with ${size} stored, until it is ready`,
      value: `${((median(walls) * 1000) / median(bare)).toFixed(1)} × bare node`,
      ...spread(walls),
      unit: 's',
      bar: bars[`start${size}`],
    })
  const [used, none] = [await memoryOf(states.get(sizes.at(-1))), await memoryOf(emptyState())]
  const each = (used.used - none.used) / sizes.at(-1)
  report.add({
    what: `memory a transaction, ${sizes.at(-1)} stored`,
    value: `${Math.round(each)} bytes; in all ${Math.round(used.rss / 2 ** 20)} MB (RSS)`,
    ratio: each / 1024,
    unit: 'KB',
    bar: bars.memory,
  })
}

async function memoryOf(state) {
  const server = await startServer({ kind: 'sandbox', state })
  const memory = await server.ask('memory')
  await server.stop()
  return memory
}

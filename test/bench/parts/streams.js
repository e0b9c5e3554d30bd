// What a sale costs while many listen to the event stream.
import { openListeners, runLoad, startSandbox } from '../processes.js'
import { compare, loadText, median, rotated } from '../report.js'

const count = 1_000

export async function streams({ report, rounds, seconds, newFolder }) {
  const [alone, heard] = [
    await startSandbox({ state: newFolder() }),
    await startSandbox({ state: newFolder() }),
  ]
  for (const server of [alone, heard]) await runLoad(server, 'sale', { amount: 5_000 })
  const listeners = await openListeners(heard, count)
  const results = { alone: [], heard: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, server] of rotated(Object.entries({ alone, heard }), round))
      results[name].push(await runLoad(server, 'sale', { seconds }))
  const received = median(await listeners.stop())
  await Promise.all([alone, heard].map((server) => server.stop()))
  const times = (name) => results[name].map(({ time }) => time)
  report.add({
    what: `cost of a sale with ${count} listeners ÷ with none`,
    value: `${loadText(results.heard)}; ${loadText(results.alone)}; ${received} events for each`,
    ...compare(times('heard'), times('alone')),
    bar: [undefined, 3],
  })
}

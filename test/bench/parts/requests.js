// What a request costs beside an echo, and with much stored beside none.

import { runLoad, startEcho, startSandbox } from '../processes.js'
import { compare, loadText, rotated } from '../report.js'

/** The loads that are compared. */
const measured = ['sale', 'query', 'session', 'batch']

/** Each server is warmed up by so many requests of each load: until then, the compiler is measured. */
const warmUp = { amount: 5_000 }

export async function requests({ report, rounds, seconds, stored, newFolder }) {
  const empty = await startSandbox({ state: newFolder() })
  const full = await startSandbox({ state: newFolder() })
  await runLoad(full, 'sale', { amount: stored })
  const echo = await startEcho(empty)
  const servers = { echo, empty, full }
  const results = {}
  for (const load of measured)
    for (const server of Object.values(servers)) await runLoad(server, load, warmUp)
  for (let round = 0; round < rounds; round++)
    for (const load of measured)
      for (const [name, server] of rotated(Object.entries(servers), round)) {
        results[`${name} ${load}`] ??= []
        results[`${name} ${load}`].push(await runLoad(server, load, { seconds }))
      }
  await Promise.all(Object.values(servers).map((server) => server.stop()))

  const times = (key) => results[key].map(({ time }) => time)
  const row = (what, key, against, bar) =>
    report.add({
      what,
      value: `${loadText(results[key])}; ${loadText(results[against])}`,
      ...compare(times(against), times(key)),
      bar,
    })
  for (const load of measured) row(`${load} ÷ echo`, `empty ${load}`, `echo ${load}`)
  for (const load of measured)
    row(`${load} with ${stored} stored ÷ with none`, `full ${load}`, `empty ${load}`, [0.9])
}

// What a request costs beside an echo, and with much stored beside none.

import { loads } from '../loads.js'
import { answerOf, runLoad, startSandbox, startServer } from '../processes.js'
import { compare, median, rotated } from '../report.js'

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

  const of = (key, member) => results[key].map((result) => result[member])
  const words = (key) =>
    `${median(of(key, 'time')).toFixed(0)} µs, ${Math.round(median(of(key, 'rate')))}/s, p99 ${median(of(key, 'p99'))} ms`
  const row = (what, key, against, bar) =>
    report.add({
      what,
      value: `${words(key)}; ${words(against)}`,
      ...compare(of(against, 'time'), of(key, 'time')),
      bar,
    })
  for (const load of measured) row(`${load} ÷ echo`, `empty ${load}`, `echo ${load}`)
  for (const load of measured)
    row(`${load} with ${stored} stored ÷ with none`, `full ${load}`, `empty ${load}`, [0.9])
}

/** An echo that answers as that sandbox does. */
async function startEcho(sandbox) {
  const answers = {}
  for (const load of Object.values(loads)) {
    const { path } = load({ id: crypto.randomUUID(), transactionId: sandbox.transactionId })
    answers[path.split('?')[0]] = await answerOf(sandbox, load)
  }
  return { ...(await startServer({ kind: 'echo', answers })), transactionId: sandbox.transactionId }
}

// A thousand spaces in one process: what each takes of memory, and how long one that was asleep takes to answer.
import { startServer } from '../processes.js'
import { aligned } from '../results/report.js'
import { median } from '../results/statistics.js'

/** Spaces that are woken, to be timed. */
const woken = 100

/** So long a space is not used before it leaves memory: longer than it takes to make them all. Milliseconds. */
const idleMs = 30_000

/** Adds a table. `count`: how many spaces are made. */
export async function spaces({ report, spaces: count, emptyState }) {
  const server = await startServer({ kind: 'spaces', state: emptyState(), idleMs })
  const none = await server.ask('memory')
  const began = performance.now()
  for (let number = 0; number < count; number++)
    await fetchData(server, '/_sandbox/spaces', { name: `s-${number}` })
  const made = (performance.now() - began) / count
  for (let number = 0; number < count; number++) await fetchData(server, `/s/s-${number}/_sandbox/state`)
  const all = await server.ask('memory')
  process.stdout.write('spaces, waiting until all of them are asleep\n')
  while ((await fetchData(server, '/_sandbox/spaces')).spaces.filter(({ inMemory }) => inMemory).length > 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
  const asleep = await server.ask('memory')
  const times = []
  for (let number = 0; number < woken; number++) {
    const sent = performance.now()
    await fetchData(server, `/s/s-${number}/_sandbox/state`)
    times.push(performance.now() - sent)
  }
  await server.stop()
  const each = ({ used }) => `${((used - none.used) / count / 2 ** 20).toFixed(2)} MB`
  times.sort((one, other) => one - other)
  report.table(
    aligned([
      [`${count} spaces in one process`, 'each'],
      ['made', `${made.toFixed(1)} ms`],
      ['memory, in use', each(all)],
      ['memory, asleep', each(asleep)],
      ['a request that wakes one, median', `${median(times).toFixed(1)} ms`],
      ['the same, 99 of 100', `${times[Math.floor(times.length * 0.99)].toFixed(1)} ms`],
    ]),
  )
}

async function fetchData({ port }, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const { code, msg, data } = await answer.json()
  if (code !== '0') throw new Error(`${path} was answered with ${code}: ${msg}`)
  return data
}

// Many spaces in one process: what each takes of memory, and how long one that is asleep takes to answer.
import { startServer } from '../processes.js'
import { quantile } from '../report.js'

/** Without use for so long a space leaves memory: longer than it takes to make them all. Milliseconds. */
const idleMs = 30_000

export async function spaces({ report, spaces: count, newFolder }) {
  const server = await startServer({ kind: 'spaces', state: newFolder(), idleMs })
  const ask = async (path, body) => {
    const post = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, body && post)
    return (await answer.json()).data
  }
  const none = await server.ask('memory')
  for (let number = 0; number < count; number++) await ask('/_sandbox/spaces', { name: `s-${number}` })
  const all = await server.ask('memory')
  while ((await ask('/_sandbox/spaces')).spaces.filter(({ inMemory }) => inMemory).length > 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
  const times = []
  for (let number = 0; number < 100; number++) {
    const started = performance.now()
    await ask(`/s/s-${number}/_sandbox/state`)
    times.push(performance.now() - started)
  }
  await server.stop()
  report.add({
    what: `memory of a space, of ${count}, in MB`,
    value: '',
    ratio: (all - none) / count / 2 ** 20,
    bar: [undefined, 1.5],
  })
  report.add({
    what: 'a request that wakes a space, 99 of 100, in ms',
    value: `median ${quantile(times, 0.5).toFixed(1)} ms`,
    ratio: quantile(times, 0.99),
    bar: [undefined, 50],
  })
}

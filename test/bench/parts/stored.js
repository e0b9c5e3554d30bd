// What grows with what is stored: a page, the start, memory.
import { loads } from '../loads.js'
import { answerOf, runLoad, startBinary, startSandbox, startServer, timeOf } from '../processes.js'
import { median, rotated } from '../report.js'

const pages = { 'the first page': '/', 'a search': '/?q=hono', 'the list': '/_sandbox/transactions' }

/** Answers that are timed of each page, after some that are not. */
const [answers, unmeasured] = [20, 5]

export async function stored({ report, rounds, stored: count, newFolder }) {
  const [few, many] = [newFolder(), newFolder()]
  const [none, ...servers] = [
    await startServer({ kind: 'sandbox', state: newFolder() }),
    await startSandbox({ state: few }),
    await startSandbox({ state: many }),
  ]
  for (const [server, amount] of [
    [servers[0], 1_000],
    [servers[1], count],
  ])
    await runLoad(server, 'sale', { amount })
  const times = Object.fromEntries(Object.keys(pages).map((name) => [name, [[], []]]))
  for (let round = -unmeasured; round < answers; round++)
    for (const [name, path] of Object.entries(pages))
      for (const [at, server] of rotated([...servers.entries()], round + unmeasured)) {
        await answerOf(server, loads.sale) // a page that was made is not shown again
        const started = performance.now()
        await (await fetch(`http://127.0.0.1:${server.port}${path}`)).text()
        if (round >= 0) times[name][at].push(performance.now() - started)
      }
  const [empty, used] = [await none.ask('memory'), await servers[1].ask('memory')]
  await Promise.all([none, ...servers].map((server) => server.stop()))
  for (const [name, [ofFew, ofMany]] of Object.entries(times))
    report.add({
      what: `${name} with ${count} stored, in ms`,
      value: `${median(ofFew).toFixed(1)} ms with 1,000`,
      ratio: median(ofMany),
      bar: [undefined, 150],
    })
  report.add({
    what: `memory a transaction with ${count} stored, in KB`,
    value: `${((used - empty) / 2 ** 20).toFixed(0)} MB`,
    ratio: (used - empty) / count / 1024,
    bar: [undefined, 1.5],
  })
  const [starts, bare] = [[], []]
  for (let round = 0; round < rounds; round++) {
    bare.push(timeOf(['-e', '0']))
    const server = await startBinary({ ...process.env, TILLBOX_STATE: many })
    starts.push(server.wall / 1_000)
    await server.stop()
  }
  report.add({
    what: `start with ${count} stored, in seconds`,
    value: `${((median(starts) * 1_000) / median(bare)).toFixed(1)} × bare node`,
    ratio: median(starts),
    bar: [undefined, 1.5],
  })
}

// What webhooks cost: sales beside a receiver that is healthy, slow or dead, and without any; and how fast webhooks go off.
import { bars } from '../bars.js'
import { runLoad, startReceiver, startSandbox, startServer } from '../processes.js'
import { compare, median, rotated, spread } from '../statistics.js'

/** Address of which nothing answers. */
const dead = 'http://127.0.0.1:9/hook'

/** Milliseconds after which a slow receiver answers. */
const slowness = 2_000

/** Milliseconds between an answer and the next sale of a connection: the sandbox is not at its limit. */
const pause = 50

/** The kinds of receivers, the control without webhooks first. */
const kinds = ['none', 'healthy', 'slow', 'dead']

/** Adds the rows; `pending` webhooks make up the backlog. */
export async function webhooks(tools) {
  await latencies(tools)
  await backlog(tools)
}

/** Latencies of a paced load of sales in rounds of all kinds. */
async function latencies({ report, rounds, seconds, emptyState }) {
  const results = Object.fromEntries(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`webhooks, round ${round + 1} of ${rounds}\n`)
    for (const kind of rotated(kinds, round))
      results[kind].push(await besideReceiver(kind, `${kind}${round}`))
  }
  const of = (kind, member) => results[kind].map((result) => result[member])
  for (const kind of kinds.slice(1))
    for (const member of ['p50', 'p99'])
      report.add({
        what: `${member} of a sale, ${kind} receiver ÷ no webhooks`,
        value: [kind, 'none'].map((each) => `${median(of(each, member)).toFixed(2)} ms`).join(', '),
        ...compare(of(kind, member), of('none', member)),
        bar: member === 'p99' && kind !== 'healthy' ? bars.receiver : undefined,
      })

  async function besideReceiver(kind, tag) {
    const receiver = ['healthy', 'slow'].includes(kind)
      ? await startReceiver(kind === 'slow' ? slowness : 0)
      : undefined
    const notifyUrl = kind === 'none' ? undefined : (receiver?.url ?? dead)
    const server = await startSandbox({ state: emptyState(), notifyUrl })
    await runLoad(server, 'sale', { seconds: 3, tag: `${tag}-warm`, pause }) // until it is compiled, p99 is the compiler's
    const result = await runLoad(server, 'sale', { seconds: 2 * seconds, tag, pause })
    await server.stop()
    await receiver?.stop()
    return result
  }
}

/** Webhooks that are held, all to one address, and then released. */
async function backlog({ report, rounds, pending, emptyState }) {
  const state = emptyState()
  const receiver = await startReceiver(0)
  const filler = await startSandbox({ state, notifyUrl: receiver.url })
  await setHold(filler, true)
  await runLoad(filler, 'sale', { count: pending, tag: 'backlog' })
  await filler.stop()
  const starts = []
  let server
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    await server?.stop()
    server = await startServer({ kind: 'sandbox', state, notifyUrl: receiver.url })
    starts.push(server.readyMs / 1000)
  }
  report.add(
    {
      what: `start with ${pending} webhooks pending`,
      value: '',
      ...spread(starts),
      unit: 's',
      bar: bars.pendingStart,
    },
    {
      what: `webhooks to one address, ${pending} pending`,
      value: 'sent a second',
      ...spread(await deliveryRates(server, receiver, pending)),
      unit: '/s',
      bar: bars.deliveries,
    },
  )
  await server.stop()
  await receiver.stop()
}

/** Holds webhooks back, or lets them go. */
async function setHold({ port }, hold) {
  const answer = await fetch(`http://127.0.0.1:${port}/_sandbox/webhook-hold`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ hold }),
  })
  if (!answer.ok) throw new Error(`the hold was not changed: ${await answer.text()}`)
}

/** Webhooks a second once they are released, in each second until half of them were sent. */
async function deliveryRates(server, receiver, pending) {
  await setHold(server, false)
  const first = await receiver.count()
  const rates = []
  for (
    let [before, count, at] = [first, first, performance.now()];
    count < first + pending / 2;
    before = count
  ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    count = await receiver.count()
    const now = performance.now()
    rates.push(((count - before) * 1000) / (now - at))
    if (rates.length > 10 && count === before) throw new Error('the sandbox sends no more webhooks')
    at = now
  }
  return rates
}

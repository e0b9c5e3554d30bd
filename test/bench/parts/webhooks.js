// What webhooks cost: sales beside a receiver that is healthy, slow or dead, and without any; and how fast webhooks go off.

import { runLoad, startReceiver, startSandbox, startServer } from '../processes.js'
import { bars } from '../results/bars.js'
import { compare, median, rotated, spread } from '../results/statistics.js'

/** Address of which nothing answers. */
const dead = 'http://127.0.0.1:9/hook'

/** Milliseconds after which a receiver answers. */
const delays = { healthy: 0, slow: 2_000 }

/** What is compared of a sale. */
const measured = [
  { member: 'p50', name: 'p50', unit: 'ms' },
  { member: 'p99', name: 'p99', unit: 'ms' },
  { member: 'time', name: 'processor time', unit: 'µs' },
]

/** Milliseconds between an answer and the next sale of a connection: the sandbox is not at its limit. */
const pause = 50

/** The kinds of receivers; beside none the ratio is the noise of the others. */
const kinds = ['none', 'healthy', 'slow', 'dead']

/** Adds the rows; `pending` webhooks make up the backlog. */
export async function webhooks(tools) {
  await latencies(tools)
  await backlog(tools)
}

/**
 * Latencies of a paced load of sales beside each kind of receiver, and of the same load without webhooks at the same moment:
 * what else the machine does, and what the disk does, is for both.
 */
async function latencies({ report, rounds, seconds, emptyState }) {
  const results = Object.fromEntries(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`webhooks, round ${round + 1} of ${rounds}\n`)
    for (const kind of rotated(kinds, round)) results[kind].push(await besideControl(kind, round))
  }
  for (const kind of kinds)
    for (const { member, name, unit } of measured) {
      const [own, control] = ['own', 'control'].map((side) => results[kind].map((pair) => pair[side][member]))
      report.add({
        what: `${name} of a sale, ${kind === 'none' ? 'no webhooks' : `${kind} receiver`} ÷ no webhooks`,
        value: [own, control]
          .map((each) => `${median(each).toFixed(unit === 'ms' ? 2 : 0)} ${unit}`)
          .join(', '),
        ...compare(own, control),
        bar: member === 'p99' && ['slow', 'dead'].includes(kind) ? bars.receiver : undefined,
      })
    }

  /** Both are warmed up first: until they are compiled, p99 is the compiler's. */
  async function besideControl(kind, round) {
    const receiver = kind === 'slow' || kind === 'healthy' ? await startReceiver(delays[kind]) : undefined
    const notifyUrl = kind === 'none' ? undefined : (receiver?.url ?? dead)
    const urls = { own: notifyUrl, control: undefined }
    const sides = round % 2 === 0 ? ['own', 'control'] : ['control', 'own']
    const servers = []
    for (const side of sides) servers.push(await startSandbox({ state: emptyState(), notifyUrl: urls[side] }))
    const loadAll = (tag, time) =>
      Promise.all(
        servers.map((server, index) =>
          runLoad(server, 'sale', { seconds: time, tag: `${kind}${round}${tag}${index}`, pause }),
        ),
      )
    await loadAll('warm', 5)
    const measures = await loadAll('', 10 * seconds) // p99 is of a few sales: the longer, the less of it is chance
    for (const server of servers) await server.stop()
    await receiver?.stop()
    return Object.fromEntries(sides.map((side, index) => [side, measures[index]]))
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

// How many requests the sandbox answers, and what each takes of its main thread, beside an echo and with much stored.

import { runLoad, startEcho, startSandbox } from '../processes.js'
import { bars } from '../results/bars.js'
import { compare, median, rotated } from '../results/statistics.js'

/** Each server is warmed up by so many requests of each load: until it is compiled, the compiler is measured. */
const warmUp = { count: 10_000 }

const measured = ['query', 'batch', 'sale', 'session']

/** Rows by load: its words, and the bars by processor time and by rate. */
const beside = {
  sale: ['durable sale', bars.saleByTime, bars.saleByRate],
  query: ['query', bars.queryByTime, bars.queryByRate],
  session: ['create-session', bars.sessionByTime, bars.sessionByRate],
  batch: ['batch query'],
}

/** Adds the rows; `stored`: transactions of the full sandbox. */
export async function throughput({ report, stored, rounds, seconds, emptyState, storedState }) {
  const results = {}
  const full = await startSandbox({ state: (await storedState(stored)).folder })
  const echo = await startEcho(full)
  const empty = await startSandbox({ state: emptyState() })
  const servers = { echo, empty, full }
  for (const load of measured)
    for (const server of Object.values(servers)) await runLoad(server, load, { ...warmUp, tag: 'warm' })
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`throughput, round ${round + 1} of ${rounds}\n`)
    for (const load of rotated(measured, round))
      for (const [name, server] of rotated(Object.entries(servers), round)) {
        results[`${name} ${load}`] ??= []
        results[`${name} ${load}`].push(await runLoad(server, load, { seconds, tag: `${name}${round}` }))
      }
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()))

  const of = (key, member) => results[key].map((result) => result[member])
  const [{ source }] = results['echo sale']
  for (const [load, [what, byTime, byRate]] of Object.entries(beside)) {
    const ratios = addBoth(`${what} ÷ echo`, `empty ${load}`, `echo ${load}`, byTime, byRate)
    for (const [kind, ratio] of Object.entries(ratios))
      report.draw({ group: 'echo', name: what, kind, ratio })
  }
  for (const load of ['sale', 'query', 'batch'])
    addBoth(
      `${load} with ${stored} stored ÷ with none`,
      `full ${load}`,
      `empty ${load}`,
      bars.fullByTime,
      bars.fullByRate,
    )
  const latency = (key) =>
    `p50 ${median(of(key, 'p50')).toFixed(1)}, p99 ${median(of(key, 'p99')).toFixed(1)} ms`
  report.add({
    what: 'p99 of a sale ÷ p99 of its echo',
    value: `${latency('empty sale')}; ${latency('echo sale')}`,
    ...compare(of('empty sale', 'p99'), of('echo sale', 'p99')),
    bar: bars.saleLatency,
  })
  for (const [key, all] of Object.entries(results)) {
    const busy = median(all.map((result) => result.busy))
    if (busy > 0.95)
      report.note(`The load client was busy all the time (${key}): the rate may be the client's.`)
  }

  /** A row by processor time and one by rate; higher is better in both. Returns the ratios. */
  function addBoth(what, key, against, byTime, byRate) {
    const [times, rates] = ['time', 'rate'].map((member) => [of(key, member), of(against, member)])
    const [time, rate] = [compare(times[1], times[0]), compare(rates[0], rates[1])]
    const words = ([own, other], shown) => `${shown(median(own))}, ${shown(median(other))}`
    report.add(
      {
        what: `${what}, by processor time`,
        value: `${words(times, (micros) => `${micros.toFixed(1)} µs`)}, ${source}`,
        ...time,
        bar: byTime,
      },
      {
        what: `${what}, by rate`,
        value: words(rates, (each) => `${Math.round(each)}/s`),
        ...rate,
        bar: byRate,
      },
    )
    return { time: time.ratio, rate: rate.ratio }
  }
}

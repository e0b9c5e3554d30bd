// What webhooks cost: the API beside a receiver that is well, slow or dead, and how fast a backlog is sent off.
import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Address of which nothing answers. */
const dead = 'http://127.0.0.1:9/hook'

/**
 * Adds the rows of the webhooks. `startServer` and `runLoad` are the bench's own; `pending` transactions make up the
 * backlog.
 */
export async function webhooks({
  root,
  here,
  rounds,
  seconds,
  pending,
  startServer,
  runLoad,
  median,
  results,
}) {
  await latencies()
  await backlog()

  /** p99 of a paced sale load, in rounds that alternate between the receivers. */
  async function latencies() {
    const p99 = { well: [], slow: [], dead: [] }
    const kinds = Object.keys(p99)
    const turns = rounds > 1 ? 7 : 1 // a p99 differs from run to run by more than the bar allows
    for (let round = 1; round <= turns; round++)
      for (const place of kinds.keys()) {
        const kind = kinds[(round + place) % kinds.length] // each comes after each: the disk still writes the last one's files
        const receiver = kind === 'dead' ? null : await startReceiver(kind === 'slow' ? 2_000 : 0)
        const state = join(root, `hooks-${kind}-${round}`)
        const server = await startServer({ kind: 'sandbox', state, notifyUrl: receiver?.url ?? dead })
        await runLoad(server, 'paced', `${kind}${round}-warm`) // until it is compiled, p99 is the compiler's
        const result = await runLoad(server, 'paced', `${kind}${round}`)
        p99[kind].push(result.p99)
        await server.stop()
        receiver?.stop()
      }
    for (const kind of ['slow', 'dead'])
      results.push({
        what: `p99 of a sale, ${kind} receiver ÷ a healthy one`,
        value: `${median(p99[kind]).toFixed(2)} ms, ${median(p99.well).toFixed(2)} ms`,
        ratio: median(p99[kind]) / median(p99.well),
        bar: 1.2,
      })
    if (seconds === 0) throw new Error('a load without time measures nothing')
  }

  async function backlog() {
    const state = join(root, 'backlog')
    const filler = await startServer({ kind: 'sandbox', state, notifyUrl: dead })
    await runLoad(filler, 'seed', 'backlog', pending)
    await filler.stop()
    const receiver = await startReceiver(0)
    const server = await startServer({ kind: 'sandbox', state, notifyUrl: receiver.url })
    results.push({
      what: `start with ${pending} webhooks pending`,
      value: `${Math.round(server.readyMs)} ms`,
      ratio: server.readyMs / 1000,
      bar: 1.5,
      unit: 's',
    })
    await fetch(`http://127.0.0.1:${server.port}/_sandbox/webhooks/resend`, {
      method: 'POST',
      body: JSON.stringify({ all: true, to: receiver.url }),
    })
    const [started, before] = [performance.now(), await receiver.count()]
    const half = Math.floor(pending / 2)
    while ((await receiver.count()) < before + half) await new Promise((resolve) => setTimeout(resolve, 100))
    const rate = ((await receiver.count()) - before) / ((performance.now() - started) / 1000)
    results.push({
      what: `${pending} pending webhooks to one address`,
      value: `${Math.round(rate)} sent a second`,
    })
    await server.stop()
    receiver.stop()
  }

  async function startReceiver(delay) {
    const child = fork(join(here, 'receiver.js'), [String(delay)])
    const next = () => new Promise((resolve) => child.once('message', resolve))
    const { port } = await next()
    return {
      url: `http://127.0.0.1:${port}/hook`,
      count() {
        const answer = next()
        child.send('count')
        return answer
      },
      stop: () => child.send('stop'),
    }
  }
}

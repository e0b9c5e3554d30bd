// The processes of a run: servers, load clients, commands. None outlives the bench.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { headersOf, loads } from './loads.js'

/** The command line as it is built. */
export const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

const running = new Set()

function remembered(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends what still runs, because a part failed. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL')
}

/** A file of the bench in a process of its own. */
const forked = (name, options) =>
  remembered(
    fork(fileURLToPath(new URL(name, import.meta.url)), [JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
    }),
  )

/** A server of the bench, as server.js makes it. `readyMs`: from its fork until it is ready. */
export async function startServer(options) {
  const started = performance.now()
  const child = forked('server.js', options)
  const ready = await messageOf(child)
  return { ...ready, readyMs: performance.now() - started, ...talkTo(child) }
}

/** How a process of the bench is asked, and ended. */
const talkTo = (child) => ({
  ask: (question) => {
    const answer = messageOf(child)
    child.send(question)
    return answer
  },
  stop: async () => {
    child.send('stop')
    await once(child, 'exit')
  },
})

/** A sandbox with a sale; `transactionId` is what queries ask for. */
export async function startSandbox(options) {
  const server = await startServer({ kind: 'sandbox', ...options })
  const { data } = await answerOf(server, loads.sale)
  return { ...server, transactionId: data.transactionId }
}

/** The answer to one request of a load. Errors: Error for one that is not accepted. */
export async function answerOf(server, load) {
  const { path, ...request } = load({ id: crypto.randomUUID(), transactionId: server.transactionId })
  const headers = { ...headersOf(server), 'Content-Type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers, ...request })
  const envelope = await answer.json()
  if (envelope.code !== '0') throw new Error(`${path} was answered with ${JSON.stringify(envelope)}`)
  return envelope
}

/**
 * Sends a load by its name, for `seconds` or `amount` requests: `rate` a second, `p50` and `p99` in milliseconds, and the
 * server's processor time of all threads, in microseconds a request. Errors: Error when a request is not accepted.
 */
export async function runLoad(server, load, options) {
  const { port, apiKey, transactionId } = server
  const before = await server.ask('usage')
  const child = forked('client.js', { port, apiKey, transactionId, load, ...options })
  const result = await messageOf(child)
  await once(child, 'exit')
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.count} requests of ${load} failed`)
  return { ...result, time: ((await server.ask('usage')) - before) / result.count }
}

/** `tillbox sandbox start` as a user starts it. `wall`: milliseconds until it says that it is ready. */
export async function startBinary(env) {
  const started = performance.now()
  const args = [binary, 'sandbox', 'start', '--port', '0', '--json']
  const child = remembered(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] }))
  const [line] = await once(child.stdout, 'data')
  const wall = performance.now() - started
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { wall, stop, url: JSON.parse(line).url }
}

/** Milliseconds of a program of Node, from its start to its end. */
export function timeOf(args, env = process.env) {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return performance.now() - started
}

/** The next message of a process. Errors: Error when it ends without one. */
async function messageOf(child) {
  const over = new AbortController()
  const { signal } = over
  const exited = async () => {
    const [code] = await once(child, 'exit', { signal })
    throw new Error(`a process of the bench ended with ${code}`)
  }
  const message = async () => (await once(child, 'message', { signal }))[0]
  try {
    return await Promise.race([message(), exited()])
  } finally {
    over.abort()
  }
}

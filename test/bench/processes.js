// The processes of a run: servers, load clients, commands. None outlives the bench.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { headersOf, loads } from './loads.js'
import { peers } from './peers.js'

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
  const text = await textOf(server, load)
  const envelope = JSON.parse(text)
  if (envelope.code !== '0') throw new Error(`a request was answered with ${text}`)
  return envelope
}

async function textOf(server, load) {
  const { path, ...request } = load({ id: crypto.randomUUID(), transactionId: server.transactionId })
  const headers = { ...headersOf(server), 'Content-Type': 'application/json' }
  return (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers, ...request })).text()
}

/** An echo that answers as that sandbox does. */
export async function startEcho(sandbox) {
  const answers = {}
  for (const load of Object.values(loads)) {
    const { path } = load({ id: crypto.randomUUID(), transactionId: sandbox.transactionId })
    answers[path.split('?')[0]] = await answerOf(sandbox, load)
  }
  return { ...(await startServer({ kind: 'echo', answers })), transactionId: sandbox.transactionId }
}

/**
 * Another server, with a sale; `answers`: those of the sandbox to a sale and a query. `ask` takes `usage` alone. Errors:
 * Error when it ends, or has not answered within a minute.
 */
export async function startPeer(name, { answers, ...files }) {
  const { loads, answered, idOf, setup, command } = peers[name]
  setup?.(files.folder, answers)
  const server = { port: await freePort(), apiKey: 'any', peer: name }
  const [program, ...words] = command({ ...files, port: String(server.port) })
  const env = { ...process.env, HOME: files.folder, DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false' }
  const child = remembered(spawn(program, words, { cwd: files.folder, env, stdio: 'ignore' }))
  let end = '' // why it has ended
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.once('error', ({ message }) => {
    end = message
  })
  child.once('exit', (code, signal) => {
    end = `it ended with ${code ?? signal}`
  })
  const patience = performance.now() + 60_000
  let text = ''
  while (!answered.test(text)) {
    if (end !== '') throw new Error(end)
    if (performance.now() > patience) {
      child.kill('SIGKILL')
      throw new Error(`it does not answer as it should: ${text.slice(0, 200)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    text = await textOf(server, loads.sale).catch(String)
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { ...server, transactionId: idOf(JSON.parse(text)), ask: async () => processorTime(child.pid), stop }
}

/** Microseconds of processor time that a process of Linux has used. */
function processorTime(pid) {
  const [, figures] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = figures.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10_000
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Opens so many listeners of a sandbox's event stream. `stop` resolves to the numbers of events that they received. */
export async function openListeners({ port }, count) {
  const child = forked('listeners.js', { port, count })
  await messageOf(child)
  const stop = () => {
    const received = messageOf(child)
    child.send('stop')
    return received
  }
  return { stop }
}

/**
 * Sends a load by its name, for `seconds` or `amount` requests: `rate` a second, `p50` and `p99` in milliseconds, and the
 * server's processor time of all threads, in microseconds a request. Errors: Error when a request is not accepted.
 */
export async function runLoad(server, load, options) {
  const { port, apiKey, transactionId, peer } = server
  const before = await server.ask('usage')
  const child = forked('client.js', { port, apiKey, transactionId, peer, load, ...options })
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

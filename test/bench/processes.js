// The processes of the bench: servers, load clients, receivers. Each ends when it is told to.
import { fork, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { remembered } from './children.js'
import { headersFor, loads } from './requests.js'

/** Connections of a load at once. */
export const connections = 32

/** The command line as it is built. */
export const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** A file of the bench in a process of its own. */
const started = (name, argument) =>
  remembered(fork(fileURLToPath(new URL(name, import.meta.url)), [argument], { execArgv: ['--expose-gc'] }))

/** A sandbox, or an echo, in a process of its own. `readyMs`: milliseconds from its fork until it was ready. */
export async function startServer(options) {
  const begun = performance.now()
  const child = started('server.js', JSON.stringify(options))
  const ready = await messageOf(child)
  return {
    ...ready,
    pid: child.pid,
    wallOffset: options.wallOffset,
    readyMs: performance.now() - begun,
    ask(question) {
      const answer = messageOf(child)
      child.send(question)
      return answer
    },
    stop: () => ended(child, () => child.send('stop')),
  }
}

/** A sandbox that has a transaction: `transactionId` is for the load that queries it. */
export async function startSandbox(options) {
  const server = await startServer({ kind: 'sandbox', ...options })
  const { data } = await answerTo(server, loads.sale(server)[0])
  return { ...server, transactionId: data.transactionId }
}

/** `tillbox sandbox start`, as a user starts it; its first line says that it is ready. `wall`: milliseconds until then. */
export async function startBinary(env) {
  const started = performance.now()
  const child = remembered(
    spawn(process.execPath, [binary, 'sandbox', 'start', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const over = new Promise((resolve) => child.once('exit', resolve))
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    over.then((code) => Promise.reject(new Error(`the sandbox ended with ${code} before it was ready`))),
  ])
  const wall = performance.now() - started
  const stop = () => {
    child.kill('SIGTERM')
    return over
  }
  return { wall, stop }
}

/** An echo that answers as that sandbox does. */
export async function startEcho(sandbox) {
  const answers = {}
  for (const load of ['sale', 'query', 'batch', 'session']) {
    const [request] = loads[load](sandbox)
    answers[request.path.split('?')[0]] = await answerTo(sandbox, request)
  }
  return { ...(await startServer({ kind: 'echo', answers })), transactionId: sandbox.transactionId }
}

/** What a server answers to one request of a load. Errors: Error for one that was not accepted. */
export async function answerTo(server, { method, path, body }) {
  const id = crypto.randomUUID()
  const headers = { ...headersFor(server), 'X-Client-Request-Id': id, 'Content-Type': 'application/json' }
  const filled = body?.replaceAll('{unique}', id).replaceAll('{index}', '1').replaceAll('{amount}', '1000')
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body: filled })
  const { code, msg, data, traceId } = await answer.json()
  if (code !== '0') throw new Error(`${method} ${path} was answered with ${code}: ${msg}`)
  return { code, msg, traceId, data }
}

/**
 * Sends a load from a process of its own: for `seconds`, or `count` requests. Resolves to what load.js measured, `busy`
 * (the share of the time in which the client worked) and, of a server that says it, `time`: processor microseconds a request.
 */
export async function runLoad(server, load, options) {
  const before = await server.ask('usage')
  const result = await sendLoad({
    port: server.port,
    headers: headersFor(server),
    templates: loads[load](server),
    good: '"code":"0"',
    ...options,
  })
  const after = await server.ask('usage')
  return { ...result, time: (after.time - before.time) / result.count, source: after.source }
}

/** Sends a load of any requests; `good`: text that each answer must hold. Errors: Error with the first one that does not. */
export async function sendLoad({ seconds, count, ...options }) {
  const all = { connections, seconds: seconds ?? 600, count, ...options }
  const child = started('client.js', JSON.stringify(all))
  const result = await messageOf(child)
  if (result.failed > 0)
    throw new Error(
      `${result.failed} of ${result.count} answers were not what was asked for:\n${result.firstFailed}`,
    )
  return result
}

/** Listeners that ask one sandbox for everything from the beginning. */
export async function startListeners(options) {
  const child = started('listener.js', JSON.stringify(options))
  await messageOf(child)
  return {
    stop() {
      const read = messageOf(child)
      child.send('stop')
      return read
    },
  }
}

/** A receiver of webhooks that answers after so many milliseconds. */
export async function startReceiver(delay) {
  const child = started('receiver.js', String(delay))
  const { port } = await messageOf(child)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    count() {
      const answer = messageOf(child)
      child.send('count')
      return answer
    },
    stop: () => ended(child, () => child.send('stop')),
  }
}

/** The next message of a process. Errors: Error when it ends without one. */
function messageOf(child) {
  return new Promise((resolve, reject) => {
    const exited = (code) => reject(new Error(`a process of the bench ended with ${code}`))
    child.once('exit', exited)
    child.once('message', (message) => {
      child.off('exit', exited)
      resolve(message)
    })
  })
}

/** Resolves when a process is over that was asked to end. */
function ended(child, ask) {
  const over = new Promise((resolve) => child.once('exit', resolve))
  ask()
  return over
}

/** Milliseconds of a node that does nothing. */
export function bareNode() {
  const begun = performance.now()
  const { status } = spawnSync(process.execPath, ['-e', '0'])
  if (status !== 0) throw new Error(`node -e 0 ended with ${status}`)
  return performance.now() - begun
}

// A server that is started as a user starts it, and looked at from outside.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { remembered } from '../children.js'

/** Milliseconds between two looks whether a server is ready, and until it should be. */
const [pause, patience] = [5, 60_000]

/** Variables by which programs are asked to send nothing and to look for no newer version. */
const silent = { DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1', DISABLE_TELEMETRY: '1', NO_COLOR: '1' }

/**
 * Starts a program in a folder of its own, which is also its home; `commandFor` says which, on a port. Resolves when it
 * answers a request for the path `ready`: `port`, `pid`, `readyMs` since it was started. Errors: Error when it ends before.
 */
export async function startProgram({ folder, files = {}, commandFor, ready, env = {} }) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const [program, ...args] = commandFor(port)
  const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
  const started = performance.now()
  const child = remembered(
    spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...silent, ...home, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints = `${complaints}${text}`.slice(-2_000)
  })
  const over = new Promise((resolve) => child.once('exit', resolve))
  while (!(await answers(port, ready))) {
    if ((child.exitCode ?? child.signalCode) !== null || performance.now() - started > patience) {
      child.kill('SIGKILL')
      throw new Error(`${program} ${args.join(' ')} did not get ready:\n${complaints}`)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  const readyMs = performance.now() - started
  return { port, pid: child.pid, readyMs, stop }

  /** Asks it to end, and makes it after five seconds. */
  async function stop() {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await over
    clearTimeout(late)
  }
}

/** Whether a server answers a request for a path, with whatever. */
function answers(port, path) {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false }, (incoming) => {
      incoming.resume()
      incoming.on('error', () => resolve(false)) // the server may end in the middle: the next look tells
      incoming.on('end', () => resolve(true))
    })
    outgoing.on('error', () => resolve(false)) // not ready yet
    outgoing.end()
  })
}

/** A port that is free now. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

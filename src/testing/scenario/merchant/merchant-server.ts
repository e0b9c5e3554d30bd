import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { poll } from '../../../client/client.ts'
import { send } from '../../../client/http.ts'
import { environmentWith } from '../../../client/sandbox-variables.ts'
import { bodyValue } from '../../../client/tolerant.ts'
import { isObject } from '../../../shared/is-object.ts'
import { portOf } from '../../../shared/text/http-url.ts'
import type { ServerSection } from './server-schema.ts'

/** The merchant's server cannot be started, or does not tell of its orders. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem'
}

/** What a section must say. */
export const whereIsIt = 'server must have a url, or start: the command that starts it'

/** How long a server may take until it listens. Milliseconds. */
const startTime = 20_000

/** How long the server, or a command, may take for an answer. Milliseconds. */
const answerTime = 15_000

/** The last part of what a command printed. Characters. */
const keptOutput = 2_000

/** What the merchant's server answers: the members of its JSON, and `httpStatus`. */
export interface ServerAnswer extends Readonly<Record<string, unknown>> {
  readonly httpStatus: number
}

/** A request to the merchant's server. `line`: `POST /orders`. */
export interface ServerCall {
  readonly line: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The folder in which the commands of a scenario run. */
export const commandFolder = ({ folder = '.' }: Pick<ServerSection, 'folder'>, file: string): string =>
  resolve(dirname(file), folder)

/** The merchant's server while a scenario runs: started for it, or one that runs already. */
export class MerchantServer {
  readonly #env: NodeJS.ProcessEnv
  /** What the server may keep, over its crashes; removed after the run. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbox-server-'))
  #child: ChildProcess | undefined
  /** The server, and commands that run: they end with this process. */
  readonly #running = new Set<ChildProcess>()
  #output = ''
  readonly #closed = new AbortController()
  /** Once it aborts, nothing starts any more, and nobody waits for it. */
  readonly #ending: AbortSignal
  /** Resolves once the server listens again. */
  #up: Promise<void> = Promise.resolve()

  private constructor(
    readonly section: ServerSection,
    readonly url: string,
    env: NodeJS.ProcessEnv,
    private readonly cwd: string,
    stop: AbortSignal | undefined,
  ) {
    this.#ending = AbortSignal.any([this.#closed.signal, ...(stop === undefined ? [] : [stop])])
    this.#env = { ...env, PORT: String(portOf(new URL(url))), TILLBOX_RUN_FOLDER: this.#folder }
    process.on('exit', this.#remove)
  }

  /**
   * `env`: variables that tell of the sandbox, if there is one; `file`: commands run beside it; `stop`: it is
   * waited for no longer.
   */
  static async open(
    section: ServerSection,
    env: Readonly<Record<string, string>> | undefined,
    file: string,
    stop?: AbortSignal,
  ) {
    if (section.url === undefined && section.start === undefined) throw new ServerProblem(whereIsIt)
    const url = section.url ?? `http://127.0.0.1:${await freePort()}`
    const environment = env === undefined ? process.env : environmentWith(env, process.env)
    const server = new MerchantServer(section, url, environment, commandFolder(section, file), stop)
    try {
      await server.#start()
    } catch (error) {
      await server.close()
      throw error
    }
    return server
  }

  /** Sends a request once the server listens. */
  async send({ line, body, headers = {} }: ServerCall): Promise<ServerAnswer> {
    await this.#up
    const [method = 'GET', path = '/'] = line.split(' ')
    const answer = await send({
      method,
      url: new URL(path, this.url),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        Connection: 'close', // a kept connection would break with the process
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: answerTime,
      signal: this.#ending,
    })
    const value = bodyValue(answer.body)
    return { ...(isObject(value) ? value : { body: value }), httpStatus: answer.status }
  }

  /** Runs a command with the server's environment. */
  async run(command: string): Promise<string> {
    await this.#up
    const child = this.#spawn(command, { TILLBOX_SERVER_URL: this.url })
    let printed = ''
    child.stdout?.on('data', (text) => {
      printed += text
    })
    let end = 'ended with'
    const timer = setTimeout(() => {
      end = `took longer than ${answerTime / 1_000} s, and ended with`
      killTree(child)
    }, answerTime)
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    if (code === 0) return printed
    throw new ServerProblem(`${command} ${end} ${code ?? 'a signal'}${this.#shownOutput()}`)
  }

  /** Kills the process, as a crash does, and starts it again. */
  crash(): Promise<void> {
    if (this.section.start === undefined)
      throw new ServerProblem('A server that runs already cannot be killed: write start: with its command')
    this.#up = this.#up.then(async () => {
      await this.#end()
      await this.#start()
    })
    return this.#up
  }

  /** Makes it forget all orders; false: it cannot, and has to be started anew. */
  async forget(): Promise<boolean> {
    const { reset } = this.section
    if (reset === undefined) return false
    const answer = await this.send({ line: reset }).catch(() => undefined)
    return answer !== undefined && answer.httpStatus < 300
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#up.catch(() => undefined) // reported where it was awaited
    await this.#end()
    process.off('exit', this.#remove)
    this.#remove()
  }

  async #start(): Promise<void> {
    const { start } = this.section
    if (start === undefined) return
    const child = this.#spawn(start)
    this.#child = child
    const listens = await poll(
      async () => (hasEnded(child) ? false : (await accepts(this.url)) || undefined),
      startTime,
      [5, 20],
      this.#ending,
    )
    if (listens) return
    const why =
      listens === false ? 'ended' : `does not listen at ${this.url}: it must take its port from PORT`
    throw new ServerProblem(`${start} ${why}${this.#shownOutput()}`)
  }

  #spawn(command: string, more: NodeJS.ProcessEnv = {}): ChildProcess {
    if (this.#ending.aborted) throw new ServerProblem(`${command} is not run: the server was closed`)
    if (!existsSync(this.cwd))
      throw new ServerProblem(`${command} cannot run: there is no folder ${this.cwd}`)
    const child = spawn(command, {
      cwd: this.cwd,
      env: { ...this.#env, ...more },
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32', // a group of its own, which ends with all its processes
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#output = (this.#output + text).slice(-keptOutput)
      })
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return child
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined || hasEnded(child)) return
    const ended = once(child, 'exit')
    killTree(child)
    await ended
    // its other processes may end a moment later, and have the port until then
    await poll(async () => ((await accepts(this.url)) ? undefined : true), startTime, [5, 20])
  }

  /** What still runs ends, and nothing stays behind. */
  readonly #remove = (): void => {
    for (const child of this.#running) killTree(child)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 }) // it may still write
  }

  #shownOutput(): string {
    const text = this.#output.trim()
    return text === '' ? '' : `. It printed:\n${text}`
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Kills a shell with what it started. */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
  else
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // it has just ended
    }
}

/** True when a connection is accepted. */
const accepts = (url: string): Promise<boolean> =>
  new Promise((done) => {
    const { hostname: host } = new URL(url)
    const socket = connect({ host, port: portOf(new URL(url)) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      done(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

/**
 * Ports below those that systems give to connections, and to whoever asks for any: such a port may be given
 * to somebody else while the server starts, or between a crash and its next start.
 */
const ports = { first: 10_000, count: 12_000 }

/** Each server takes the next. */
let offset = randomInt(ports.count)

/** A free port of loopback, on which nothing listens until the server does. Errors: ServerProblem. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.count; tries++) {
    offset = (offset + 1) % ports.count
    const port = ports.first + offset
    if (await isFree(port)) return port
  }
  throw new ServerProblem(
    `No port of 127.0.0.1 from ${ports.first} to ${ports.first + ports.count - 1} is free for the server`,
  )
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (listens) await once(server.close(), 'close')
  return listens
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/contract/sandbox/answers.ts'

/** The real binary. */
export const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** A folder that is gone after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a process said, and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface LaunchOptions {
  /** Working folder; left out, a new one. It is the home folder too. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What a shell does first, in the process that then becomes the binary. */
  readonly before?: string
  /** A script that is started in place of the binary. */
  readonly script?: string
}

/** A process of the binary. It is stopped at the end of the test, whatever happens. */
export interface Launched {
  readonly pid: number
  readonly cwd: string
  /** What it said so far. */
  said(): { stdout: string; stderr: string }
  /** Resolves when standard output matches; fails when the process ends before. */
  until(pattern: RegExp): Promise<string>
  /** Resolves when the process has ended. */
  ended(): Promise<Ended>
  /** Sends the signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Nothing of the settings of whoever runs the tests reaches the binary; NODE_ENV does, and must not matter. */
const environment = (cwd: string, env: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? '',
  HOME: cwd,
  NODE_ENV: process.env.NODE_ENV ?? '',
  ...env,
})

/** Starts the binary. */
export function launch(args: readonly string[], options: LaunchOptions = {}): Launched {
  const { cwd = scratchFolder(), env = {}, before, script = binary } = options
  const child = spawn(...commandOf([script, ...args], before), {
    cwd,
    env: environment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk
    })
  const ended: Promise<Ended> = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning(child)) child.kill(signal)
    return ended
  }
  onTestFinished(() => stop('SIGKILL').then(() => undefined))
  return {
    pid: child.pid ?? 0,
    cwd,
    said: () => ({ ...said }),
    ended: () => ended,
    stop,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(said.stdout)) resolve(said.stdout)
        }
        child.stdout?.on('data', look)
        look()
        ended.then(
          ({ code, stderr }) => reject(new Error(`the process ended with ${code}: ${stderr}`)),
          reject,
        )
      }),
  }
}

const commandOf = (args: readonly string[], before: string | undefined): [string, string[]] =>
  before === undefined
    ? [process.execPath, [...args]]
    : ['bash', ['-c', `${before}; exec "$0" "$@"`, process.execPath, ...args]]

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Runs a command of the binary to its end. */
export function tillbox(args: readonly string[], options: LaunchOptions = {}): Promise<Ended> {
  return launch(args, options).ended()
}

/** A sandbox that runs. */
export interface RunningBinary extends Launched, Omit<Connection, 'pid'> {
  /** Runs a command beside it: in the same folder, so that it finds the sandbox by itself. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** Runs a command with --json and returns its document; fails unless it ends with `code`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of many shapes
  json(args: readonly string[], code?: number): Promise<any>
  /** Sends a request with good headers. */
  send(method: string, path: string, options?: SendOptions): Promise<HttpAnswer>
}

/** Starts `sandbox start --port 0 --json` and waits for its one line. */
export async function startBinary(
  args: readonly string[] = [],
  options: LaunchOptions = {},
): Promise<RunningBinary> {
  return connect(launch(['sandbox', 'start', '--port', '0', '--json', ...args], options))
}

/** A script that starts a sandbox with options that the command line does not have. */
const sandboxScript = fileURLToPath(new URL('../long/sandbox.js', import.meta.url))

/** Starts a sandbox by the script, without waiting for it. */
export const launchScript = (options: object, cwd: string): Launched =>
  launch([JSON.stringify(options)], { cwd, script: sandboxScript })

/** Waits for the one line with which a sandbox says where it is. */
export async function connect(launched: Launched): Promise<RunningBinary> {
  const connection = JSON.parse(await launched.until(/^\{"url":.*\n/)) as Connection
  const { cwd } = launched
  const run: RunningBinary['run'] = (command, env = {}) => tillbox(command, { cwd, env })
  return {
    ...connection,
    ...launched,
    run,
    json: async (command, code = 0) => {
      const ended = await run([...command, '--json'])
      if (ended.code !== code)
        throw new Error(`${command.join(' ')} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`)
      return JSON.parse(ended.stdout)
    },
    send: (method, path, options = {}) => send(connection, method, path, options),
  }
}

interface SendOptions {
  /** Added to the good headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: unknown
  /** The body as it is, in place of `body`. */
  readonly text?: string
  /** Left out, a connection of its own. */
  readonly agent?: Agent | false
  /** Certificate to trust, PEM. */
  readonly ca?: string
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of many shapes
  readonly envelope: any
}

/** Sends one request over a real connection. Errors: the one of the connection. */
function send(
  { url, apiKey }: Pick<Connection, 'url' | 'apiKey'>,
  method: string,
  path: string,
  { headers = {}, body, text = JSON.stringify(body), agent = false, ca }: SendOptions = {},
): Promise<HttpAnswer> {
  const all = {
    Authorization: `Bearer ${apiKey}`,
    'X-Client-Request-Id': crypto.randomUUID(),
    'X-Timestamp': String(Date.now()),
    ...(text !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >
  const start = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = start(
      `${url}${path}`,
      { method, headers: sent, agent, ...(ca && { ca }) },
      (incoming) => {
        let answer = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk: string) => {
          answer += chunk
        })
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: answer,
            envelope: JSON.parse(answer),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

/** An agent that keeps connections open; it is gone after the test. */
export function keepAlive(connections: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  onTestFinished(() => agent.destroy())
  return agent
}

let count = 0

/** A new id that no other test has. */
export const newId = (prefix = 'E'): string => `${prefix}-${process.pid}-${Date.now()}-${++count}`

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { onTestFinished, test as plainTest } from 'vitest'
import type { Connection } from '../../../src/contract/control/control-answers.ts'
import type { AnyJson } from '../any-json.ts'
import { exchange, type PlainAnswer } from '../network/exchange.ts'
import { freePort } from '../network/ports.ts'
import { deadPid, lockPath } from '../store/locks.ts'
import { type LaunchOptions, launchBinary } from './binary.ts'
import { type CommandOptions, runCommand, startCommand } from './command.ts'
import { type CommandLine, wordsOf } from './command-line.ts'
import { type Ended, fails, type Launched, prints } from './launched.ts'
import { scratchFolder } from './scratch.ts'

/** A sandbox that `sandbox start` runs. */
export interface LaunchedSandbox extends Launched, Omit<Connection, 'pid'> {
  /** Runs a command beside it: in the same folder, so that it finds the sandbox by itself. */
  run(line: CommandLine, env?: Readonly<Record<string, string>>): Promise<Ended>
  /** The same for a command that must end with that code, and say the texts: see `fails` of launched.ts. */
  fails(line: CommandLine, code: number, ...texts: readonly (string | RegExp)[]): Promise<Ended>
  /** The same for a command that must succeed, and print the parts: see `prints` of launched.ts. */
  prints(line: CommandLine, ...parts: readonly (string | RegExp)[]): Promise<string>
  /** Runs a command with --json and returns its document; fails unless it ends with `code`: 0, or for a query any status. */
  json(line: CommandLine, code?: number): Promise<AnyJson>
  /** Sends a request with good headers. */
  send(method: string, path: string, options?: SandboxRequestOptions): Promise<SandboxAnswer>
}

/** Runs `sandbox start --json` in this process and waits for its one line. `port`: left out, a free one. */
export async function startSandboxCommand(
  flags: CommandLine = [],
  { port, ...options }: CommandOptions & { readonly port?: number } = {},
): Promise<LaunchedSandbox> {
  return awaitSandbox(startCommand([...(await start(port)), ...wordsOf(flags)], options))
}

/** The same sandbox again, after it is gone. */
export const startAgain = ({ cwd, port }: Pick<LaunchedSandbox, 'cwd' | 'port'>, flags: CommandLine = []) =>
  startSandboxCommand(flags, { cwd, port })

/** A test with a sandbox of its own, where it asks for one: `async ({ sandbox }) => …`. */
export const test = plainTest.extend('sandbox', () => startSandboxCommand())

/** The same by the binary: for a sandbox that is killed, or whose process is made to suffer. */
export async function spawnSandbox(
  flags: CommandLine = [],
  options: LaunchOptions = {},
): Promise<LaunchedSandbox> {
  return awaitSandbox(launchBinary([...(await start()), ...wordsOf(flags)], options))
}

/**
 * A new working folder with the state that kill -9 would leave at this moment: the files as they are, and a lock whose process is gone.
 * The sandbox goes on. Its files must not be changing: every request is answered.
 */
export function leftByKill({ cwd }: Pick<LaunchedSandbox, 'cwd'>): {
  readonly cwd: string
  readonly state: string
} {
  const left = scratchFolder()
  const state = join(left, '.tillbox')
  cpSync(join(cwd, '.tillbox'), state, { recursive: true })
  const lock = JSON.parse(readFileSync(lockPath(state), 'utf8'))
  writeFileSync(lockPath(state), JSON.stringify({ ...lock, pid: deadPid() }))
  return { cwd: left, state }
}

const start = async (port?: number) => [
  'sandbox',
  'start',
  '--port',
  `${port ?? (await freePort())}`,
  '--json',
]

/** Waits for the one line with which a sandbox says where it is. */
export async function awaitSandbox(launched: Launched): Promise<LaunchedSandbox> {
  const connection = JSON.parse(await launched.until(/^\{"url":.*\n/)) as Connection
  const { cwd } = launched
  const run: LaunchedSandbox['run'] = (command, env = {}) => runCommand(command, { cwd, env })
  return {
    ...connection,
    ...launched,
    run,
    fails: (line, code, ...texts) => fails(run(line), code, ...texts),
    prints: (line, ...parts) => prints(run(line), ...parts),
    json: async (line, code) => {
      const words = wordsOf(line)
      const ended = await run([...words, '--json'])
      const good = code === undefined ? (words[0] === 'query' ? [0, 4, 5] : [0]) : [code]
      if (!good.includes(Number(ended.code)))
        throw new Error(`${words.join(' ')} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`)
      return JSON.parse(ended.stdout)
    },
    send: (method, path, options = {}) => sendRequest(connection, method, path, options),
  }
}

interface SandboxRequestOptions {
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
export interface SandboxAnswer extends PlainAnswer {
  readonly envelope: AnyJson
}

/** Sends one request over a real connection. Errors: the one of the connection. */
export async function sendRequest(
  { url, apiKey }: Pick<Connection, 'url' | 'apiKey'>,
  method: string,
  path: string,
  { headers = {}, body, text = JSON.stringify(body), agent = false, ca }: SandboxRequestOptions = {},
): Promise<SandboxAnswer> {
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
  const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== null)
  const answer = await exchange(`${url}${path}`, {
    method,
    headers: Object.fromEntries(sent),
    text,
    agent,
    ca,
  })
  return { ...answer, envelope: JSON.parse(answer.text) }
}

/** An agent that keeps connections open; it is gone after the test. */
export function keepAlive(connections: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  onTestFinished(() => agent.destroy())
  return agent
}

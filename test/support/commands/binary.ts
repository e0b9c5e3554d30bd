import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { environmentIn } from './command.ts'
import { type CommandLine, wordsOf } from './command-line.ts'
import { type Ended, type Launched, untilOutput } from './launched.ts'
import { type AtEnd, scratchFolder } from './scratch.ts'

/** The real binary. Most tests run commands in their own process, see command.ts: this is where a process is the point. */
export const binary = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

export interface LaunchOptions {
  /** Working folder; left out, a new one. It is the home folder too. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What a shell does first, in the process that then becomes the binary. */
  readonly before?: string
  /** A script that is started in place of the binary. */
  readonly script?: string
  /** When it is ended and its new folder removed; left out, after the test. */
  readonly atEnd?: AtEnd
}

/** Starts the binary. */
export function launchBinary(line: CommandLine, options: LaunchOptions = {}): Launched {
  const { atEnd = onTestFinished, cwd = scratchFolder(atEnd), env = {}, before, script = binary } = options
  const child = spawn(...processCommand([script, ...wordsOf(line)], before), {
    cwd,
    env: { ...environmentIn(cwd), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[stream] += chunk
    })
  const ended: Promise<Ended> = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning(child)) child.kill(signal)
    return ended
  }
  atEnd(() => stop('SIGKILL').then(() => undefined))
  return {
    pid: child.pid ?? 0,
    cwd,
    output: () => ({ ...output }),
    ended: () => ended,
    stop,
    until: (pattern) =>
      untilOutput(
        pattern,
        (look) => child.stdout?.on('data', look),
        () => output.stdout,
        ended,
      ),
  }
}

const processCommand = (args: readonly string[], before: string | undefined): [string, string[]] =>
  before === undefined
    ? [process.execPath, [...args]]
    : ['bash', ['-c', `${before}; exec "$0" "$@"`, process.execPath, ...args]]

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Runs a command of the binary to its end. */
export function runBinary(line: CommandLine, options: LaunchOptions = {}): Promise<Ended> {
  return launchBinary(line, options).ended()
}

/** A script that starts a sandbox with options that the command line does not have. */
const sandboxScript = fileURLToPath(new URL('../../long/sandbox.js', import.meta.url))

/** Starts a sandbox by the script, without waiting for it. */
export const launchScript = (options: object, cwd: string): Launched =>
  launchBinary([JSON.stringify(options)], { cwd, script: sandboxScript })

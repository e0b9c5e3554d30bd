import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type CommandLine, wordsOf } from './command-line.ts'
import { type Ended, type Launched, untilOutput } from './launched.ts'
import { scratchFolder } from './scratch.ts'
import { type TerminalSize, VirtualProcess, type VirtualProcessOptions } from './virtual-process.ts'

export interface CommandOptions {
  /** Working folder; left out, a new one. It is the home folder too. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; left out, it is empty. */
  readonly stdin?: string | Readable
  /** Standard input and standard error are a terminal, or standard input alone. */
  readonly keyboard?: boolean | 'alone'
}

delete process.env.FORCE_COLOR // of whoever runs the tests: colours are decided where the bundle is loaded

/** A port on which nobody listens: no test meets a sandbox of whoever runs the tests. */
export const closedPort = '9'

/** Nothing of the settings of whoever runs the tests reaches a command; NODE_ENV does, and must not matter. */
export const environmentIn = (cwd: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: cwd,
  NODE_ENV: process.env.NODE_ENV ?? '',
  TILLBOX_PORT: closedPort,
})

const bin = new URL('../../../bin/run.js', import.meta.url).href
const main = () =>
  import('../../../dist/cli/main.js' as string) as Promise<{ run(dir: string): Promise<unknown> }>

/** Starts a command as a virtual process. It is stopped at the end of the test. */
function start(
  line: CommandLine,
  cwd: string,
  { env = {}, ...streams }: Omit<CommandOptions, 'cwd'> & Pick<VirtualProcessOptions, 'terminal'>,
): VirtualProcess {
  const command = new VirtualProcess({
    argv: wordsOf(line),
    cwd,
    env: { ...environmentIn(cwd), ...env },
    ...streams,
  })
  onTestFinished(async () => {
    command.signal('SIGTERM')
    await command.ended
  })
  command.run(async () => (await main()).run(bin))
  return command
}

/** A terminal on which a command runs in this process. */
export interface CommandTerminal {
  /** Everything that was written to it. */
  written(): string
  /** Types characters or escape sequences. */
  type(keys: string): void
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>
}

/** One whose mode can be looked at. */
export interface VirtualTerminal extends CommandTerminal {
  /** True while it hands on every key as it is typed. */
  isRaw(): boolean
}

interface TerminalOptions extends Partial<TerminalSize> {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a command on a terminal without colours, in this process. What a real terminal does is tested by pty.ts. */
export function openTerminal(
  line: CommandLine,
  { cwd, columns = 80, rows = 24, env = {} }: TerminalOptions,
): VirtualTerminal {
  const command = start(line, cwd, { env, terminal: { columns, rows } })
  return {
    written: () => command.output.both,
    type: (keys) => command.type(keys),
    isRaw: () => command.isRaw,
    ended: command.ended.then(({ code }) => code),
  }
}

/** A command that runs in this process. */
export interface StartedCommand extends Launched {
  /** Types characters or escape sequences, where it was started with a keyboard. */
  type(keys: string): void
}

/** Starts a command in this process: as `tillbox` would, without the start of a process. */
export function startCommand(line: CommandLine, options: CommandOptions = {}): StartedCommand {
  const { cwd = scratchFolder(), ...others } = options
  const command = start(line, cwd, others)
  return {
    pid: process.pid,
    cwd,
    output: () => command.output,
    ended: () => command.ended,
    type: (keys) => command.type(keys),
    stop: (signal = 'SIGTERM') => {
      command.signal(signal)
      return command.ended
    },
    until: (pattern) =>
      untilOutput(
        pattern,
        (look) => command.onOutput(look),
        () => command.output.stdout,
        command.ended,
      ),
  }
}

/** Runs a command in this process to its end. */
export function runCommand(line: CommandLine, options: CommandOptions = {}): Promise<Ended> {
  return startCommand(line, options).ended()
}

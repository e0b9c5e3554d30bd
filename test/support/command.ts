import { onTestFinished } from 'vitest'
import type { Ended, Launched } from './launched.ts'
import { scratchFolder } from './scratch.ts'
import { VirtualProcess } from './virtual-process.ts'

export interface CommandOptions {
  /** Working folder; left out, a new one. It is the home folder too. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; left out, it is empty. */
  readonly stdin?: string
}

delete process.env.FORCE_COLOR // of whoever runs the tests: colours are decided where the bundle is loaded

/** A port on which nobody listens: no test meets a sandbox of whoever runs the tests. */
export const nowhere = '9'

const bin = new URL('../../bin/run.js', import.meta.url).href
const main = () => import('../../dist/main.cjs' as string) as Promise<{ run(dir: string): Promise<unknown> }>

/** Starts a command in this process: as `tillbox` would, without the start of a process. It is stopped at the end of the test. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): Launched {
  const { cwd = scratchFolder(), env = {}, stdin } = options
  const command = new VirtualProcess({
    argv: args,
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: cwd,
      NODE_ENV: process.env.NODE_ENV ?? '',
      TILLBOX_PORT: nowhere,
      ...env,
    },
    ...(stdin !== undefined && { stdin }),
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    command.signal(signal)
    return command.ended
  }
  onTestFinished(() => stop().then(() => undefined))
  command.run(async () => (await main()).run(bin))
  return {
    pid: process.pid,
    cwd,
    said: () => command.output,
    ended: () => command.ended,
    stop,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const { stdout } = command.output
          if (pattern.test(stdout)) resolve(stdout)
        }
        command.onOutput(look)
        look()
        command.ended.then(({ code, stderr }) =>
          reject(new Error(`the command ended with ${code}: ${stderr}`)),
        )
      }),
  }
}

/** Runs a command in this process to its end. */
export function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return startCommand(args, options).ended()
}

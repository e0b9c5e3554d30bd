import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import spawn from 'cross-spawn'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { exitCodes, FailureError } from '../errors/exit-codes.ts'
import { isRunByPackageManager, onParentEnd } from '../interruption.ts'

const lookUp = 'Check the name: which'

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Exit codes of shells for a command that is not there or may not be run, and the remedy of each. */
const unstartable: Readonly<Record<string, readonly [code: number, why: string, look: string]>> = {
  ENOENT: [127, 'there is no such command', lookUp],
  EACCES: [126, 'this user may not run it', 'Look at its permissions: ls -l'],
}

/**
 * Runs a command with the streams of this process, and passes signals on; one of the keyboard reaches it by
 * itself. Resolves to its exit code, 128 and the signal's number when one ended it.
 */
export function runChild(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, args, { env, stdio: 'inherit' })
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
  }
  for (const signal of forwardedSignals) process.on(signal, pass)
  const unwatch = isRunByPackageManager() ? onParentEnd(() => child.kill('SIGTERM')) : () => undefined
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(command, args, error, env)))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]),
    )
  })
  return ended.finally(() => {
    unwatch()
    for (const signal of forwardedSignals) process.off(signal, pass)
  })
}

/** True for a name that no readable folder of PATH has: the system says EACCES for unreadable ones. */
const isNowhere = (command: string, { PATH = '' }: NodeJS.ProcessEnv): boolean =>
  !command.includes('/') && !PATH.split(delimiter).some((folder) => existsSync(join(folder, command)))

function cannotStart(
  command: string,
  args: readonly string[],
  { code, message }: NodeJS.ErrnoException,
  env: NodeJS.ProcessEnv,
): FailureError {
  const reason = code === 'EACCES' && isNowhere(command, env) ? 'ENOENT' : code
  const [exitCode, why, look] = unstartable[reason ?? ''] ?? [exitCodes.refused, message, lookUp]
  const isLine = args.length === 0 && command.includes(' ')
  const remedy = `${look} ${shellQuote(command)}${isLine ? `. For a line of the shell: sh -c ${shellQuote(command)}` : ''}`
  return new FailureError({ exitCode, message: `${command} cannot be started: ${why}`, remedy })
}

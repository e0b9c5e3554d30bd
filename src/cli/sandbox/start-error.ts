import type { Connection } from '../../contract/control/control-answers.ts'
import { generateToken } from '../../contract/control/tokens.ts'
import { takeOver, waysOut } from '../../shared/files/state-ownership.ts'
import { command } from '../../shared/text/commands.ts'
import { isDatabaseUrl } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { recordedRemedy } from '../drift/accepted.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { startFailureText } from '../errors/system-error.ts'
import { stateFlag } from './state-folder.ts'

/** Flags that say where webhooks go, by the setting they become. */
const targetFlags = {
  notifyUrl: 'notify-url',
  forwardTo: 'forward-to',
  webhookHosts: 'allow-webhook-host',
} as const

/** Errors of a start, recognised by name: only the start command loads the sandbox. */
interface StartError extends Error {
  /** Of OpenToAll and ForeignState. */
  readonly folder?: string
  /** Of ForeignState: Git tracks the folder. */
  readonly isTracked?: boolean
  /** Of LockedState: who uses the state. */
  readonly holder?: { readonly pid: number }
  /** Of PortTaken. */
  readonly port?: number
  /** Of ImportRefused: the file, and whether it would replace transactions. */
  readonly path?: string
  readonly isNotEmpty?: boolean
  /** Of NewerFormat: the tillbox that wrote the file. */
  readonly version?: string
  /** Of UnusableDatabase and ForeignState: what is wrong, without what to do. */
  readonly why?: string
  /** Of UnusableTarget: the setting that is wrong, and what to do. */
  readonly option?: keyof typeof targetFlags
  readonly remedy?: string
  /** Of a Refusal: what exactly is wrong, and with which setting. */
  readonly detail?: string | undefined
  readonly field?: string | undefined
}

/** Errors that say what is wrong themselves: the flag that it is about, and what to do. */
const remedies: Readonly<Record<string, readonly [flag: string | undefined, remedy: string]>> = {
  TokenNeeded: [
    'token',
    `Add --token ${generateToken}, which makes one and shows it, or --token <secret> of at least 16 characters`,
  ],
  PublishedKey: [
    'api-key',
    'Leave it out: the sandbox then makes a key and shows it. Or choose another one with --api-key',
  ],
  FixturesError: [
    'fixtures',
    'Nothing was started or changed. Correct the file: docs/fixtures.md has an example and the rules',
  ],
  WrongRecordedFile: [undefined, recordedRemedy],
  LostState: ['state', 'Another sandbox started at the same moment; use that one'],
}

/** Why the sandbox cannot start on a state folder, and what to do. */
export async function throwStartError(error: StartError, state: string): Promise<never> {
  const { name, message, remedy = '' } = error
  const [flag, usual] = remedies[name] ?? []
  if (usual !== undefined) throw new UsageError(message, usual, flag)
  const wrong = (flag: string, what: string, remedy: string) =>
    new UsageError(`--${flag}${what}`, remedy, flag)
  switch (name) {
    case 'UnusableTarget':
      throw wrong(targetFlags[error.option ?? 'notifyUrl'], `: ${message}`, remedy)
    case 'ImportRefused':
      throw wrong(
        'import',
        ` ${error.path}: ${message}`,
        error.isNotEmpty
          ? 'Replace its transactions with --yes, or name another folder with --state. Nothing was changed'
          : `${remedy || 'Check the file'}. Nothing was changed`,
      )
    case 'ForeignState': {
      const { why = '', folder = '', isTracked = false } = error
      const takingOver = command(`${takeOver}${stateFlag(state)}`)
      throw new UsageError(why, waysOut(folder, isTracked, takingOver), 'state')
    }
    case 'LockedState':
      throw new UsageError(message, await howToPassLock(error, state), 'state')
    case 'UnusableDatabase':
      throw wrong('store', `: ${error.why}`, remedy)
    case 'Refusal':
      if (error.field === 'token') throw wrong('token', `: ${error.detail}`, remedy)
      throw wrong(
        'store',
        `: ${error.detail ?? message}`,
        (error.cause as StartError | undefined)?.remedy ?? 'Start it again: another node may just have ended',
      )
    case 'DatabaseAway':
      throw wrong(
        'store',
        `: ${message}`,
        'Start PostgreSQL, or check host and port in the URL. Nothing was started',
      )
    case 'PortTaken': {
      const sandbox = await sandboxOnPort(error.port ?? 0)
      const holder = sandbox ? ` by process ${sandbox.pid}, a sandbox on ${sandbox.state}` : ''
      const stop = sandbox ? stopAdvice(sandbox) : 'stop what listens there'
      throw new UsageError(
        message + holder,
        `Name another port, or leave --port out: the sandbox of a folder takes the next free one. Or ${stop}`,
        'port',
      )
    }
  }
  if ('syscall' in error) throw new UsageError(...startFailureText(error as NodeJS.ErrnoException))
  const ofFolder = stateRemedy(error, stateFlag(state))
  throw ofFolder === undefined ? error : new UsageError(message, ofFolder, 'state')
}

/** How a sandbox is stopped that was found by its port: of a node the folder is not known here. */
const stopAdvice = ({ state }: Connection): string =>
  isDatabaseUrl(state)
    ? 'stop that one in the folder where it was started: `tillbox sandbox stop`'
    : `stop that one: ${command('sandbox stop --state', state)}`

/** What to do about a state folder that cannot be used; undefined for any other error. */
function stateRemedy({ name, folder = '', version = '' }: StartError, where: string): string | undefined {
  switch (name) {
    case 'DamagedLine':
    case 'DamagedFile':
      return (
        `Nothing was changed. Find the damage: ${command(`sandbox verify${where}`)}. Then restore the file, keep ` +
        `what is sound (${command(`sandbox repair${where}`)}), or name another folder with --state`
      )
    case 'OpenToAll':
      return `Close the folder to others: chmod 700 ${shellQuote(folder)}. Or name another one with --state`
    case 'NewerFormat':
      return `Nothing was changed. Use ${/^\d/.test(version) ? `tillbox ${version}, which` : 'the version that'} wrote it, or name another folder with --state`
  }
  return undefined
}

async function sandboxOnPort(port: number): Promise<Connection | undefined> {
  const { connect } = await import('../../client/discover.ts')
  return connect({ baseUrl: `http://127.0.0.1:${port}` }, 500).catch(() => undefined)
}

/** How long a start waits for the sandbox that has its folder. Milliseconds. */
const patience = 3_000

/** Only a sandbox that answers with the id of its lock is one to stop: the lock may name any process. */
async function howToPassLock({ holder }: StartError, state: string): Promise<string> {
  const { connectLocal: findSandbox } = await import('../../client/discover.ts')
  const { Unreachable } = await import('../../client/http.ts')
  const found = await findSandbox(state, undefined, patience).then(
    ({ pid }) => (pid === holder?.pid ? 'answers' : 'none'),
    (error) => (error instanceof Unreachable && !error.refused ? 'hangs' : 'none'),
  )
  const where = stateFlag(state)
  if (found === 'hangs')
    return (
      `It does not answer. If it was paused, kill -CONT ${holder?.pid} lets it go on; kill -9 ${holder?.pid} ends it, ` +
      'and no acknowledged payment is lost. Or name another folder with --state'
    )
  if (found === 'answers')
    return `Use that one, stop it with ${command(`sandbox stop${where}`)}, or name another folder with --state`
  return (
    `No sandbox answers for it. If process ${holder?.pid} is a sandbox that is starting, try again in 10 seconds; if ` +
    'it hangs, end it. Or name another folder with --state'
  )
}

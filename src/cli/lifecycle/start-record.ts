import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { connectWithLock } from '../../client/discover.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import type { StartRecord } from '../../contract/control/state-folder.ts'
import { command } from '../../shared/text/commands.ts'
import { withoutPassword } from '../../shared/text/http-url.ts'
import { exitCodes, FailureError, UsageError } from '../errors/exit-codes.ts'
import { pathInputs } from '../input/path-flags.ts'
import { type StartFlags, startFlags } from '../sandbox/start-flags.ts'

/** Flags that say where and how a sandbox runs this time, and not how it behaves. */
const notRecorded = new Set(['state', 'detach', 'detached-process'])

/** Flags kept out of a command line, which all users of the machine can read: URLs may have passwords. */
const secrets = ['api-key', 'token', 'notify-url', 'forward-to', 'store'] as const

/** The record of a start: each flag that was given. `options`: the key and token in effect. */
export function startRecord(
  flags: StartFlags,
  options: { readonly apiKey?: string | undefined; readonly token: string | null },
): StartRecord {
  const recorded = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && name in startFlags && !notRecorded.has(name),
  )
  return {
    ...(Object.fromEntries(recorded) as StartRecord),
    ...Object.fromEntries(
      recorded.filter(([name]) => pathInputs.has(name)).map(([name, path]) => [name, resolve(String(path))]),
    ),
    ...(options.apiKey !== undefined && { 'api-key': options.apiKey }),
    ...(options.token !== null && { token: options.token }),
  }
}

/** The secrets of a record, as flags. */
export const startSecrets = (record: StartRecord): { readonly [name in (typeof secrets)[number]]?: string } =>
  Object.fromEntries(
    secrets.flatMap((name) => (typeof record[name] === 'string' ? [[name, record[name]]] : [])),
  )

/** The command line of a record, without its secrets: those are in `startSecrets`. */
export const startArguments = (record: StartRecord): string[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (secrets.some((secret) => secret === name)) return []
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
    return [value].flat().map((each) => `--${name}=${each}`)
  })

/** An environment in which a start takes a record's secrets, and nothing that the record does not say. */
export function startEnvironment(record: StartRecord, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const flags: Readonly<Record<string, { readonly env?: string | undefined }>> = startFlags
  const flagVariables = new Set(Object.values(flags).flatMap(({ env: name }) => name ?? []))
  const others = Object.entries(env).filter(([name]) => !flagVariables.has(name))
  const values = startSecrets(record)
  const named = secrets.flatMap((flag) => (values[flag] ? [[flags[flag]?.env ?? '', values[flag]]] : []))
  return Object.fromEntries([...others, ...named])
}

/** Flags of a start without environment and defaults: of a sandbox that was started before. */
export const recordedFlags = Object.fromEntries<object>(
  Object.entries(startFlags).map(([name, flag]) => [
    name,
    { ...flag, env: undefined, defaultHelp: undefined },
  ]),
) as typeof startFlags

/** Address and mode of running stay the same, and imports were done by the first start. */
const {
  state,
  ephemeral,
  import: imported,
  yes,
  detach,
  'detached-process': detachedProcess,
  ...changeable
} = recordedFlags

/** Flags of `sandbox restart`: the flags of a start that change the sandbox's behaviour. */
export const restartFlags = changeable

/** The record with the typed flags in place of its own; of an option that is set twice, the last counts. */
export const changedRecord = (before: StartRecord, typed: StartRecord): StartRecord => ({
  ...before,
  ...typed,
  ...(typed.set !== undefined && { set: [before.set ?? [], typed.set].flat().map(String) }),
})

/**
 * What the sandbox that runs on a state folder was started with, where, and whether in a window. `store`:
 * URL of a database that was typed.
 */
export async function startOfRunning(folder: string, store: string | undefined) {
  const { lock, sandbox } = await connectWithLock(folder).catch(adviseStart)
  if (lock.start !== undefined) {
    const { import: imported, yes, ...record } = lock.start
    const whole = lock.lacksPassword && store === undefined ? withPassword(record) : record
    const from = lock.from !== undefined && existsSync(lock.from) ? lock.from : dirname(folder)
    return { record: whole, from, isInWindow: sandbox.runs === 'foreground' }
  }
  throw new FailureError({
    exitCode: exitCodes.refused,
    message: `The sandbox at ${lock.baseUrl} cannot be restarted from here`,
    detail: 'it was not started by tillbox sandbox start',
    remedy: 'Restart it where it was started',
  })
}

/** Nothing is there to restart: says how one is started. */
function adviseStart(error: Error): never {
  if (!(error instanceof NoSandbox) || error.isNode) throw error
  const start = command('sandbox start --state', error.state)
  const { message } = error
  throw new FailureError({ exitCode: exitCodes.unreachable, message, remedy: `Start one: ${start}` })
}

/** The password of a database is in no lock file: it comes from the environment, as at the start. */
function withPassword(record: StartRecord): StartRecord {
  const { TILLBOX_STORE: store, PGPASSWORD: password } = process.env
  if (store && withoutPassword(store) === record.store) return { ...record, store }
  if (password) return record
  throw new UsageError(
    `The password of the database ${record.store} is not kept, and nothing here has it`,
    'Nothing was stopped. Set PGPASSWORD or TILLBOX_STORE as for the start, or add --store with the whole URL',
    'store',
  )
}

import { lockedSandbox } from '../../client/discover.ts'
import type { StartRecord } from '../../contract/sandbox/state-folder/lock-file.ts'
import { withoutPassword } from '../../text/without-password.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { FailureError } from '../errors/failure.ts'
import { UsageError } from '../errors/usage-error.ts'
import { startFlags } from '../sandbox/start-flags.ts'

/** Flags of a start that take nothing from the environment: of a sandbox that was started before. */
export const recordedFlags = Object.fromEntries(
  Object.entries(startFlags).map(([name, { env: _, ...flag }]) => [name, flag]),
) as typeof startFlags

/** Address and mode of running stay the same, and imports were done by the first start. */
const { state, ephemeral, import: imported, yes, detach, background, ...changeable } = recordedFlags

/** Flags of `sandbox restart`: the flags of a start that change the sandbox's behaviour. */
export const restartFlags = changeable

/** The record with the typed flags in place of its own; of an option that is set twice, the last counts. */
export const changedRecord = (before: StartRecord, typed: StartRecord): StartRecord => ({
  ...before,
  ...typed,
  ...(typed.set !== undefined && { set: [before.set ?? [], typed.set].flat().map(String) }),
})

/** What a sandbox was started with, and whether it runs in a window. */
interface RunningStart {
  readonly record: StartRecord
  readonly isInWindow: boolean
}

/**
 * What the sandbox that runs on a state folder was started with. `store`: URL of a database that was typed.
 * Errors: as `lockedSandbox`; FailureError for one that no command started; UsageError where nothing has the password of its
 * database.
 */
export async function startOfRunning(folder: string, store: string | undefined): Promise<RunningStart> {
  const { lock, sandbox } = await lockedSandbox(folder)
  if (lock.start !== undefined) {
    const { import: imported, yes, ...record } = lock.start
    const whole = lock.lacksPassword && store === undefined ? withPassword(record) : record
    return { record: whole, isInWindow: sandbox.runs === 'foreground' }
  }
  throw new FailureError({
    exitCode: exitCodes.refused,
    message: `The sandbox at ${lock.baseUrl} cannot be restarted from here`,
    detail: 'it was not started by tillbox sandbox start',
    remedy: 'Restart it where it was started',
  })
}

/** The password of a database is in no lock file: it comes from the environment, as at the start. Errors: UsageError. */
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

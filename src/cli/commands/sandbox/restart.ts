import type { StartRecord } from '../../../contract/control/state-folder.ts'
import { generateToken } from '../../../contract/control/tokens.ts'
import { makeEphemeralFolder } from '../../../shared/files/ephemeral.ts'
import { requireOwnState } from '../../../shared/files/state-ownership.ts'
import { BaseCommand } from '../../base-command.ts'
import { FailureError, interruptedCode } from '../../errors/exit-codes.ts'
import { parseWait } from '../../input/typed-values.ts'
import { startDetached } from '../../lifecycle/detach.ts'
import {
  changedRecord,
  recordedFlags,
  restartFlags,
  startArguments,
  startOfRunning,
  startRecord,
  startSecrets,
} from '../../lifecycle/start-record.ts'
import { stopSandbox } from '../../lifecycle/stop.ts'
import { throwStartError } from '../../sandbox/start-error.ts'
import { startOptions, withProject } from '../../sandbox/start-options.ts'
import { folderOfSandbox, folderSandboxFlags, stopTimeoutFlag } from '../../sandbox/state-folder.ts'
import { detachedDocument, renderDetached } from '../../sandbox/status-panel.ts'

export default class SandboxRestart extends BaseCommand {
  static override summary = 'Restart the sandbox, with the same options.'
  static override description =
    'Stops the sandbox of the state folder and starts it again on the same port, in the background, with the flags of its last ' +
    'start but --import, and the options of tillbox.config.json as they are now. Flags that you give replace those of the same name, and --no-… turns a switch off; the next restart ' +
    'keeps them, too. If the sandbox cannot start with them, it runs again as before. A temporary state folder is replaced by ' +
    'a new one.'
  static override examples = [
    'tillbox sandbox restart',
    'tillbox sandbox restart --pace 800 --retries fast',
    'tillbox sandbox restart --no-strict',
  ]
  static override flags = {
    ...stopTimeoutFlag,
    ...folderSandboxFlags,
    ...restartFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxRestart)
    const state = folderOfSandbox(flags)
    const wait = parseWait(flags.timeout, 'timeout')
    const typed = Object.fromEntries(
      Object.entries(flags).filter(([name, value]) => name in restartFlags && value !== undefined),
    ) as StartRecord
    const before = await startOfRunning(state, typed.store === undefined ? undefined : String(typed.store))
    const record = await this.checked(changedRecord(before.record, typed), before.from)
    await this.requireOwn(state)
    const stopped = await stopSandbox(state, wait)
    const start = (record: StartRecord) =>
      startDetached(record, record.ephemeral === true ? makeEphemeralFolder() : state, before.from)
    const started = await start(record).catch(async (error) => {
      if (error instanceof FailureError && error.failure.exitCode === interruptedCode) throw error
      const isBack = await this.checked(before.record, before.from)
        .then(start)
        .then(
          () => true,
          () => false,
        )
      process.stderr.write(
        isBack ? 'The sandbox runs again with the flags that it had.\n' : 'The sandbox has stopped.\n',
      )
      throw error
    })
    const made = typed.token === generateToken && { token: String(record.token) }
    const document = { ...detachedDocument({ ...started, ...made }), stopped }
    if (before.isInWindow)
      process.stderr.write('The sandbox ran in a window, and runs in the background now.\n')
    await this.show(document, () => renderDetached({ ...started, ...made }, 'was restarted'))
  }

  /** Stops nothing that could not start again. */
  async requireOwn(state: string): Promise<void> {
    try {
      requireOwnState(state)
    } catch (error) {
      await throwStartError(error as Error, state)
    }
  }

  /** The record as a start would take it, before anything is stopped. */
  async checked(record: StartRecord, from: string): Promise<StartRecord> {
    const parsed = await this.parse({ flags: recordedFlags }, startArguments(record))
    const flags = { ...parsed.flags, ...startSecrets(record) }
    const options = startOptions(withProject(flags, from))
    const { checkedOptions } = await import('../../../server/checked-options.ts')
    await checkedOptions(options).catch((error) => throwStartError(error, options.state))
    return startRecord(flags, options)
  }
}

import type { Stopped } from '../../answer-shapes.ts'
import { BaseCommand } from '../../base-command.ts'
import { hint } from '../../hints/same-sandbox.ts'
import { parseWait } from '../../input/typed-values.ts'
import { stopSandbox } from '../../lifecycle/stop.ts'
import { clean } from '../../output/clean.ts'
import { folderOfSandbox, folderSandboxFlags, stopTimeoutFlag } from '../../sandbox/state-folder.ts'

export default class SandboxStop extends BaseCommand {
  static override summary = 'Stop the sandbox of this folder.'
  static override description =
    'Stops the sandbox of the state folder, in a window or in the background, and waits until the folder is free. Every ' +
    'payment is kept. Succeeds too when none runs.'
  static override examples = ['tillbox sandbox stop', 'tillbox sandbox stop --timeout 30s --json']
  static override flags = {
    ...stopTimeoutFlag,
    ...folderSandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStop)
    const stopped = await stopSandbox(folderOfSandbox(flags), parseWait(flags.timeout, 'timeout'))
    await this.show(stopped, () => stoppedText(stopped))
  }
}

const stoppedText = (stopped: Stopped): string => {
  const { state } = stopped
  if (stopped.status === 'stopped') {
    const remains = stopped.kept ? `every payment is kept in ${state}` : 'its temporary state was removed'
    return `${clean(`Stopped the sandbox at ${stopped.url} (process ${stopped.pid}); ${remains}.`)}\n`
  }
  const { note } = stopped
  return `${clean(`No sandbox runs on ${state}.`)}\n${note === null ? '' : `${hint(clean(note))}\n`}`
}

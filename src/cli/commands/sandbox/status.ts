import { control } from '../../../client/client.ts'
import { runsAt } from '../../../client/discover.ts'
import { readLock } from '../../../client/sandbox-lock.ts'
import { hiddenKey } from '../../../contract/control/request-log-answers.ts'
import type { StartRecord } from '../../../contract/control/state-folder.ts'
import { shownRecord } from '../../sandbox/shown-start.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxStatus extends SandboxCommand {
  static override summary = 'Show the running sandbox: URL, process, state, terminals.'
  static override description =
    'Shows the last four characters of the API key; tillbox sandbox env shows all of it. The flags of the start are shown ' +
    'without secrets.'
  static override examples = ['tillbox sandbox status', 'tillbox sandbox status --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStatus)
    const sandbox = await this.find(flags)
    const { ca, token, baseUrl, stateFolder, ...facts } = sandbox
    const start = startOn(stateFolder ?? facts.state, baseUrl)
    const connection = { ...facts, apiKey: hiddenKey(facts.apiKey) }
    const [health, stored, clock, { faults }, all] = await Promise.all([
      control(sandbox, 'health'),
      control(sandbox, 'state'),
      control(sandbox, 'clock'),
      control(sandbox, 'faults'),
      control(sandbox, 'terminals'),
    ])
    const terminals = all.terminals.filter(({ appId }) => appId === connection.appId)
    const status = { health, stored, clock, faults, terminals, ...(start && { start }) }
    await this.show({ ...connection, ...status }, async () =>
      (await import('../../sandbox/status-panel.ts')).renderStatus({ connection, ...status }),
    )
  }
}

/** The flags of the start, by the lock file; undefined if the folder is another's, or has no record. */
function startOn(folder: string, baseUrl: string): StartRecord | undefined {
  const lock = runsAt(folder, baseUrl) ? readLock(folder) : undefined
  if (lock?.start === undefined) return undefined
  return shownRecord(lock.isFreePort ? { ...lock.start, port: 0 } : lock.start)
}

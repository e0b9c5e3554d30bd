import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { control } from '../../client/client.ts'

export default class SandboxStatus extends BaseCommand {
  static override summary = 'Show the running sandbox: URL, key, terminals and state.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status --json']
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStatus)
    const sandbox = await sandboxOf(flags)
    const { ca, token, baseUrl, stateFolder, ...connection } = sandbox
    const [health, stored, clock, faults, injected, all] = await Promise.all([
      control(sandbox, 'health'),
      control(sandbox, 'state'),
      control(sandbox, 'clock'),
      control(sandbox, 'webhook-faults'),
      control(sandbox, 'faults'),
      control(sandbox, 'terminals'),
    ])
    const terminals = all.terminals.filter(({ appId }) => appId === connection.appId)
    const status = { health, stored, clock, faults, injected: injected.faults, terminals }
    await this.show(flags.json, { ...connection, ...status }, async () =>
      (await import('../../cli/sandbox/panel.ts')).renderStatus({ connection, ...status }),
    )
  }
}

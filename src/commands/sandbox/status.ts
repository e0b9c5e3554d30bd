import { BaseCommand, stateFlag } from '../../cli/base-command.ts'
import { sandboxOf, sandboxUrlFlag } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { control } from '../../client/client.ts'
import type { ClockReading, Health, StateSummary, TerminalList } from '../../contract/sandbox/answers.ts'
import type { WebhookFaults } from '../../contract/sandbox/webhooks.ts'

export default class SandboxStatus extends BaseCommand {
  static override summary = 'Show the running sandbox: URL, key, terminals and state.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status --json']
  static override flags = { ...sandboxUrlFlag, state: stateFlag }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStatus)
    const sandbox = await sandboxOf(flags)
    const { ca, token, baseUrl, stateFolder, ...connection } = sandbox
    const [health, stored, clock, faults, all] = await Promise.all([
      control<Health>(sandbox, 'health'),
      control<StateSummary>(sandbox, 'state'),
      control<ClockReading>(sandbox, 'clock'),
      control<WebhookFaults>(sandbox, 'webhook-faults'),
      control<TerminalList>(sandbox, 'terminals'),
    ])
    const terminals = all.terminals.filter(({ appId }) => appId === connection.appId)
    const status = { health, stored, clock, faults, terminals }
    await this.show(flags.json, { ...connection, ...status }, async () =>
      (await import('../../cli/sandbox/panel.ts')).renderStatus({ connection, ...status }),
    )
  }
}

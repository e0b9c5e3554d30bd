import { integer } from '@oclif/core/flags'
import { sandboxFlags } from '../cli/connection/sandbox-address.ts'
import { SandboxCommand } from '../cli/sandbox-command.ts'

export default class Audit extends SandboxCommand {
  static override summary = 'Show who changed what, and who was refused.'
  static override description =
    'Every change through the control interface or a page, and every request that was refused for its token, the newest ' +
    'last: when, with which token, what, in which space, and what came of it. Payments and what shoppers do are not in it: ' +
    `see tillbox logs tail. Times are those of the wall clock.`
  static override examples = [
    '<%= config.bin %> audit',
    '<%= config.bin %> audit --space ci-1 --limit 20 --json',
  ]
  static override listMember = 'entries'
  static override flags = {
    limit: integer({ description: 'Maximum number of lines.', default: 100, min: 1, max: 10_000 }),
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Audit)
    const members = { limit: String(flags.limit) }
    await this.ask(flags, 'audit', { members }, async (list) =>
      (await import('../cli/access/render-audit.ts')).renderAudit(list),
    )
  }
}

import { boolean, integer, string } from '@oclif/core/flags'
import { sandboxFlags } from '../../cli/connection/sandbox-address.ts'
import { momentFrom } from '../../cli/input/time.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class WebhookList extends SandboxCommand {
  static override summary = 'List webhook deliveries, the newest last.'
  static override description = `Each shows its id, the number of attempts and the result of the last one.`
  static override examples = [
    '<%= config.bin %> webhook list',
    '<%= config.bin %> webhook list --failed --since 2026-11-20T12:00:00Z --json',
  ]
  static override listMember = 'deliveries'
  static override memberFlags = { transactionId: 'transaction', state: 'failed' }
  static override flags = {
    failed: boolean({ description: 'Only failed deliveries.' }),
    pending: boolean({ description: 'Only pending deliveries.', exclusive: ['failed'] }),
    transaction: string({ description: 'Only deliveries of this transaction.' }),
    since: string({ description: 'Only deliveries since this time, ISO 8601 with offset.' }),
    limit: integer({ description: 'Maximum number of deliveries.', default: 100, min: 1, max: 99_999 }),
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookList)
    const members = {
      ...(flags.failed && { state: 'failed' }),
      ...(flags.pending && { state: 'pending' }),
      ...(flags.transaction && { transactionId: flags.transaction }),
      ...(flags.since !== undefined && { since: momentFrom(flags.since, 'since') }),
      limit: String(flags.limit),
    }
    const isFiltered = Object.keys(members).length > 1
    await this.ask(flags, 'webhooks', { members }, async (list) =>
      (await import('../../cli/webhook/render-deliveries.ts')).renderDeliveries(list, isFiltered),
    )
  }
}

import { boolean, integer, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { controlLimits } from '../../../contract/control/control.ts'
import { rangeFrom, timeForms } from '../../input/typed-values.ts'
import { flaggedTransaction, transactionFlag } from '../../operation/earlier-result.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class WebhookList extends SandboxCommand {
  static override summary = 'List webhook deliveries, newest first.'
  static override description =
    'Each shows its id, the number of attempts and the result of the last one. Times are those of the sandbox clock.'
  static override examples = [
    'tillbox webhook list',
    'tillbox webhook list --failed --since 1d --json',
    'tillbox webhook list --since 2026-11-20T12:00:00Z --until 2026-11-20T13:00:00Z',
  ]
  static override listMember = 'deliveries'
  static override memberFlags = { transactionId: 'transaction', state: 'failed' }
  static override flags = {
    failed: boolean({ description: 'Only deliveries that failed, or whose last attempt failed.' }),
    pending: boolean({ description: 'Only pending deliveries.', exclusive: ['failed'] }),
    ...transactionFlag('Only deliveries of this transaction'),
    since: string({
      description: `Only deliveries since this time of the sandbox clock: ${timeForms}.`,
      helpValue: '<time>',
    }),
    until: string({ description: 'Only deliveries before this time.', helpValue: '<time>' }),
    limit: integer({
      description: 'Maximum number of deliveries.',
      default: 100,
      min: 1,
      max: controlLimits.deliveries,
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookList)
    const sandbox = await this.find(flags)
    const members = {
      state: flags.failed ? 'failing' : flags.pending ? 'pending' : undefined,
      transactionId: (await flaggedTransaction(flags, sandbox)) || undefined,
      ...(await rangeFrom(flags, async () => (await control(sandbox, 'clock')).now)),
    }
    const isFiltered = Object.values(members).some((value) => value !== undefined)
    const { deliveries } = await control(sandbox, 'webhooks', { ...members, limit: flags.limit })
    const list = { deliveries: [...deliveries].reverse() }
    await this.show(list, async () =>
      (await import('../../webhook/render-deliveries.ts')).renderDeliveries(list, isFiltered),
    )
  }
}

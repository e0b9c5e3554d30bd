import { string as stringArg } from '@oclif/core/args'
import { integer } from '@oclif/core/flags'
import {
  mostConcurrency,
  usualConcurrency,
  webhookOrders,
} from '../../../contract/control/webhook-delivery.ts'
import { command } from '../../../shared/text/commands.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class WebhookOrder extends SandboxCommand {
  static override summary = 'Show or set the order of deliveries to one URL.'
  static override description =
    'relaxed sends one delivery after another, without waiting for retries. strict waits until each is delivered or given up. ' +
    'concurrent sends several at once, and answers may come in any order. The order holds for every URL from the next attempt ' +
    'on, and survives a restart; the option webhookOrder of a start overrides it. To shuffle deliveries by a seed: ' +
    'tillbox sandbox fault reorder=3.'
  static override examples = [
    'tillbox webhook order',
    'tillbox webhook order concurrent',
    'tillbox webhook order concurrent --concurrency 2',
    'tillbox webhook order relaxed',
  ]
  static override args = {
    order: stringArg({
      description: 'The order to set; left out, it is shown.',
      options: [...webhookOrders],
    }),
  }
  static override flags = {
    concurrency: integer({
      description: 'Maximum number of simultaneous attempts to one URL; concurrent order only.',
      defaultHelp: async () => String(usualConcurrency),
      min: 1,
      max: mostConcurrency,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookOrder)
    const { concurrency } = flags
    if (concurrency !== undefined && args.order !== 'concurrent')
      throw new UsageError(
        ['--concurrency', `${concurrency} is only for the concurrent order`],
        `Run ${command('webhook order concurrent --concurrency', String(concurrency))}`,
      )
    const name = args.order === undefined ? 'webhook-schedule' : 'set-webhook-schedule'
    const members = { order: args.order, concurrency }
    await this.ask(flags, name, { members }, async (schedule) =>
      (await import('../../webhook/render-webhooks.ts')).renderOrder(schedule),
    )
  }
}

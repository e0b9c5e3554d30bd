import { string } from '@oclif/core/args'
import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { ownerIn, transactionIdOf } from '../../cli/operation/earlier-result.ts'
import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { controlLimits } from '../../contract/sandbox/control.ts'
import type { WebhookStory } from '../../contract/sandbox/webhooks.ts'

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show a notification with its attempts in full.'
  static override description =
    'Shows requests and responses with their headers, and the first 8 KB of a response body. Attempts in a row with the ' +
    'same body and the same answer are shown once, by the last of them; --json has each. The id of a transaction shows all ' +
    'of its notifications that were sent.'
  static override examples = [
    'tillbox webhook show 9bd81f17-e7fd-8000-8006-60b2cc789660',
    'tillbox webhook show 1795159696581000 --json',
  ]
  static override args = {
    id: string({
      description: 'Id of the webhook, or of a transaction; @last for the latest.',
      required: true,
    }),
  }
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookShow)
    const sandbox = await sandboxOf(flags)
    const id = await transactionIdOf(args.id, ownerIn(sandbox))
    const ids = /^\d+$/.test(id) ? await notificationsOf(sandbox, id) : [id]
    const stories: WebhookStory[] = []
    for (const id of ids) stories.push(await control(sandbox, 'webhook', undefined, { names: { id } }))
    const story = { deliveries: stories.flatMap(({ deliveries }) => deliveries) }
    await this.show(flags.json, story, async () =>
      (await import('../../cli/webhook/render-deliveries.ts')).renderWebhook(story),
    )
  }
}

/** Ids of the notifications of a transaction; without any, the given id, so that the sandbox refuses it. */
async function notificationsOf(sandbox: SandboxAddress, transactionId: string): Promise<readonly string[]> {
  const limit = String(controlLimits.deliveries)
  const { deliveries } = await control(sandbox, 'webhooks', { transactionId, limit })
  const ids = [...new Set(deliveries.map(({ id }) => id))]
  return ids.length === 0 ? [transactionId] : ids
}

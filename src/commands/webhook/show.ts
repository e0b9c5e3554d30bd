import { string } from '@oclif/core/args'
import { BaseCommand, stateFlag } from '../../cli/base-command.ts'
import { sandboxOf, sandboxUrlFlag } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { control } from '../../client/client.ts'
import type { WebhookStory } from '../../contract/sandbox/webhooks.ts'

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show a notification with every attempt in full.'
  static override description =
    `Shows requests and responses with their headers, and the first 8 KB of a response body.\n\n${exitHelp}`
  static override examples = ['<%= config.bin %> webhook show 9bd81f17-e7fd-8000-8006-60b2cc789660']
  static override args = { id: string({ description: 'Id of the webhook.', required: true }) }
  static override flags = { ...sandboxUrlFlag, state: stateFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookShow)
    const names = { id: args.id }
    const story = await control<WebhookStory>(await sandboxOf(flags), 'webhook', undefined, { names })
    await this.show(flags.json, story, async () =>
      (await import('../../cli/webhook/render-webhooks.ts')).renderWebhook(story),
    )
  }
}

import { string } from '@oclif/core/args'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class WebhookShow extends SandboxCommand {
  static override summary = 'Show a notification with every attempt in full.'
  static override description =
    `Shows requests and responses with their headers, and the first 8 KB of a response body.\n\n${exitHelp}`
  static override examples = ['<%= config.bin %> webhook show 9bd81f17-e7fd-8000-8006-60b2cc789660']
  static override args = { id: string({ description: 'Id of the webhook.', required: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookShow)
    await this.ask(flags, 'webhook', { names: { id: args.id } }, async (story) =>
      (await import('../../cli/webhook/render-webhooks.ts')).renderWebhook(story),
    )
  }
}

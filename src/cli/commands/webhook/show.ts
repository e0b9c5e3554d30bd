import { string } from '@oclif/core/args'
import { SandboxCommand, summaryOf } from '../../sandbox-command.ts'
import { notificationsNamed, webhookStories } from '../../webhook/webhook-stories.ts'

export default class WebhookShow extends SandboxCommand {
  static override summary = summaryOf('webhook')
  static override description =
    'Shows requests and responses with their headers, and the first 8 KB of a response body. The id of a transaction shows all ' +
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

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookShow)
    const sandbox = await this.find(flags)
    const story = await webhookStories(sandbox, await notificationsNamed(sandbox, args.id))
    await this.show(story, async () =>
      (await import('../../webhook/render-deliveries.ts')).renderWebhook(story),
    )
  }
}

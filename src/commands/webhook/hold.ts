import { sandboxFlags } from '../../cli/connection/sandbox-address.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class WebhookHold extends SandboxCommand {
  static override summary = 'Hold back every webhook delivery.'
  static override description =
    'From now on every delivery stays pending, retries and those of tillbox listen included; an attempt under way is ' +
    'finished. tillbox webhook release sends them, in any order. The hold survives a restart.'
  static override examples = [
    'tillbox webhook hold',
    'tillbox webhook hold && tillbox trigger refund-partial',
  ]
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookHold)
    await this.ask(flags, 'hold-webhooks', { members: { hold: true } }, async (hold) =>
      (await import('../../cli/webhook/render-webhooks.ts')).renderHold(hold),
    )
  }
}

import { controlCommand } from '../../sandbox-command.ts'

export default class WebhookHold extends controlCommand('hold-webhooks', async (hold) =>
  (await import('../../webhook/render-webhooks.ts')).renderHold(hold),
) {
  static override summary = 'Hold back every webhook delivery.'
  static override description =
    'From now on every delivery stays pending, retries and those of tillbox listen included; an attempt under way is ' +
    'finished. tillbox webhook release sends them, in any order. The hold survives a restart.'
  static override examples = [
    'tillbox webhook hold',
    'tillbox webhook hold && tillbox trigger refund-partial',
  ]
  override readonly request = { members: { hold: true } }
}

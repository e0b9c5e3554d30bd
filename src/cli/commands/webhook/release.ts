import { string as stringArg } from '@oclif/core/args'
import { mostReleased, releaseTimeout } from '../../../contract/control/webhook-delivery.ts'
import { exitCodes, UsageError } from '../../errors/exit-codes.ts'
import { SandboxCommand, summaryOf } from '../../sandbox-command.ts'
import { waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'

export default class WebhookRelease extends SandboxCommand {
  static override summary = summaryOf('release-webhooks')
  static override description =
    'Each named webhook is attempted once, after the one before it was answered. The others stay held, and so does ' +
    'one whose attempt failed: the exit code is 4 then. Without ids the hold ends, and deliveries continue as usual.'
  static override examples = [
    'tillbox webhook release',
    'tillbox webhook release 9bd81f17-e7fd-8000-8006-60b2cc789660',
    'tillbox webhook release --wait-webhooks',
  ]
  static override args = {
    id: stringArg({ description: 'Ids of the webhooks, in order; left out, the hold ends.' }),
  }
  static override strict = false
  static override memberFlags = { ids: 'id' }
  static override flags = { ...waitWebhooksFlags }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(WebhookRelease)
    const ids = argv as string[]
    if (ids.length > mostReleased)
      throw new UsageError(
        `${ids.length} webhooks are named`,
        `Name ${mostReleased} at most, or none for all`,
        'id',
      )
    const request = { members: ids.length > 0 ? { ids } : {}, timeout: releaseTimeout(ids.length) }
    const { released } = await this.ask(flags, 'release-webhooks', request, async (answer) =>
      (await import('../../webhook/render-webhooks.ts')).renderRelease(answer),
    )
    if (released.some(({ state }) => state !== 'delivered')) process.exitCode = exitCodes.unsuccessful
  }
}

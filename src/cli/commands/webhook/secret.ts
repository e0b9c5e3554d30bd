import { boolean, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { BaseCommand } from '../../base-command.ts'
import { applicationFlags, applicationMembers, callerFrom } from '../../connection/application.ts'
import { resolveSandbox } from '../../connection/sandbox-address.ts'
import { parseDurationFlag } from '../../input/typed-values.ts'
import { clean } from '../../output/clean.ts'
import { timeText } from '../../output/render-time.ts'
import { signatureInShort } from '../../webhook/webhook-input.ts'

export default class WebhookSecret extends BaseCommand {
  static override summary = 'Show or rotate the webhook signing secret.'
  static override description =
    `The secret of your application. It stays until you rotate it. While the old one is valid, webhooks carry both signatures. ${signatureInShort}`
  static override examples = [
    'tillbox webhook secret',
    'tillbox webhook secret --json',
    'tillbox webhook secret --rotate --grace 1h',
  ]
  static override memberFlags = { graceMs: 'grace', ...applicationMembers }
  static override flags = {
    rotate: boolean({ description: 'Make a new secret.' }),
    grace: string({
      description: 'How long the old secret stays valid: 1h, 7d, or seconds; default: 24h.',
      dependsOn: ['rotate'],
    }),
    ...applicationFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookSecret)
    const graceMs = parseDurationFlag(flags.grace ?? '24h', 'grace')
    const sandbox = await resolveSandbox(flags, {
      asks: flags.rotate ? 'rotate-webhook-secret' : 'webhook-secret',
    })
    const { members, apiKey } = await callerFrom(flags)
    const { secret, previous } = flags.rotate
      ? await control(sandbox, 'rotate-webhook-secret', { ...members, graceMs }, { apiKey })
      : await control(sandbox, 'webhook-secret', members, { apiKey })
    if (flags.rotate) process.stderr.write(`${oldSecretText(graceMs, previous?.validUntil)}\n`)
    await this.show({ secret }, () => `${clean(secret)}\n`)
  }
}

const oldSecretText = (graceMs: number, until: string | undefined): string =>
  graceMs === 0 || until === undefined
    ? 'The old secret is not valid any more'
    : `Until ${timeText(clean(until))} (sandbox clock) the old secret stays valid, and webhooks carry both signatures`

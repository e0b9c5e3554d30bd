import { boolean, string } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { durationOf } from '../../cli/input/time.ts'
import { clean } from '../../cli/output/clean.ts'
import { timeText } from '../../cli/output/time.ts'
import { signatureInShort } from '../../cli/webhook/signature-help.ts'
import { control } from '../../client/client.ts'

export default class WebhookSecret extends BaseCommand {
  static override summary = 'Show or rotate the webhook signing secret.'
  static override description =
    `The secret stays until you rotate it. While the old one is valid, webhooks carry both signatures. ${signatureInShort}\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> webhook secret',
    '<%= config.bin %> webhook secret --json',
    '<%= config.bin %> webhook secret --rotate --grace 1h',
  ]
  static override memberFlags = { graceMs: 'grace' }
  static override flags = {
    rotate: boolean({ description: 'Make a new secret.' }),
    grace: string({
      description: 'How long the old secret stays valid; default: 24h.',
      dependsOn: ['rotate'],
    }),
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookSecret)
    const graceMs = durationOf(flags.grace ?? '24h', 'grace')
    const sandbox = await sandboxOf(flags)
    const { secret } = await (flags.rotate
      ? control(sandbox, 'rotate-webhook-secret', { graceMs })
      : control(sandbox, 'webhook-secret'))
    if (flags.rotate) process.stderr.write(`${untilWhen(graceMs)}\n`)
    await this.show(flags.json, { secret }, () => `${clean(secret)}\n`)
  }
}

/** How long the old secret stays valid, in words. */
const untilWhen = (graceMs: number): string =>
  graceMs === 0
    ? 'The old secret is not valid any more'
    : `The old secret stays valid until ${timeText(new Date(Date.now() + graceMs).toISOString())}: until then webhooks carry both signatures`

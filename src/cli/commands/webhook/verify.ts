import { string } from '@oclif/core/flags'
import { verifyWebhook } from '../../../contract/signature/verify-webhook.ts'
import { BaseCommand } from '../../base-command.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import {
  bodyFlag,
  headersFrom,
  readWebhookBody,
  resolveSignatureCheck,
  secretFlags,
  signatureHelp,
} from '../../webhook/webhook-input.ts'

export default class WebhookVerify extends BaseCommand {
  static override summary = 'Check the signature of a webhook, and say what is wrong.'
  static override description =
    'Recognises a body that was parsed and serialised again, another signature encoding, a stale ' +
    `timestamp, a missing header and an extra newline. Like a receiver it accepts one encoding only: the sandbox's, ` +
    `or --signature-encoding.\n\n${signatureHelp} Exits with 4 when the signature is wrong.`
  static override examples = [
    'tillbox webhook verify --body @received.json --header "X-Signature: $signature" --header "X-Timestamp: $timestamp"',
    'tillbox webhook verify --body - --header "X-Signature: $signature" --header "X-Timestamp: $timestamp" --json < received.json',
  ]
  static override flags = {
    body: bodyFlag,
    header: string({
      description: 'Received header, as name:value. Can be repeated.',
      multiple: true,
      required: true,
    }),
    ...secretFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookVerify)
    const received = { headers: headersFrom(flags.header), body: await readWebhookBody(flags.body) }
    const { secret, sender } = await resolveSignatureCheck(flags)
    const verdict = verifyWebhook(received, secret, Date.now(), sender)
    process.exitCode = verdict.valid ? exitCodes.done : exitCodes.unsuccessful
    await this.show(verdict, async () =>
      (await import('../../webhook/render-webhooks.ts')).renderSignatureVerdict(verdict),
    )
  }
}

import { string } from '@oclif/core/flags'
import { BaseCommand, stateFlag } from '../../cli/base-command.ts'
import { exitCodes, exitHelp } from '../../cli/exit-codes.ts'
import { placeFlag } from '../../cli/place.ts'
import { bodyFlag, headersFrom, readBody, secretFlag, secretOf } from '../../cli/webhook-input.ts'
import { verifyWebhook } from '../../webhook/verify.ts'

export default class WebhookVerify extends BaseCommand {
  static override summary = 'Check a webhook as your receiver should, and say why it does not fit.'
  static override description =
    'It tells a body that was parsed and written again, another secret, another way of writing the signature, a stale ' +
    `timestamp, a missing header, and a newline too much. Exit code 4 when it does not fit.\n\n${exitHelp}`
  static override examples = [
    `<%= config.bin %> webhook verify --body @received.json --header 'X-Signature: 7f44…' --header 'X-Timestamp: 1795170911169'`,
  ]
  static override flags = {
    body: bodyFlag,
    header: string({
      description: 'Header as it came, as name:value; may be repeated.',
      multiple: true,
      required: true,
    }),
    secret: secretFlag,
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookVerify)
    const body = await readBody(flags.body)
    const secret = await secretOf(flags)
    const verdict = verifyWebhook({ headers: headersFrom(flags.header), body }, secret, Date.now())
    process.exitCode = verdict.valid ? exitCodes.done : exitCodes.unsuccessful
    await this.show(flags.json, verdict, async () =>
      (await import('../../cli/render/webhooks.ts')).renderVerdict(verdict),
    )
  }
}

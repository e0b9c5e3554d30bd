import { option, string } from '@oclif/core/flags'
import { webhookHeaders } from '../../../contract/signature/signature.ts'
import { BaseCommand } from '../../base-command.ts'
import {
  bodyFlag,
  readWebhookBody,
  resolveSignatureCheck,
  secretFlags,
  signatureHelp,
} from '../../webhook/webhook-input.ts'

export default class WebhookSign extends BaseCommand {
  static override summary = 'Sign a body: print the headers of a webhook.'
  static override description = `The body is signed byte for byte. Nothing is sent.\n\n${signatureHelp}`
  static override examples = [
    'tillbox webhook sign --body @notification.json',
    'tillbox webhook sign --body - --secret whsec_… --signature standard --json',
  ]
  static override flags = {
    body: bodyFlag,
    id: string({ description: 'Id of the notification; default: a new one.' }),
    signature: option({
      description: 'Signature scheme; default: the sandbox’s, or hmac without a sandbox.',
      options: ['hmac', 'standard'] as const,
    })(),
    ...secretFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookSign)
    const body = await readWebhookBody(flags.body)
    const { secret, sender } = await resolveSignatureCheck(flags)
    const previous = flags.secret === undefined && sender.previous !== undefined ? [sender.previous] : []
    const senderScheme = sender.scheme === 'none' ? undefined : sender.scheme
    const { randomUUID } = await import('node:crypto')
    const signing = {
      scheme: flags.signature ?? senderScheme ?? 'hmac',
      encoding: sender.encoding ?? 'hex',
      secrets: [secret, ...previous],
    } as const
    const headers = webhookHeaders(signing, { id: flags.id ?? randomUUID(), at: Date.now(), body })
    await this.show(headers, () =>
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    )
  }
}

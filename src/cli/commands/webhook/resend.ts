import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { controlLimits } from '../../../contract/control/control.ts'
import type { Resent } from '../../../contract/control/webhooks.ts'
import type { SandboxFlags } from '../../connection/sandbox-address.ts'
import { exitCodes, UsageError } from '../../errors/exit-codes.ts'
import { rangeFrom, timeForms } from '../../input/typed-values.ts'
import { SandboxCommand, summaryOf } from '../../sandbox-command.ts'
import { waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'
import { readWebhookBody, targetFrom, withToFlagError } from '../../webhook/webhook-input.ts'
import { notificationsNamed } from '../../webhook/webhook-stories.ts'

export default class WebhookResend extends SandboxCommand {
  static override summary = summaryOf('resend-webhooks')
  static override description =
    'Webhooks go to the end of the line of their own URL, or of --to, in order. One that waits for a retry is tried ' +
    'immediately. Those of a tillbox listen wait until it is connected. The command returns before they are sent; with ' +
    '--wait-webhooks it waits.\n\n' +
    'With --body one webhook is sent immediately and only once, with that body byte for byte. It is not kept. The exit code is 4 ' +
    'when the receiver did not answer 200.'
  static override examples = [
    'tillbox webhook resend 9bd81f17-e7fd-8000-8006-60b2cc789660',
    'tillbox webhook resend @last',
    'tillbox webhook resend --failed',
    'tillbox webhook resend --since 2026-11-20T12:00:00Z --until 2026-11-20T13:00:00Z',
    'tillbox webhook resend --all --to http://localhost:3000/hook',
    'tillbox webhook resend 9bd81f17-e7fd-8000-8006-60b2cc789660 --body @edited.json',
  ]
  static override args = {
    id: stringArg({ description: 'Ids of the webhooks, or of transactions; @last for the latest.' }),
  }
  static override strict = false
  static override memberFlags = { ids: 'id' }
  static override flags = {
    failed: boolean({ description: 'Resend failed webhooks.' }),
    since: string({
      description: `Resend webhooks since this time of the sandbox clock: ${timeForms}.`,
      helpValue: '<time>',
    }),
    until: string({ description: 'Resend webhooks before this time.', helpValue: '<time>' }),
    all: boolean({ description: 'Resend all webhooks.' }),
    to: string({ description: 'Receiving URL; default: their own.' }),
    body: string({
      description: 'Another body for one webhook: text, @file, or - for standard input.',
      exclusive: ['wait-webhooks'],
    }),
    ...waitWebhooksFlags,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(WebhookResend)
    const named = argv as string[]
    const { failed, all, since, until } = flags
    const isFiltered = failed || all || since !== undefined || until !== undefined
    const filters = '--failed, --since, --until or --all'
    if (named.length === 0 && !isFiltered)
      throw new UsageError('No webhook is named', `Name webhooks by id, or pass ${filters}`)
    if (named.length > 0 && isFiltered)
      throw new UsageError('Webhook ids and filters exclude each other', `Name ids, or pass ${filters}`)
    const sandbox = await this.find(flags, 'resend-webhooks')
    const ids = (await Promise.all(named.map((each) => notificationsNamed(sandbox, each)))).flat()
    if (flags.body !== undefined) return this.#sendBody(ids, flags.body, flags)
    const members = {
      ids: ids.length > 0 ? ids : undefined,
      failed: failed || undefined,
      all: all || undefined,
      ...(await rangeFrom(flags, async () => (await control(sandbox, 'clock')).now)),
      to: flags.to && targetFrom(flags.to, 'to'),
    }
    const request = {
      members,
      waitsFor: ({ resent }: Resent) => ({ ids: resent.slice(0, controlLimits.ids) }),
    }
    const asked = this.ask(flags, 'resend-webhooks', request, async (answer) =>
      (await import('../../webhook/render-webhooks.ts')).renderResent(answer),
    )
    await withToFlagError(asked)
  }

  /** Sends one webhook with another body, and shows what came back. */
  async #sendBody(
    [id = '', ...others]: readonly string[],
    text: string,
    flags: SandboxFlags & { readonly to?: string | undefined },
  ): Promise<void> {
    if (id === '' || others.length > 0)
      throw new UsageError(['--body', 'is for one webhook'], 'Name one by its id')
    const members = { body: await readWebhookBody(text), to: flags.to && targetFrom(flags.to, 'to') }
    const asked = this.ask(flags, 'send-webhook-body', { names: { id }, members }, async (attempt) =>
      (await import('../../webhook/render-deliveries.ts')).renderAttempt(attempt, 1),
    )
    const { status } = await withToFlagError(asked)
    if (status !== 200) process.exitCode = exitCodes.unsuccessful
  }
}

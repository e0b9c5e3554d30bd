import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand, stateFlag } from '../../cli/base-command.ts'
import { placeFlag, sandboxOf, urlFrom } from '../../cli/connection/place.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { UsageError } from '../../cli/errors/usage-error.ts'
import { momentFrom } from '../../cli/input/moment.ts'
import { orderedTo } from '../../cli/webhook/webhook-input.ts'
import { control } from '../../client/client.ts'
import type { Resent } from '../../contract/webhooks.ts'

export default class WebhookResend extends BaseCommand {
  static override summary = 'Send webhooks again: same id and body, new timestamp and signature.'
  static override description =
    `They go to their own addresses in their order, or to another one with --to, as soon as what waits there before them is sent. ` +
    `This says that they will be sent; tillbox webhook list shows what came of it.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> webhook resend 9bd81f17-e7fd-8000-8006-60b2cc789660',
    '<%= config.bin %> webhook resend --failed',
    '<%= config.bin %> webhook resend --all --to http://localhost:4000/hook',
  ]
  static override args = { id: stringArg({ description: 'Webhooks, by their ids.' }) }
  static override strict = false
  static override memberFlags = { ids: 'id' }
  static override flags = {
    failed: boolean({ description: 'Those that were given up.' }),
    since: string({ description: 'Those of this time or later, ISO 8601 with offset.' }),
    all: boolean({ description: 'All of them.' }),
    to: string({ description: 'URL to send them to.' }),
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(WebhookResend)
    const ids = argv as string[]
    if (ids.length === 0 && !flags.failed && !flags.all && flags.since === undefined)
      throw new UsageError('Nothing to send again', 'Name webhooks, or give --failed, --since or --all')
    if (ids.length > 0 && (flags.failed || flags.all || flags.since !== undefined))
      throw new UsageError('Both webhooks and a filter are named', 'Give ids, or --failed, --since or --all')
    const order = {
      ...(ids.length > 0 && { ids }),
      ...(flags.failed && { failed: true }),
      ...(flags.all && { all: true }),
      ...(flags.since !== undefined && { since: momentFrom(flags.since, 'since') }),
      ...(flags.to && { to: urlFrom(flags.to, 'to') }),
    }
    const answer = await orderedTo(control<Resent>(await sandboxOf(flags), 'resend-webhooks', order))
    await this.show(flags.json, answer, async () =>
      (await import('../../cli/webhook/render-webhooks.ts')).renderResent(answer),
    )
  }
}

import { boolean, integer, string } from '@oclif/core/flags'
import { controlLimits } from '../../../contract/control/control.ts'
import { exitCodes, UsageError } from '../../errors/exit-codes.ts'
import { flaggedTransaction, transactionFlag } from '../../operation/earlier-result.ts'
import { SandboxCommand } from '../../sandbox-command.ts'
import {
  eventNamed,
  eventNames,
  parseStatusLetters,
  parseType,
  recordFilterFlags,
} from '../../webhook/notification-filter.ts'
import { parseWebhookWait, waitRequest } from '../../webhook/wait-webhooks.ts'

export default class WebhookWaitCommand extends SandboxCommand {
  static override summary = 'Wait until webhooks are delivered.'
  static override description =
    'Waits until a matching delivery is acknowledged with 200; one that was acknowledged earlier counts. --count asks for ' +
    'several. With --delivered it waits until every matching delivery is delivered, given up or held. Those of a tillbox listen ' +
    'that is not connected do not count. On timeout it lists what is missing and exits with 5.'
  static override examples = [
    'tillbox webhook wait --event payment --status approved --timeout 5s',
    'tillbox webhook wait --transaction 1795159696581000 --count 2',
    'tillbox webhook wait --delivered --timeout 30s --json',
  ]
  static override flags = {
    event: string({
      description: `Only this event: ${eventNames.join(', ')}.`,
      helpValue: '<name>',
    }),
    ...transactionFlag('Only deliveries of this transaction'),
    ...recordFilterFlags,
    count: integer({
      description: 'How many must be acknowledged; default: 1.',
      min: 1,
      max: controlLimits.waitCount,
    }),
    delivered: boolean({ description: 'Wait until no matching delivery is pending.' }),
    timeout: string({ description: 'How long to wait at most.', default: '30s', helpValue: '<duration>' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookWaitCommand)
    if (flags.count !== undefined && flags.delivered)
      throw new UsageError('--count and --delivered exclude each other', 'Pass one of them', 'delivered')
    const timeoutMs = parseWebhookWait(flags.timeout, 'timeout')
    const transaction = await flaggedTransaction(flags, await this.find(flags))
    const wanted = {
      event: flags.event === undefined ? undefined : eventNamed(flags.event, 'event'),
      transactionIds: transaction === undefined ? undefined : [transaction],
      status: flags.status === undefined ? undefined : parseStatusLetters(flags.status).join(),
      type: flags.type === undefined ? undefined : parseType(flags.type),
      ...(flags.delivered ? { delivered: true } : { count: flags.count ?? 1 }),
    }
    const request = waitRequest(wanted, timeoutMs)
    const result = await this.ask(flags, 'wait-for-webhooks', request, async (answer) => {
      const { renderWait } = await import('../../webhook/render-deliveries.ts')
      return renderWait(answer, flags.delivered ? null : (flags.count ?? 1))
    })
    if (result.reached) return
    process.exitCode = exitCodes.notFinal
    const { renderMissing } = await import('../../webhook/render-deliveries.ts')
    const missing = flags.delivered
      ? 'Webhooks are not delivered'
      : `${result.acknowledgedCount} of ${flags.count ?? 1} acknowledged`
    process.stderr.write(`${missing} within ${flags.timeout}.\n${renderMissing(result)}`)
  }
}

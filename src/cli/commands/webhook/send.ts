import { string as stringArg } from '@oclif/core/args'
import { option, string } from '@oclif/core/flags'
import { exitCodes } from '../../errors/exit-codes.ts'
import { ownerIn, resolveTransactionId } from '../../operation/earlier-result.ts'
import { SandboxCommand, summaryOf } from '../../sandbox-command.ts'
import { waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'
import { editedMembers, targetFrom, withToFlagError } from '../../webhook/webhook-input.ts'

export default class WebhookSend extends SandboxCommand {
  static override summary = summaryOf('send-webhook')
  static override description =
    `The body is the record with "test": true added. It is signed after your changes. Exits with 4 when the receiver did not answer 200.`
  static override examples = [
    'tillbox webhook send 1795159696581000 --set transactionStatus=F --set transactionResultCode=051',
    'tillbox webhook send 1795159696581000 --type terminal --to http://localhost:3000/hook',
    'tillbox webhook send 1795159696581000 --add loyaltyPoints=12',
  ]
  static override args = {
    'transaction-id': stringArg({
      description: 'Transaction of the notification, such as @last.',
      required: true,
    }),
  }
  static override flags = {
    set: string({ description: 'Field to change, as name=value. Can be repeated.', multiple: true }),
    add: string({
      description:
        'Field to add, as name=value; it must be new to this kind of notification. Can be repeated.',
      multiple: true,
    }),
    type: option({
      description: 'Kind of the notification.',
      options: ['payment', 'terminal'] as const,
      default: 'payment',
    })(),
    to: string({ description: 'Receiving URL; default: the transaction’s own.' }),
    ...waitWebhooksFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookSend)
    const sandbox = await this.find(flags, 'send-webhook')
    const transactionId = await resolveTransactionId(args['transaction-id'], ownerIn(sandbox))
    const members = {
      transactionId,
      type: flags.type,
      set: editedMembers(flags.type, flags.set, flags.add),
      to: flags.to && targetFrom(flags.to, 'to'),
    }
    const request = { members, waitsFor: () => ({ transactionIds: [transactionId] }) }
    const asked = this.ask(flags, 'send-webhook', request, async (attempt) =>
      (await import('../../webhook/render-deliveries.ts')).renderAttempt(attempt, 1),
    )
    const { status } = await withToFlagError(asked)
    if (status !== 200) process.exitCode = exitCodes.unsuccessful
  }
}

import { string } from '@oclif/core/args'
import { sandboxFlags } from '../../cli/connection/sandbox-address.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'
import { ofSession, waitWebhooksFlags } from '../../cli/webhook/wait-webhooks.ts'

export default class CheckoutCancel extends SandboxCommand {
  static override summary = 'Cancel a session as its shopper, without a browser.'
  static override description = `Ends the session and closes its transaction (CLOSED).`
  static override examples = ['tillbox checkout cancel cs_0f3a…', 'tillbox checkout cancel cs_0f3a… --json']
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }
  static override flags = { ...waitWebhooksFlags, ...sandboxFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutCancel)
    const request = { names: { id: args['session-id'] }, waitsFor: ofSession }
    await this.ask(flags, 'cancel-session', request, async (view) =>
      (await import('../../cli/output/checkout-session.ts')).renderSessionView(view),
    )
  }
}

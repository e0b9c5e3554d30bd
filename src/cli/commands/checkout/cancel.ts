import { string } from '@oclif/core/args'
import { controlCommand } from '../../sandbox-command.ts'
import { ofSession, waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'

export default class CheckoutCancel extends controlCommand('cancel-session', async (view) =>
  (await import('../../output/checkout-session.ts')).renderSessionView(view),
) {
  static override description = 'Ends the session and closes its transaction (CLOSED).'
  static override examples = ['tillbox checkout cancel cs_0f3a…', 'tillbox checkout cancel cs_0f3a… --json']
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }
  static override flags = { ...waitWebhooksFlags }
  override readonly request = { waitsFor: ofSession }
}

import { string } from '@oclif/core/args'
import { controlCommand } from '../../sandbox-command.ts'

export default class CheckoutShow extends controlCommand('session', async (view) =>
  (await import('../../output/checkout-session.ts')).renderSessionView(view),
) {
  static override description =
    'The exit code says whether the session exists; tillbox query shows how its payment ended.'
  static override examples = ['tillbox checkout show cs_0f3a…', 'tillbox checkout show cs_0f3a… --json']
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }
}

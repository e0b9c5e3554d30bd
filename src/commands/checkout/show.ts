import { string } from '@oclif/core/args'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class CheckoutShow extends SandboxCommand {
  static override summary = 'Show a checkout session: status, amount, page, expiry.'
  static override description =
    'The exit code says whether the session exists; tillbox query shows how its payment ended.'
  static override examples = ['tillbox checkout show cs_0f3a…', 'tillbox checkout show cs_0f3a… --json']
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutShow)
    await this.ask(flags, 'session', { names: { id: args['session-id'] } }, async (view) =>
      (await import('../../cli/output/checkout-session.ts')).renderSessionView(view),
    )
  }
}

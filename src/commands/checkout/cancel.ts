import { string } from '@oclif/core/args'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class CheckoutCancel extends SandboxCommand {
  static override summary = 'Cancel a session as its shopper, without a browser.'
  static override description = `The session ends, and its transaction is CLOSED.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> checkout cancel cs_0f3a…',
    '<%= config.bin %> checkout cancel cs_0f3a… --json',
  ]
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutCancel)
    await this.ask(flags, 'cancel-session', { names: { id: args['session-id'] } }, async (view) =>
      (await import('../../cli/output/checkout-session.ts')).renderSessionView(view),
    )
  }
}

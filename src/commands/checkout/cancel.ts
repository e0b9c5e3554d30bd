import { string } from '@oclif/core/args'
import { BaseCommand, stateFlag } from '../../cli/base-command.ts'
import { sandboxOf, sandboxUrlFlag } from '../../cli/connection/sandbox-address.ts'
import { exitCodes, exitHelp } from '../../cli/errors/exit-codes.ts'
import { control } from '../../client/client.ts'
import type { SessionView } from '../../contract/sandbox/answers.ts'

export default class CheckoutCancel extends BaseCommand {
  static override summary = 'Cancel a session as its shopper, without a browser.'
  static override description = `The session ends, and its transaction is CLOSED.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> checkout cancel cs_0f3a…',
    '<%= config.bin %> checkout cancel cs_0f3a… --json',
  ]
  static override args = { 'session-id': string({ description: 'Session.', required: true }) }
  static override flags = { ...sandboxUrlFlag, state: stateFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutCancel)

    const sandbox = await sandboxOf(flags)
    const names = { id: args['session-id'] }
    const view = await control<SessionView>(sandbox, 'cancel-session', undefined, { names })
    await this.show(flags.json, view, async () =>
      (await import('../../cli/output/checkout-session.ts')).renderSessionView(view),
    )
    process.exitCode = exitCodes.done
  }
}

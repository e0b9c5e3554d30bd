import { BareCommand } from '../base-command.ts'
import { runFlags, runWithSandbox, tellUnused } from '../lifecycle/run-with-sandbox.ts'

export default class Exec extends BareCommand {
  static override strict = false
  static override passesWordsOn = true
  static override usage = 'exec [FLAGS] -- COMMAND [ARGUMENT…]'
  static override summary = 'Run a command with its own sandbox.'
  static override description =
    'Starts a sandbox on a free port, runs the command, and stops the sandbox. The command gets TILLBOX_BASE_URL, ' +
    'TILLBOX_API_KEY, TILLBOX_APP_ID, TILLBOX_MERCHANT_ID, TILLBOX_TERMINAL_SN, TILLBOX_WEBHOOK_SECRET and ' +
    'TILLBOX_STATE, with --token TILLBOX_TOKEN, and with --https NODE_EXTRA_CA_CERTS. Signals are passed on.\n\nThe ' +
    'exit code is that of the command, or 128 plus the number of the signal that ended it; 126 when the command ' +
    'cannot be executed, 127 when it does not exist, and 2 when the sandbox cannot be started.'
  static override examples = [
    'tillbox exec -- npm test',
    'tillbox exec --artifacts ./artifacts --retries fast -- npm test',
    'tillbox exec -- tillbox sale --amount 10.00',
  ]
  static override flags = runFlags

  async run(): Promise<void> {
    const typed = await this.parse(Exec)
    await runWithSandbox(this, typed, {}, async (code, _, isUnused) => {
      if (isUnused && !typed.flags.quiet) await tellUnused()
      return code
    })
  }
}

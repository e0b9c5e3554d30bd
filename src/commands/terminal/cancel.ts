import { BaseCommand } from '../../cli/base-command.ts'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { act, actionFlags, serialArg } from '../../cli/terminal/terminal-request.ts'

export default class TerminalCancel extends BaseCommand {
  static override summary = 'Press cancel at a terminal.'
  static override description =
    `Closes the payment until the host is asked. On the signature screen it skips the signature.\n\n${actionExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal cancel TBX-ATTENDED-001',
    '<%= config.bin %> terminal cancel TBX-ATTENDED-001 --transaction 1795161261276000',
  ]
  static override args = serialArg
  static override flags = actionFlags

  async run(): Promise<void> {
    const typed = await this.parse(TerminalCancel)
    const view = await act(typed, 'cancel-at-terminal')
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAction(view),
    )
  }
}

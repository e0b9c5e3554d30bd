import { BaseCommand } from '../../cli/base-command.ts'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { act, actionFlags, serialArg } from '../../cli/terminal/terminal-request.ts'

export default class TerminalSign extends BaseCommand {
  static override summary = 'Sign on the screen of a terminal.'
  static override description =
    `To skip the signature use terminal cancel: the payment stands.\n\n${actionExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal sign TBX-ATTENDED-001',
    '<%= config.bin %> terminal sign TBX-ATTENDED-001 --transaction 1795161261276000',
  ]
  static override args = serialArg
  static override flags = actionFlags

  async run(): Promise<void> {
    const typed = await this.parse(TerminalSign)
    const view = await act(typed, 'sign')
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAction(view),
    )
  }
}

import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { act, actionFlags, serialArg } from '../../cli/terminal/terminal-request.ts'

export default class TerminalPin extends BaseCommand {
  static override summary = 'Enter a right or wrong PIN at a terminal.'
  static override description =
    `Only whether the PIN is right is sent, never digits. The third wrong PIN ends the payment.\n\n${actionExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal pin TBX-ATTENDED-001',
    '<%= config.bin %> terminal pin TBX-ATTENDED-001 --wrong --json',
  ]
  static override args = serialArg
  static override flags = { wrong: boolean({ description: 'Enter a wrong PIN.' }), ...actionFlags }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPin)
    const view = await act(typed, 'enter-pin', { correct: !typed.flags.wrong })
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAction(view),
    )
  }
}

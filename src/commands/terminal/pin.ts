import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { actExitHelp } from '../../cli/errors/exit-codes.ts'
import { act, actFlags, serialArg } from '../../cli/terminal/terminal.ts'

export default class TerminalPin extends BaseCommand {
  static override summary = 'Enter the PIN at a terminal: the right one, or a wrong one.'
  static override description =
    `No PIN is typed or sent, only whether it was right. The third wrong one ends the payment.\n\n${actExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal pin TBX-ATTENDED-001',
    '<%= config.bin %> terminal pin TBX-ATTENDED-001 --wrong --json',
  ]
  static override args = serialArg
  static override flags = { wrong: boolean({ description: 'A wrong one.' }), ...actFlags }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPin)
    const view = await act(typed, 'enter-pin', { correct: !typed.flags.wrong })
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAct(view),
    )
  }
}

import { boolean } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { actExitHelp } from '../../cli/errors/exit-codes.ts'
import { act, actFlags, serialArg } from '../../cli/terminal/terminal.ts'

export default class TerminalPin extends BaseCommand {
  static override summary = 'Enter a right or wrong PIN at a terminal.'
  static override description =
    `Only whether the PIN is right is sent, never digits. The third wrong PIN ends the payment.\n\n${actExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal pin TBX-ATTENDED-001',
    '<%= config.bin %> terminal pin TBX-ATTENDED-001 --wrong --json',
  ]
  static override args = serialArg
  static override flags = { wrong: boolean({ description: 'Enter a wrong PIN.' }), ...actFlags }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPin)
    const view = await act(typed, 'enter-pin', { correct: !typed.flags.wrong })
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAct(view),
    )
  }
}

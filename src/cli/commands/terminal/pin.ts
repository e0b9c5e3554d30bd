import { boolean } from '@oclif/core/flags'
import { summaryOf } from '../../sandbox-command.ts'
import { serialArg, TerminalActionCommand } from '../../terminal/terminal-command.ts'

export default class TerminalPin extends TerminalActionCommand {
  static override summary = summaryOf('enter-pin')
  static override description =
    'Only whether the PIN is right is sent, never digits. The third wrong PIN ends the payment.'
  static override examples = [
    'tillbox terminal pin TBX-ATTENDED-001',
    'tillbox terminal pin TBX-ATTENDED-001 --wrong --json',
  ]
  static override args = serialArg
  static override flags = {
    wrong: boolean({ description: 'Enter a wrong PIN.' }),
    ...TerminalActionCommand.flags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPin)
    await this.act(typed, 'enter-pin', { correct: !typed.flags.wrong })
  }
}

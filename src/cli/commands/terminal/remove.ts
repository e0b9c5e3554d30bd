import { clean } from '../../output/clean.ts'
import { summaryOf } from '../../sandbox-command.ts'
import { atTerminal, requireSerial, serialArg, TerminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalRemove extends TerminalCommand {
  static override summary = summaryOf('remove-terminal')
  static override description =
    'Refused while a payment runs or waits there, or a batch is open. Payments taken there stay. The terminal stays ' +
    'removed after a restart or a reset; tillbox terminal add brings the serial number back.'
  static override examples = ['tillbox terminal remove DESK-2', 'tillbox terminal remove DESK-2 --json']
  static override args = serialArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalRemove)
    const removed = await atTerminal(
      await this.find(flags, 'remove-terminal'),
      'remove-terminal',
      requireSerial(args.serial, flags),
    )
    await this.show(removed, async () => `Removed the terminal ${clean(removed.terminalSn)}.\n`)
  }
}

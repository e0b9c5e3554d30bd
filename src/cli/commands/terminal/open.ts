import { atTerminal, isAttended, serialArg, TerminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalOpen extends TerminalCommand {
  static override summary = 'Open a terminal in your browser.'
  static override description =
    'There you present cards, tip, enter the PIN (1234 is right) and sign. Prints the URL, too; where the output is no terminal ' +
    'window, it prints the URL alone. In scripts use terminal show, present, tip, pin, sign and cancel.'
  static override examples = [
    'tillbox terminal open TBX-ATTENDED-001',
    'tillbox terminal open TBX-ATTENDED-001 --json',
  ]
  static override args = serialArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalOpen)
    const { sandbox, serial } = await this.chosenTerminal(args.serial, flags, isAttended)
    await atTerminal(sandbox, 'screen', serial) // it may be of no sandbox, or of another one
    await this.openPage(sandbox, `/terminal/${encodeURIComponent(serial)}`, flags.json)
  }
}

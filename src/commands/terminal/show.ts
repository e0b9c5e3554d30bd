import {
  atTerminal,
  chosenTerminal,
  serialArg,
  TerminalCommand,
} from '../../cli/terminal/terminal-command.ts'

export default class TerminalShow extends TerminalCommand {
  static override summary = 'Show a terminal’s screen and what to run next.'
  static override description = `--json adds every card that fits, the tips and the possible actions.`
  static override examples = [
    'tillbox terminal show TBX-ATTENDED-001',
    'tillbox terminal show TBX-ATTENDED-001 --json',
  ]
  static override args = serialArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalShow)
    const { sandbox, serial } = await chosenTerminal(args.serial, flags)
    const view = await atTerminal(sandbox, 'screen', serial)
    await this.show(flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderScreen(view),
    )
  }
}

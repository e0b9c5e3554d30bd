import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { atTerminal, serialArg, serialOf, whereFlags } from '../../cli/terminal/terminal-request.ts'
import type { ScreenView } from '../../contract/sandbox/screens.ts'

export default class TerminalShow extends BaseCommand {
  static override summary = 'Show a terminal’s screen and what to run next.'
  static override description =
    `--json adds every card that fits, the tips and the possible actions.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> terminal show TBX-ATTENDED-001',
    '<%= config.bin %> terminal show TBX-ATTENDED-001 --json',
  ]
  static override args = serialArg
  static override flags = whereFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalShow)
    const serial = serialOf(args.serial)
    const view = await atTerminal<ScreenView>(await sandboxOf(flags), 'screen', serial)
    await this.show(flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderScreen(view),
    )
  }
}

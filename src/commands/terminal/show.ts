import type { ScreenView } from '../../api/screens.ts'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { sandboxOf } from '../../cli/place.ts'
import { atTerminal, serialArg, serialOf, whereFlags } from '../../cli/terminal.ts'

export default class TerminalShow extends BaseCommand {
  static override summary = 'Show what a terminal shows, and what to type next.'
  static override description =
    `With --json also every card that fits, the tips, and the acts that are possible.\n\n${exitHelp}`
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
      (await import('../../cli/render/terminal.ts')).renderScreen(view),
    )
  }
}

import type { TerminalView } from '../../api/control-answers.ts'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { sandboxOf } from '../../cli/place.ts'
import { atTerminal, serialArg, serialOf, whereFlags } from '../../cli/terminal.ts'

export default class TerminalOnline extends BaseCommand {
  static override summary = 'Switch a terminal on: what waits there goes on.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> terminal online TBX-ATTENDED-001']
  static override args = serialArg
  static override flags = whereFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalOnline)
    const serial = serialOf(args.serial)
    const place = await sandboxOf(flags)
    const terminal = await atTerminal<TerminalView>(place, 'set-terminal', serial, { online: true })
    await this.show(flags.json, terminal, async () =>
      (await import('../../cli/render/terminal.ts')).renderSettings(terminal),
    )
  }
}

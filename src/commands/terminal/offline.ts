import type { TerminalView } from '../../api/control-answers.ts'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { sandboxOf } from '../../cli/place.ts'
import { atTerminal, serialArg, serialOf, whereFlags } from '../../cli/terminal.ts'

export default class TerminalOffline extends BaseCommand {
  static override summary = 'Switch a terminal off: payments for it wait, and close unpaid at their expiry.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> terminal offline TBX-ATTENDED-001']
  static override args = serialArg
  static override flags = whereFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalOffline)
    const serial = serialOf(args.serial)
    const place = await sandboxOf(flags)
    const terminal = await atTerminal<TerminalView>(place, 'set-terminal', serial, { online: false })
    await this.show(flags.json, terminal, async () =>
      (await import('../../cli/render/terminal.ts')).renderSettings(terminal),
    )
  }
}

import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { serialArg, serialOf, whereFlags } from '../../cli/terminal/terminal-request.ts'
import { settingFlags, settingsOf } from '../../cli/terminal/terminal-settings.ts'
import { control } from '../../client/client.ts'
import type { TerminalView } from '../../contract/sandbox/answers.ts'

export default class TerminalAdd extends BaseCommand {
  static override summary = 'Add a terminal to the first merchant.'
  static override description =
    `The default --mode auto approves every payment without a person. The terminal survives restarts.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> terminal add DESK-2 --mode attended',
    '<%= config.bin %> terminal add DESK-3 --pace 800 --outcome insufficient-funds',
  ]
  static override args = serialArg
  static override flags = { ...settingFlags, ...whereFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalAdd)
    const members = { terminalSn: serialOf(args.serial), ...settingsOf(flags) }
    const terminal = await control<TerminalView>(await sandboxOf(flags), 'add-terminal', members)
    await this.show(flags.json, terminal, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderSettings(terminal),
    )
  }
}

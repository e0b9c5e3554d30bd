import { string } from '@oclif/core/flags'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { serialArg, serialOf, TerminalCommand } from '../../cli/terminal/terminal-command.ts'
import { settingFlags, settingsOf } from '../../cli/terminal/terminal-settings.ts'
import { control } from '../../client/client.ts'

export default class TerminalAdd extends TerminalCommand {
  static override summary = 'Add a terminal to a merchant.'
  static override description =
    `The default --mode auto approves every payment without a person. The terminal survives restarts.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> terminal add DESK-2 --mode attended',
    '<%= config.bin %> terminal add DESK-3 --pace 800 --outcome insufficient-funds',
  ]
  static override args = serialArg
  static override flags = {
    merchant: string({ description: 'Merchant; left out, the first one.', helpValue: '<id>' }),
    ...settingFlags,
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalAdd)
    const merchantId = flags.merchant
    const members = { terminalSn: serialOf(args.serial), merchantId, ...settingsOf(flags) }
    await this.showSettings(flags.json, await control(await sandboxOf(flags), 'add-terminal', members))
  }
}

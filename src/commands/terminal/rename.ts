import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { UsageError } from '../../cli/errors/exit-codes.ts'
import { atTerminal, TerminalCommand } from '../../cli/terminal/terminal-command.ts'
import { command } from '../../text/commands.ts'
import { shellQuote } from '../../text/shell-quote.ts'

export default class TerminalRename extends TerminalCommand {
  static override summary = 'Give a terminal a display name; its serial number stays.'
  static override description =
    'Lists and pages show it beside the serial number, which requests and records use. It survives restarts and resets.'
  static override examples = [
    'tillbox terminal rename TBX-ATTENDED-001 "Bar, left"',
    'tillbox terminal rename TBX-ATTENDED-001 --clear',
  ]
  static override memberFlags = { terminalSn: 'serial', label: 'name' }
  static override args = {
    serial: string({ description: 'Serial number of the terminal.', required: true }),
    name: string({ description: 'Its new name, of 1 to 40 characters.' }),
  }
  static override flags = { clear: boolean({ description: 'Remove the name.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalRename)
    const { serial, name } = args
    const clears = flags.clear === true // oclif leaves it undefined
    if ((name === undefined) !== clears)
      throw new UsageError(
        clears ? '<name> and --clear exclude each other' : '<name> is missing',
        `Run ${command(`terminal rename ${shellQuote(serial)} "Bar, left"`)}, or with --clear alone`,
        'name',
      )
    const label = clears ? null : name
    const terminal = await atTerminal(await this.find(flags), 'set-terminal', serial, { label })
    await this.showSettings(terminal)
  }
}

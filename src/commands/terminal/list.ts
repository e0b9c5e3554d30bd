import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { whereFlags } from '../../cli/terminal/terminal-request.ts'
import { control } from '../../client/client.ts'
import type { TerminalList as List } from '../../contract/sandbox/answers.ts'

export default class TerminalList extends BaseCommand {
  static override summary = 'List the terminals with their screens and waiting payments.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> terminal list', '<%= config.bin %> terminal list --json']
  static override flags = whereFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(TerminalList)
    const list = await control<List>(await sandboxOf(flags), 'terminals')
    await this.show(flags.json, list, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderTerminalList(list),
    )
  }
}

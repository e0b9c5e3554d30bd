import type { TerminalList as List } from '../../api/control-answers.ts'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { sandboxOf } from '../../cli/place.ts'
import { whereFlags } from '../../cli/terminal.ts'
import { control } from '../../client/client.ts'

export default class TerminalList extends BaseCommand {
  static override summary = 'List the terminals: what each shows, and how many payments wait there.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> terminal list', '<%= config.bin %> terminal list --json']
  static override flags = whereFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(TerminalList)
    const list = await control<List>(await sandboxOf(flags), 'terminals')
    await this.show(flags.json, list, async () =>
      (await import('../../cli/render/terminal.ts')).renderTerminalList(list),
    )
  }
}

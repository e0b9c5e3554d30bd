import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class TerminalList extends SandboxCommand {
  static override summary = 'List the terminals with their screens and waiting payments.'
  static override description = exitHelp
  static override examples = ['<%= config.bin %> terminal list', '<%= config.bin %> terminal list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(TerminalList)
    await this.ask(flags, 'terminals', {}, async (list) =>
      (await import('../../cli/terminal/render-terminal.ts')).renderTerminalList(list),
    )
  }
}

import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class TerminalList extends SandboxCommand {
  static override summary = 'List the terminals with their screens and waiting payments.'
  static override examples = ['tillbox terminal list', 'tillbox terminal list --json']
  static override listMember = 'terminals'

  async run(): Promise<void> {
    const { flags } = await this.parse(TerminalList)
    await this.ask(flags, 'terminals', {}, async (list) =>
      (await import('../../cli/terminal/render-terminal.ts')).renderTerminalList(list),
    )
  }
}

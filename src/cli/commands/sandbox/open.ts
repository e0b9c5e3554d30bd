import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxOpen extends SandboxCommand {
  static override summary = 'Open the dashboard in your browser.'
  static override description =
    'Also prints its URL. Where the output is not a terminal window, it only prints the URL.'
  static override examples = ['tillbox sandbox open', 'tillbox sandbox open --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxOpen)
    await this.openPage(await this.find(flags), '/', flags.json)
  }
}

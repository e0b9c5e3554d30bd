import { hint } from '../../cli/hints/same-sandbox.ts'
import { clean } from '../../cli/output/clean.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class SandboxOpen extends SandboxCommand {
  static override summary = 'Open the dashboard in your browser.'
  static override description =
    'Also prints its URL. Where the output is not a terminal window, it only prints the URL.'
  static override examples = ['tillbox sandbox open', 'tillbox sandbox open --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxOpen)
    const { baseUrl, token } = await this.find(flags)
    const url = `${baseUrl}/`
    const isForPerson = !flags.json && process.stdout.isTTY === true
    const opened = isForPerson && (await (await import('../../cli/browser.ts')).openInBrowser(url))
    await this.show({ url, opened }, () => `${clean(url)}\n`)
    if (token !== undefined)
      process.stderr.write(
        hint(
          'The pages of this sandbox want its token: add ?token=… to the URL once. `tillbox sandbox env --show-key` shows it.\n',
        ),
      )
  }
}

import { summaryOf } from '../../sandbox-command.ts'
import { serialArg, TerminalActionCommand } from '../../terminal/terminal-command.ts'

export default class TerminalSign extends TerminalActionCommand {
  static override summary = summaryOf('sign')
  static override description =
    'The payment is final then. To skip the signature use terminal cancel; after a minute of the sandbox clock it is skipped, too.'
  static override examples = [
    'tillbox terminal sign TBX-ATTENDED-001',
    'tillbox terminal sign TBX-ATTENDED-001 --transaction 1795161261276000',
  ]
  static override args = serialArg

  async run(): Promise<void> {
    await this.act(await this.parse(TerminalSign), 'sign')
  }
}

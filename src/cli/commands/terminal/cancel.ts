import { summaryOf } from '../../sandbox-command.ts'
import { serialArg, TerminalActionCommand } from '../../terminal/terminal-command.ts'

export default class TerminalCancel extends TerminalActionCommand {
  static override summary = summaryOf('cancel-at-terminal')
  static override description =
    'Closes the payment if the host has not been asked yet. On the signature screen it skips the signature.'
  static override examples = [
    'tillbox terminal cancel TBX-ATTENDED-001',
    'tillbox terminal cancel TBX-ATTENDED-001 --transaction 1795161261276000',
  ]
  static override args = serialArg

  async run(): Promise<void> {
    await this.act(await this.parse(TerminalCancel), 'cancel-at-terminal')
  }
}

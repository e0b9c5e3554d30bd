import { settingsText, terminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalUnpair extends terminalCommand('unpair-terminal', settingsText) {
  static override description =
    'Refused while a payment runs or waits there, or a batch is open. Until somebody types the code, payments for the ' +
    'terminal are refused. Its settings stay, queued outcomes do not.'
  static override examples = [
    'tillbox terminal unpair TBX-ATTENDED-001',
    'tillbox terminal unpair TBX-ATTENDED-001 --json',
  ]
}

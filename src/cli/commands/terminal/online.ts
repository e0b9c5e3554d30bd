import { settingsText, terminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalOnline extends terminalCommand('set-terminal', settingsText, 'terminal online') {
  static override examples = [
    'tillbox terminal online TBX-ATTENDED-001',
    'tillbox terminal online TBX-ATTENDED-001 --json',
  ]
}

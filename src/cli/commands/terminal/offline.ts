import { settingsText, terminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalOffline extends terminalCommand(
  'set-terminal',
  settingsText,
  'terminal offline',
) {
  static override examples = [
    'tillbox terminal offline TBX-ATTENDED-001',
    'tillbox terminal offline TBX-ATTENDED-001 --json',
  ]
}

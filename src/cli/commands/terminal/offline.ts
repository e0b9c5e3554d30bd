import { settingsText, terminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalOffline extends terminalCommand('set-terminal', settingsText, {
  online: false,
}) {
  static override summary = 'Take a terminal offline: its payments wait until expiry.'
  static override examples = [
    'tillbox terminal offline TBX-ATTENDED-001',
    'tillbox terminal offline TBX-ATTENDED-001 --json',
  ]
}

import { TerminalSwitch } from '../../cli/terminal/terminal-command.ts'

export default class TerminalOnline extends TerminalSwitch {
  static override summary = 'Bring a terminal online: waiting payments continue.'
  static override examples = [
    '<%= config.bin %> terminal online TBX-ATTENDED-001',
    '<%= config.bin %> terminal online TBX-ATTENDED-001 --json',
  ]
  protected readonly online = true
}

import { TerminalSwitch } from '../../cli/terminal/terminal-switch.ts'

export default class TerminalOffline extends TerminalSwitch {
  static override summary = 'Switch a terminal off: payments for it wait, and close unpaid at their expiry.'
  static override examples = ['<%= config.bin %> terminal offline TBX-ATTENDED-001']
  protected readonly online = false
}

import { terminalCommand } from '../../terminal/terminal-command.ts'

export default class TerminalShow extends terminalCommand('screen', async (view) =>
  (await import('../../terminal/render-terminal.ts')).renderScreen(view),
) {
  static override description = '--json adds every card that fits, the tips and the possible actions.'
  static override examples = [
    'tillbox terminal show TBX-ATTENDED-001',
    'tillbox terminal show TBX-ATTENDED-001 --json',
  ]
}

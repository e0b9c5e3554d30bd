import { controlCommand } from '../../sandbox-command.ts'

export default class TerminalList extends controlCommand('terminals', async (list) =>
  (await import('../../terminal/render-terminal.ts')).renderTerminalList(list),
) {
  static override examples = ['tillbox terminal list', 'tillbox terminal list --json']
  static override listMember = 'terminals'
}

import { controlCommand } from '../../sandbox-command.ts'

export default class TerminalList extends controlCommand('terminals', async (list) =>
  (await import('../../terminal/render-terminal.ts')).renderTerminalList(list),
) {
  static override summary = 'List the terminals with their screens and waiting payments.'
  static override examples = ['tillbox terminal list', 'tillbox terminal list --json']
  static override listMember = 'terminals'
}

import { controlCommand, ServerCommand } from '../../sandbox-command.ts'

export default class TokenList extends controlCommand(
  'tokens',
  async (list) => (await import('../../access/render-access.ts')).renderTokens(list),
  ServerCommand,
) {
  static override description =
    'Names, scopes and times, never a token itself. The one that the sandbox was started with comes first and is called ' +
    'start. A token that has expired is listed for 7 days. Times are those of the wall clock.'
  static override examples = ['tillbox token list', 'tillbox token list --json']
  static override listMember = 'tokens'
}

import { controlCommand, ServerCommand } from '../../sandbox-command.ts'

export default class SpaceList extends controlCommand(
  'spaces',
  async (list) => (await import('../../sandbox/render-spaces.ts')).renderSpaces(list),
  ServerCommand,
) {
  static override description =
    'The first one is the sandbox that was started. A space that is not used for a while goes to sleep; the next ' +
    'request wakes it.'
  static override examples = ['tillbox space list', 'tillbox space list --json']
  static override listMember = 'spaces'
}

import { string } from '@oclif/core/args'
import { controlCommand, ServerCommand } from '../../sandbox-command.ts'

export default class SpaceShow extends controlCommand(
  'space',
  async (space) => (await import('../../sandbox/render-spaces.ts')).renderSpace(space),
  ServerCommand,
) {
  static override examples = ['tillbox space show ci-1', 'tillbox space show ci-1 --json']
  static override memberFlags = { space: 'name' }
  static override args = { name: string({ description: 'Name of the space.', required: true }) }
}

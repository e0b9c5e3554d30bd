import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { requireConfirmation } from '../../input/confirmation.ts'
import { clean } from '../../output/clean.ts'
import { ServerCommand, summaryOf } from '../../sandbox-command.ts'

export default class SpaceRemove extends ServerCommand {
  static override summary = summaryOf('remove-space')
  static override description =
    'Its payments, snapshots and keys are deleted. Asks first; in a non-interactive shell, pass --yes.'
  static override examples = ['tillbox space remove ci-1', 'tillbox space remove ci-1 --yes --json']
  static override memberFlags = { space: 'name' }
  static override args = { name: string({ description: 'Name of the space.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceRemove)
    const { name } = args
    const server = await this.find(flags, 'remove-space')
    const question = `Remove the space ${name} of the server at ${server.baseUrl} for good?`
    if (!flags.yes) await requireConfirmation('Removing a space', question)
    const remaining = await control(server, 'remove-space', undefined, { names: { space: name } })
    const answer = { status: 'removed', name, ...remaining }
    await this.show(answer, () => `Removed the space ${clean(name)}.\n`)
  }
}

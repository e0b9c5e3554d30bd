import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../../client/client.ts'
import { requireConfirmation } from '../../../input/confirmation.ts'
import { clean } from '../../../output/clean.ts'
import { SandboxCommand } from '../../../sandbox-command.ts'

export default class SandboxSnapshotRemove extends SandboxCommand {
  static override summary = 'Remove a snapshot.'
  static override description = 'Its file is deleted. Asks first; in a non-interactive shell, pass --yes.'
  static override examples = [
    'tillbox sandbox snapshot remove base',
    'tillbox sandbox snapshot remove base --yes --json',
  ]
  static override args = { name: string({ description: 'Snapshot to remove.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxSnapshotRemove)
    const sandbox = await this.find(flags, 'remove-snapshot')
    const { name } = args
    const question = `Remove snapshot ${name} of the sandbox at ${sandbox.baseUrl} for good?`
    if (!flags.yes) await requireConfirmation('Removing a snapshot', question)
    const remaining = await control(sandbox, 'remove-snapshot', undefined, { names: { name } })
    const answer = { status: 'removed', name, ...remaining }
    await this.show(answer, () => `Removed snapshot ${clean(name)}.\n`)
  }
}

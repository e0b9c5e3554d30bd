import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { controlCommand } from '../../../sandbox-command.ts'

export default class SandboxSnapshotSave extends controlCommand('save-snapshot', async (saved) =>
  (await import('../../../sandbox/render-snapshots.ts')).renderSaved(saved),
) {
  static override description =
    'A snapshot holds transactions, batches, terminals with their settings and queues, webhook deliveries, request ids, ' +
    'the clock and the faults. It has no API key and no webhook secret. It is a file in the state folder and survives a ' +
    'reset. See docs/snapshots.md.'
  static override examples = [
    'tillbox sandbox snapshot save base',
    'tillbox sandbox snapshot save base --force --json',
  ]
  static override memberFlags = { replace: 'force' }
  static override args = {
    name: string({
      description: 'Name: letters, digits, dots, dashes and underscores, at most 64.',
      required: true,
    }),
  }
  static override flags = {
    force: boolean({ char: 'f', description: 'Replace the snapshot of that name.' }),
  }
}

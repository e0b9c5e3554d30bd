import { string } from '@oclif/core/args'
import { controlCommand } from '../../../sandbox-command.ts'

export default class SandboxSnapshotDiff extends controlCommand('diff-snapshot', async (diff) =>
  (await import('../../../sandbox/render-snapshots.ts')).renderDiff(diff),
) {
  static override description =
    'Compares a snapshot with the sandbox as it is, or with another snapshot: transactions, batches, terminals, ' +
    'webhooks, clock and faults. + is new, - is gone, ~ has changed. The exit code is 0 whether anything differs or not; ' +
    '--json reports it as same: true or false.'
  static override examples = [
    'tillbox sandbox snapshot diff base',
    'tillbox sandbox snapshot diff base later --json',
  ]
  static override memberFlags = { to: 'other' }
  static override args = {
    name: string({ description: 'Snapshot to compare.', required: true }),
    other: string({ description: 'Snapshot to compare it with; left out, the sandbox as it is.' }),
  }
}

import { controlCommand } from '../../../sandbox-command.ts'

export default class SandboxSnapshotList extends controlCommand('snapshots', async (list) =>
  (await import('../../../sandbox/render-snapshots.ts')).renderSnapshots(list),
) {
  static override description = 'A snapshot that cannot be read is listed with the reason.'
  static override examples = ['tillbox sandbox snapshot list', 'tillbox sandbox snapshot list --json']
  static override listMember = 'snapshots'
}

import { SandboxCommand } from '../../../cli/sandbox-command.ts'

export default class SandboxSnapshotList extends SandboxCommand {
  static override summary = 'List the snapshots of the running sandbox.'
  static override description = `A snapshot that cannot be read is listed with the reason.`
  static override examples = ['tillbox sandbox snapshot list', 'tillbox sandbox snapshot list --json']
  static override listMember = 'snapshots'

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxSnapshotList)
    await this.ask(flags, 'snapshots', {}, async (list) =>
      (await import('../../../cli/sandbox/render-snapshots.ts')).renderSnapshots(list),
    )
  }
}

import { SandboxCommand } from '../../../cli/sandbox-command.ts'

export default class SandboxCheckpointList extends SandboxCommand {
  static override summary = 'List the checkpoints of the running sandbox.'
  static override description = `A checkpoint that cannot be read is listed with the reason.`
  static override examples = [
    '<%= config.bin %> sandbox checkpoint list',
    '<%= config.bin %> sandbox checkpoint list --json',
  ]
  static override listMember = 'checkpoints'

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxCheckpointList)
    await this.ask(flags, 'checkpoints', {}, async (list) =>
      (await import('../../../cli/sandbox/render-checkpoints.ts')).renderCheckpoints(list),
    )
  }
}

import { SandboxCommand } from '../../cli/sandbox-command.ts'

export default class MerchantList extends SandboxCommand {
  static override summary = 'List the merchants of the sandbox.'
  static override description = `Those of the fixtures come first, then those that were added.`
  static override examples = ['tillbox merchant list', 'tillbox merchant list --json']
  static override listMember = 'merchants'

  async run(): Promise<void> {
    const { flags } = await this.parse(MerchantList)
    await this.ask(flags, 'merchants', {}, async (list) =>
      (await import('../../cli/sandbox/render-applications.ts')).renderMerchants(list),
    )
  }
}

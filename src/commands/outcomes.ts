import { BaseCommand } from '../cli/base-command.ts'
import { sandboxFlags, sandboxIfRunning } from '../cli/connection/sandbox-address.ts'
import { control } from '../client/client.ts'
import { outcomes } from '../fixtures.ts'

export default class Outcomes extends BaseCommand {
  static override summary = 'List the outcomes with their codes and trigger amounts.'
  static override description =
    'Those of the running sandbox, with its --fixtures; where none runs, the built-in ones. A narrow window leaves columns out. --json prints an object with ' +
    `the list under outcomes.`
  static override examples = ['<%= config.bin %> outcomes', '<%= config.bin %> outcomes --json']
  static override listMember = 'outcomes'
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Outcomes)
    const sandbox = await sandboxIfRunning(flags, 'outcomes')
    const list = sandbox === undefined ? { outcomes } : await control(sandbox, 'outcomes')
    await this.show(flags.json, list, async () =>
      (await import('../cli/listing/fixtures.ts')).renderOutcomes(list),
    )
  }
}

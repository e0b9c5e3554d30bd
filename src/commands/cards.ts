import { BaseCommand } from '../cli/base-command.ts'
import { sandboxFlags, sandboxIfRunning } from '../cli/connection/sandbox-address.ts'
import { control } from '../client/client.ts'
import { cards } from '../fixtures.ts'

export default class Cards extends BaseCommand {
  static override summary = 'List the test cards: network, entry, verification, outcome.'
  static override description =
    'Those of the running sandbox, with its --fixtures; where none runs, the built-in ones. A narrow window leaves columns out. --json prints an object with ' +
    `the list under cards.`
  static override examples = ['<%= config.bin %> cards', '<%= config.bin %> cards --json']
  static override listMember = 'cards'
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Cards)
    const sandbox = await sandboxIfRunning(flags, 'cards')
    const list = sandbox === undefined ? { cards } : await control(sandbox, 'cards')
    await this.show(flags.json, list, async () =>
      (await import('../cli/listing/fixtures.ts')).renderCards(list),
    )
  }
}

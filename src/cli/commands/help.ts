import { string as stringArg } from '@oclif/core/args'
import { BaseCommand } from '../base-command.ts'
import { helpDocument, helpPages, pageTable } from '../help/pages.ts'

export default class HelpCommand extends BaseCommand {
  static override summary = 'Explain a command, exit codes, statuses or shared flags.'
  static override examples = [
    'tillbox help sale',
    'tillbox help exit-codes',
    'tillbox help statuses',
    'tillbox help flags',
  ]
  static override args = {
    subject: stringArg({ description: 'A command such as sale, or exit-codes, statuses or flags.' }),
  }
  static override strict = false

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(HelpCommand)
    const [subject = ''] = argv as string[]
    const page = Object.hasOwn(helpPages, subject) ? helpPages[subject]?.(this.config.commands) : undefined
    if (page !== undefined)
      return this.show(page, async () => {
        const { columns } = await import('../output/table.ts')
        return Object.values(page)
          .map((records) => `${columns(...pageTable(records))}\n`)
          .join('\n')
      })
    if (flags.json) {
      const document = helpDocument(this.config, argv as string[])
      if (document !== undefined) return this.show(document, () => '')
    }
    const { default: TillboxHelp } = await import('../help/help.ts')
    await new TillboxHelp(this.config, this.config.pjson.oclif.helpOptions).showHelp(argv as string[])
  }
}

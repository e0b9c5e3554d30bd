import { string as stringArg } from '@oclif/core/args'
import { BaseCommand } from '../cli/base-command.ts'
import {
  exitCodeRows,
  jsonRows,
  sessionHelpHead,
  sessionHelpRows,
  sessionStateRows,
  sharedFlagRows,
  statusHelpHead,
  statusHelpRows,
} from '../cli/help/pages.ts'
import { statusRows } from '../contract/statuses.ts'

export default class HelpCommand extends BaseCommand {
  static override summary = 'Explain a command, exit codes, statuses, flags or JSON.'
  static override examples = [
    'tillbox help sale',
    'tillbox help exit-codes',
    'tillbox help statuses',
    'tillbox help flags',
    'tillbox help json',
  ]
  static override args = {
    subject: stringArg({ description: 'A command such as sale, or exit-codes, statuses, flags or json.' }),
  }
  static override strict = false

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(HelpCommand)
    const [subject] = argv as string[]
    if (subject === 'exit-codes') {
      const rows = exitCodeRows()
      const codes = rows.map(([code, meaning]) => ({ code: Number(code), meaning }))
      return this.show(flags.json, { codes }, () => this.table(['code', 'meaning'], rows))
    }
    if (subject === 'statuses') {
      const all = { statuses: statusRows(), sessions: sessionStateRows() }
      return this.show(flags.json, all, async () =>
        [
          await this.table(statusHelpHead, statusHelpRows()),
          await this.table(sessionHelpHead, sessionHelpRows()),
        ].join('\n'),
      )
    }
    if (subject === 'flags') {
      const rows = sharedFlagRows(this.config.commands)
      const all = rows.map(([flag, meaning]) => ({ flag, meaning }))
      return this.show(flags.json, { flags: all }, () => this.table(['flag', 'meaning'], rows))
    }
    if (subject === 'json') {
      const rows = jsonRows()
      const rules = rows.map(([about, rule]) => ({ about, rule }))
      return this.show(flags.json, { rules }, () => this.table(['about', 'rule'], rows))
    }
    if (flags.json) {
      const { helpDocument } = await import('../cli/help/pages.ts')
      const document = helpDocument(this.config, argv as string[])
      if (document !== undefined) return this.show(true, document, () => '')
    }
    const { default: TillboxHelp } = await import('../cli/help/help.ts')
    const colour = flags.color === undefined ? [] : [`--color=${flags.color}`]
    await new TillboxHelp(this.config, this.config.pjson.oclif.helpOptions).showHelp([
      ...(argv as string[]),
      ...colour,
    ])
  }

  async table(head: string[], rows: string[][]): Promise<string> {
    const { columns } = await import('../cli/output/table.ts')
    return `${columns(head, rows)}\n`
  }
}

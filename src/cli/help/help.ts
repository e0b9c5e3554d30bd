import type { Command, Interfaces } from '@oclif/core'
import { CommandHelp, Help } from '@oclif/core/help'
import { columnsOf } from '../../text/window-size.ts'
import { firstSteps, groupsOf } from './groups.ts'

/** Where there is no window, and the widest that is read with ease. */
const [usualWidth, widest] = [80, 120]

/** oclif goes beyond its width by so much where it indents. */
const margin = 2

/** Flags that most commands share, by the title of their group: one line names them, and `tillbox help flags` explains them. */
const shared = new Set(['CONNECTION', 'GLOBAL'])

type FlagOf = Command.Flag.Any

/** Help of one command: examples before flags, and the flags that all commands share by their names alone. */
class ShortCommandHelp extends CommandHelp {
  protected override sections() {
    const order = ['USAGE', 'EXAMPLES', 'DESCRIPTION', 'ARGUMENTS', 'FLAGS']
    return super
      .sections()
      .filter(({ header }) => order.includes(header))
      .sort((one, other) => order.indexOf(one.header) - order.indexOf(other.header))
  }

  protected override defaultUsage(): string {
    const args = Object.values(this.command.args ?? {}).filter(({ hidden }) => hidden !== true)
    return [this.command.id, ...args.map((arg) => this.arg(arg)), '[FLAGS]'].join(' ')
  }

  /** Without room for a letter that most flags do not have. */
  protected override flagHelpLabel(flag: FlagOf, showOptions = false): string {
    return super.flagHelpLabel(flag, showOptions).replace(/^ {4}/, '')
  }

  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    return super.examples(examples)?.replaceAll('\n\n', '\n')
  }

  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  protected override groupFlags(flags: FlagOf[]) {
    const own = flags.filter(({ helpGroup }) => !shared.has(helpGroup ?? ''))
    return super.groupFlags(own)
  }

  override generate(): string {
    const flags = Object.entries(this.command.flags ?? {}).filter(([, { hidden }]) => hidden !== true)
    const common = flags.filter(([, { helpGroup }]) => shared.has(helpGroup ?? ''))
    const names = common.map(([name]) => `--${name}`).join(' ')
    if (names === '') return super.generate()
    const more = this.section(
      'ALSO',
      `${this.wrap(names)}\n${this.wrap('See tillbox help flags, and tillbox help exit-codes.')}`,
    )
    return `${super.generate()}\n\n${more}`
  }
}

/** The help: as wide as the window, grouped by what a person wants to do. */
export default class TillboxHelp extends Help {
  protected override CommandHelpClass = ShortCommandHelp

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, {
      ...options,
      maxWidth: Math.min(columnsOf(process.stdout) ?? usualWidth, widest) - margin,
    })
  }

  /** What there is no help for is said as what there is no command for. */
  override async showHelp(argv: string[]): Promise<void> {
    if (argv.includes('--json')) {
      const { helpDocument } = await import('./help-document.ts')
      const document = helpDocument(this.config, argv)
      if (document !== undefined) return void this.log(JSON.stringify(document, null, 2))
    }
    try {
      await super.showHelp(argv)
    } catch (error) {
      const [, id] = /^Command (.+) not found\.$/.exec((error as Error).message) ?? []
      if (id === undefined) throw error
      await this.config.runHook('command_not_found', { id, argv: [] })
    }
  }

  protected override async showRootHelp(): Promise<void> {
    const about = this.config.pjson.description ?? ''
    const steps = firstSteps.map(([command, what]) => [`$ ${command}`, what])
    this.log(`${this.wrap(about)}\n`)
    this.log(this.section('FIRST STEPS', this.#list(steps)))
    const words = this.config.commands.filter(
      ({ id, hidden }) => !hidden && !id.includes(':') && this.config.findCommand(id)?.id === id,
    )
    for (const [title, names] of groupsOf(words.map(({ id }) => id))) {
      const rows = names.flatMap((name) => this.#row(name))
      if (rows.length > 0) this.log(`\n${this.section(title.toUpperCase(), this.#list(rows))}`)
    }
    this.log(
      `\n${this.wrap('tillbox <command> --help has examples and flags; tillbox help exit-codes, what a command ends with.')}`,
    )
  }

  /** A command or a topic with what it does; nothing for a name that there is not. */
  #row(name: string): [string, string][] {
    const command = this.config.findCommand(name)
    const topic = this.config.findTopic(name)
    const text = command?.summary ?? topic?.description
    return text === undefined ? [] : [[name, text]]
  }

  #list(rows: readonly (readonly string[])[]): string {
    return this.renderList(
      rows.map(([left = '', right]) => [left, right]),
      { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi ?? false },
    )
  }
}

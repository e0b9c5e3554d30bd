import type { Interfaces } from '@oclif/core'
import { CommandHelp, getHelpFlagAdditions, Help, standardizeIDFromArgv } from '@oclif/core/help'
import { windowColumns } from '../../shared/text/display-width.ts'
import { commandHint, hint } from '../hints/same-sandbox.ts'
import { theme } from '../output/theme.ts'
import {
  commandPage,
  type HelpRow,
  type HelpTheme,
  helpRows,
  nameWidth,
  prose,
  section,
  typedCommand,
} from './command-page.ts'
import { helpDocument } from './pages.ts'

/** Where there is no window, and the widest that is read with ease. */
const [usualWidth, widest] = [80, 120]

class OneCommandHelp extends CommandHelp {
  override generate(): string {
    return commandPage(this.command, lookNow())
  }
}

function lookNow(): HelpTheme {
  return { ...theme, width: Math.min(windowColumns(process.stdout) ?? usualWidth, widest) }
}

/** The help: as wide as the window, grouped by what a person wants to do. */
export default class TillboxHelp extends Help {
  protected override CommandHelpClass = OneCommandHelp

  /** Shows help; an unknown topic fails like an unknown command. */
  override async showHelp(argv: string[]): Promise<void> {
    if (argv.includes('--json')) {
      const document = helpDocument(this.config, argv)
      if (document !== undefined) return void this.log(JSON.stringify(document, null, 2))
    }
    const words = argv.filter((word) => !getHelpFlagAdditions(this.config).includes(word) && word !== 'help')
    const [id = ''] = standardizeIDFromArgv(words, this.config)
    if (id === '' || id.startsWith('-') || this.config.findCommand(id) || this.config.findTopic(id))
      return super.showHelp(argv)
    await this.config.runHook('command_not_found', { id: `help ${id}`, argv: [] })
  }

  protected override async showRootHelp(): Promise<void> {
    const look = lookNow()
    const words = this.config.commands.filter(
      ({ id, hidden }) => !hidden && !id.includes(':') && this.config.findCommand(id)?.id === id,
    )
    const groups = groupNames(words.map(({ id }) => id)).map(
      ([title, names]) => [title.toUpperCase(), names.flatMap((name) => this.#row(name))] as const,
    )
    const names = nameWidth(groups.flatMap(([, rows]) => rows))
    const parts = [
      prose(this.config.pjson.description ?? '', look, look.width).join('\n'),
      section(
        'FIRST STEPS',
        helpRows(
          firstSteps.map(([each, what]) => [commandHint(each), what]),
          look,
        ),
        look,
      ),
      ...groups
        .filter(([, rows]) => rows.length > 0)
        .map(([title, rows]) => section(title, helpRows(rows, look, names), look)),
      prose(
        hint(
          '`tillbox <command> --help` has examples and flags; `tillbox help exit-codes` explains the exit codes.',
        ),
        look,
        look.width,
      ).join('\n'),
    ]
    this.log(parts.join('\n\n'))
  }

  protected override async showTopicHelp({ name, description = '' }: Interfaces.Topic): Promise<void> {
    const look = lookNow()
    const inIt = this.sortedCommands.filter(({ id }) => id.startsWith(`${name}:`))
    const rows = inIt.map(({ id, summary = '' }): HelpRow => [id.replaceAll(':', ' '), summary])
    const parts = [
      prose(description, look, look.width).join('\n'),
      section('USAGE', [typedCommand(`tillbox ${name.replaceAll(':', ' ')} COMMAND`, look)], look),
      section('COMMANDS', helpRows(rows, look), look),
    ]
    this.log(`${parts.join('\n\n')}\n`)
  }

  /** A command or a topic with what it does; nothing for a name that there is not. */
  #row(name: string): HelpRow[] {
    const command = this.config.findCommand(name)
    const topic = this.config.findTopic(name)
    const text = command?.summary ?? topic?.description
    return text === undefined ? [] : [[name, text]]
  }
}

/** Groups of the help, in its order: what a person wants to do, and the commands and topics that do it. */
const helpGroups: readonly (readonly [title: string, names: readonly string[]])[] = [
  // Also every other command of one word, so new operations are included without loading their table.
  ['payments', ['sale', 'list', 'query', 'batch', 'api']],
  ['online', ['checkout']],
  ['terminals', ['terminal', 'merchant']],
  ['webhooks', ['listen', 'webhook']],
  ['testing', ['test', 'attack', 'coverage', 'scenario', 'trigger']],
  ['sandbox', ['sandbox', 'space', 'exec', 'logs', 'token', 'audit', 'outcomes', 'cards']],
  ['settings', ['init', 'doctor', 'profile', 'whoami', 'completion', 'docs', 'mcp', 'openapi', 'help']],
]

const firstSteps: readonly (readonly [command: string, what: string])[] = [
  ['tillbox sandbox start', 'in one window: a sandbox, with a dashboard and terminals'],
  ['tillbox sale --amount 10.00', 'in another: the first payment'],
  ['tillbox listen', 'every notification, as your server would get it'],
]

/** The groups with their names, given every command and topic of one word that help shows. */
function groupNames(all: readonly string[]): readonly (readonly [title: string, names: readonly string[]])[] {
  const grouped = new Set(helpGroups.flatMap(([, names]) => names))
  const others = all.filter((name) => !grouped.has(name))
  return helpGroups.map(([title, names], index) => [title, index === 0 ? [...names, ...others] : names])
}

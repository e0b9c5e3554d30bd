import type { Command } from '@oclif/core'
import { displayWidth, maxWidth, wrapText } from '../../shared/text/display-width.ts'
import type { Theme } from '../output/theme.ts'
import { examplesOf } from './pages.ts'

type Flag = Command.Flag.Any
type Arg = Command.Arg.Any

type ShownCommand = Pick<
  Command.Loadable,
  'id' | 'description' | 'args' | 'flags' | 'examples' | 'usage' | 'strict'
>

/** Help of one command: examples before flags, and the flags that all commands share by their names alone. */
export function commandPage(command: ShownCommand, look: HelpTheme): string {
  const args = Object.values(command.args ?? {}).filter(({ hidden }) => hidden !== true)
  const flags = Object.values(command.flags ?? {}).filter(({ hidden }) => hidden !== true)
  const specificFlags = flags.filter((flag) => !isShared(flag))
  const groups = [...new Set(specificFlags.map(({ helpGroup }) => helpGroup ?? ''))].sort((one) =>
    one === '' ? -1 : 0,
  )
  const argRow = (arg: Arg): HelpRow => [
    argName(command, args)(arg),
    [arg.description ?? '', oneOf(arg.options)].filter(Boolean).join(' '),
  ]
  const shared = flags.filter(isShared).map(({ name }) => `--${name}`)
  const also = [shared.join(' '), 'See tillbox help flags, and tillbox help exit-codes.']
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ['USAGE', usageLines(command, args).map((usage) => typedCommand(usage, look))],
    ['EXAMPLES', examplesOf(command).map((example) => typedCommand(example, look))],
    ['DESCRIPTION', command.description ? prose(command.description, look) : []],
    ['ARGUMENTS', helpRows(args.map(argRow), look)],
    ...groups.map((group): [string, string[]] => [
      `${group.toUpperCase()} FLAGS`.trim(),
      helpRows(specificFlags.filter(({ helpGroup = '' }) => helpGroup === group).map(flagRow(look)), look),
    ]),
    ['ALSO', shared.length === 0 ? [] : also.flatMap((text) => prose(text, look))],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => section(title, lines, look))
    .join('\n\n')
}

/** True for a flag that most commands share: one line names them, and `tillbox help flags` explains them. */
const isShared = ({ helpGroup = '' }: Flag): boolean => ['CONNECTION', 'GLOBAL'].includes(helpGroup)

function usageLines(shown: ShownCommand, args: readonly Arg[]): string[] {
  const { id, usage } = shown
  const usages = usage === undefined ? [] : [usage].flat()
  const command = id.replaceAll(':', ' ')
  if (usages.length > 0) return usages.map((each) => `tillbox ${each}`)
  return [['tillbox', command, ...args.map(argName(shown, args)), '[FLAGS]'].join(' ')]
}

/** The last argument can be repeated where the command takes as many as are typed: `[ID…]`. */
const argName =
  ({ strict }: ShownCommand, all: readonly Arg[]) =>
  (arg: Arg): string => {
    const name = `${arg.name.toUpperCase()}${strict === false && arg === all.at(-1) ? '…' : ''}`
    return arg.required ? name : `[${name}]`
  }

/** `-d, --detach`, `--[no-]follow`, `--limit=<value>`; then what it does, its words, its default. */
const flagRow =
  (look: HelpTheme) =>
  (flag: Flag): HelpRow => {
    const name = flag.type === 'boolean' && flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
    const label = `${flag.char === undefined ? '' : `-${flag.char}, `}${name}${valueText(flag)}`
    const required = flag.required ? '(required)' : ''
    const words = flag.type === 'option' && flag.helpValue === undefined ? oneOf(flag.options) : ''
    const text = [required, flag.summary ?? flag.description ?? '', words].filter(Boolean).join(' ')
    const without = withoutIt(flag)
    return [label, without === '' ? text : `${text} ${look.faint(without)}`]
  }

function valueText(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const value = [flag.helpValue ?? (flag.options === undefined ? '<value>' : '<option>')].flat().join(' ')
  return `=${value}${flag.multiple ? '...' : ''}`
}

const oneOf = (options: readonly string[] | undefined): string =>
  options === undefined || options.length === 0 ? '' : `One of: ${options.join(', ')}.`

function withoutIt(flag: Flag): string {
  const usual = flag.type === 'option' && flag.default ? [`default: ${flag.default}`] : []
  const variable = flag.env === undefined ? [] : [`env: ${flag.env}`]
  return usual.length + variable.length === 0 ? '' : `[${[...usual, ...variable].join(', ')}]`
}

/** How a page of the help looks: `theme.width` is that of the page. */
export type HelpTheme = Pick<Theme, 'strong' | 'link' | 'faint' | 'width'>

/** A name and what it is; the name has no colour yet. */
export type HelpRow = readonly [name: string, text: string]

/** Columns before the body of a section, and between the columns of a list. */
const [indent, gap] = [2, 2]

/** Lines that a text beside its name may take; a list with a longer one has every text below its name. */
const mostBeside = 5

/** Fewest columns of a text beside its name. */
const narrowest = 30

/** A section with its title above. */
export const section = (title: string, lines: readonly string[], look: HelpTheme): string =>
  [look.strong(title), ...lines.map((line) => `${' '.repeat(indent)}${line}`.trimEnd())].join('\n')

/** A text between words, with its flags tinted; a line that is indented hangs a step further. */
export const prose = (text: string, look: HelpTheme, room = look.width - indent): string[] =>
  text.split('\n').flatMap((line) => {
    const before = line.length - line.trimStart().length
    const lines = wrapText(tinted(line.trimStart(), look), room - (before === 0 ? 0 : before + indent))
    return lines.map(
      (each, index) => `${' '.repeat(index === 0 || before === 0 ? before : before + indent)}${each}`,
    )
  })

/** Flags as they stand in a text; not the values of one. */
const tinted = (text: string, { link }: HelpTheme): string =>
  text.replace(/(?<![\w-])--[a-z][a-z-]*[a-z]/g, (flag) => link(flag))

/** Columns of the longest name. */
export const nameWidth = (rows: readonly HelpRow[]): number => maxWidth(rows.map(([name]) => name))

/** A list in two columns; with the texts below where no room is beside. `names`: columns of the names. */
export function helpRows(rows: readonly HelpRow[], look: HelpTheme, names = nameWidth(rows)): string[] {
  const room = look.width - indent - names - gap
  const beside = rows.map(([name, text]) => [name, prose(text, look, room)] as const)
  if (room < narrowest || beside.some(([, lines]) => lines.length > mostBeside))
    return rows
      .flatMap(([name, text]) => [
        ...wrapText(name, look.width - indent).map((line) => look.link(line)),
        ...prose(text, look, look.width - 3 * indent).map((line) => `${' '.repeat(2 * indent)}${line}`),
        '',
      ])
      .slice(0, -1)
  return beside.flatMap(([name, [first = '', ...more]]) => [
    `${look.link(name)}${' '.repeat(names - displayWidth(name) + gap)}${first}`,
    ...more.map((line) => `${' '.repeat(names + gap)}${line}`),
  ])
}

/** A command as it is typed; however long, it stays one line. */
export const typedCommand = (command: string, { faint, link }: HelpTheme): string =>
  `${faint('$ ')}${link(command)}`

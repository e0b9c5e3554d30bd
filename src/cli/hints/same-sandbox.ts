import type { Command, Interfaces } from '@oclif/core'
import { replaceCommands } from '../../shared/text/commands.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { clean } from '../output/clean.ts'
import { programName } from './program.ts'

/**
 * The flag that names a file of variables. Not `--env-file`: Node obeys that anywhere in a command line,
 * including the file's NODE_OPTIONS, so a cloned repository could run code (nodejs/node#54232).
 */
export const envFileFlag = 'dotenv'

type KnownCommands = Pick<Interfaces.Config, 'commandIDs' | 'findCommand'>

/** The flags that were typed, as text, and the commands that may repeat them. */
let typed: { readonly flags: ReadonlyMap<string, string>; readonly commands: KnownCommands } | undefined

/** Notes the command line up to `--`. A `folder` that was made for this run counts as its --state. */
export function noteCommandLine(argv: readonly string[], commands: KnownCommands, folder?: string): void {
  const words = wordsBeforeDashes(argv)
  const flags = ['base-url', 'state', 'space', 'profile', envFileFlag].flatMap((flag) => {
    const value = typedFlag(words, flag) ?? (flag === 'state' ? folder : undefined)
    return value === undefined ? [] : [[flag, ` --${flag} ${shellQuote(value)}`] as const]
  })
  const typedKey = typedFlag(words, 'api-key')
  const shownKey = typedKey?.startsWith('@') ? shellQuote(typedKey) : '<the same key>'
  const key = typedKey === undefined ? [] : [['api-key', ` --api-key ${shownKey}`] as const]
  typed = { flags: new Map<string, string>([...flags, ...key]), commands }
}

/** True when the address of the service was typed as a URL. */
export const isUrlTyped = (): boolean => typed?.flags.has('base-url') === true

/** Flags after which a command needs no address: it has a whole one, or only explains itself. */
const isComplete = / --(?:base-url|state|profile|help)\b/

/**
 * A text with each command in backticks made to act on the same sandbox, and the backticks gone: it repeats
 * the flags of its address and key that were typed, where that command takes them and does not have them. The
 * key itself is not shown.
 */
export const hint = (text: string): string => replaceCommands(text, commandHint)

/** Tells a person something in one line of standard error, with its commands as hints. */
export const warn = (text: string): void => {
  process.stderr.write(`! ${hint(clean(text))}\n`)
}

/**
 * A command by the same program, for whatever sandbox it meets: it may be several with `&&` or `;` between
 * them.
 */
export const programHint = (command: string): string =>
  command.replace(/(?<=^|&& |; |& |\$\()tillbox(?= |$)/g, () =>
    programName(process.argv[1] ?? '', process.env, process.cwd()),
  )

/** A command for the same sandbox and by the same program, made as `hint` makes those in a text. */
export function commandHint(command: string): string {
  const [, ...words] = command.split(' ')
  const id = typed && idIn(words, typed.commands)
  const written = programHint(command)
  if (id === undefined || isComplete.test(command)) return written
  return `${written}${repeatedFor(id, typed?.commands.findCommand(id)?.flags ?? {}, command)}`
}

/** The command that the first words name; the longest one. */
const idIn = (words: readonly string[], { commandIDs }: KnownCommands): string | undefined =>
  [3, 2, 1].map((count) => words.slice(0, count).join(':')).find((id) => commandIDs.includes(id))

/**
 * The typed flags to repeat in a suggested command. `written`: the flags that it has already. Commands for
 * profiles repeat none, nor do those that start a sandbox of their own or ask none. A key is repeated only if
 * the command calls the service, a space only if it is part of the command's address.
 */
function repeatedFor(id: string, flags: Command.Loadable['flags'], written: string): string {
  if (id.startsWith('profile:') || ['exec', 'test', 'help'].includes(id)) return ''
  return [...(typed?.flags ?? [])]
    .filter(([flag]) => flag in flags && !`${written} `.includes(` --${flag} `))
    .filter(([flag]) => flag !== 'api-key' || 'merchant-id' in flags)
    .filter(([flag]) => flag !== 'space' || flags.space?.helpGroup !== undefined)
    .map(([, text]) => text)
    .join('')
}

/** The words of a command line without those of a command that it runs. */
export const wordsBeforeDashes = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

/** The value of a flag as it was typed, before the command line is parsed; of a repeated one the last. */
export function typedFlag(argv: readonly string[], name: string): string | undefined {
  const at = argv.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = argv[at] ?? ''
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : at < 0 ? undefined : argv[at + 1]
}

import type { Command, Interfaces } from '@oclif/core'
import { shellQuote } from '../../text/shell-quote.ts'

/**
 * The flag that names a file of variables. Not `--env-file`: Node obeys that anywhere in a command line, including the
 * file's NODE_OPTIONS, so a cloned repository could run code (nodejs/node#54232).
 */
export const envFileFlag = 'dotenv'

type KnownCommands = Pick<Interfaces.Config, 'commandIDs' | 'findCommand'>

type CommandFlags = Command.Loadable['flags']

const repeatedFlags = ['base-url', 'state', 'space', 'profile', envFileFlag] as const

/** The flags that were typed, as text, and the commands that may repeat them. */
let typed: { readonly flags: ReadonlyMap<string, string>; readonly commands: KnownCommands } | undefined

/** Notes the command line up to `--`. A `folder` that was made for this run counts as its --state. */
export function noteCommandLine(argv: readonly string[], commands: KnownCommands, folder?: string): void {
  const own = ownWords(argv)
  const flags = repeatedFlags.flatMap((flag) => {
    const value = typedFlag(own, flag) ?? (flag === 'state' ? folder : undefined)
    return value === undefined ? [] : [[flag, ` --${flag} ${shellQuote(value)}`] as const]
  })
  const typedKey = typedFlag(own, 'api-key')
  const shownKey = typedKey?.startsWith('@') ? shellQuote(typedKey) : '<the same key>'
  const key = typedKey === undefined ? [] : [['api-key', ` --api-key ${shownKey}`] as const]
  typed = { flags: new Map<string, string>([...flags, ...key]), commands }
}

/** True when the address of the service was typed as a URL. */
export const isUrlTyped = (): boolean => typed?.flags.has('base-url') === true

/** A command in a text, to the next one or to the end. */
const mention = /\btillbox((?: [a-z][a-z-]*)+)((?:(?!\btillbox ).)*)/gs

/** A word of a command line, without the punctuation of the sentence around it. */
const nextWord = /^ ('[^']*'|"[^"]*"|[\w<@/.-](?:[^\s;,)]*[^\s;,).:])?)/

/** Flags after which a command needs no address: it has a whole one, or only explains itself. */
const isComplete = /^[^;\n]*? --(?:base-url|state|profile|help)\b/

/**
 * A hint with each `tillbox …` command in it made to act on the same sandbox: it repeats the flags of its address and key that
 * were typed, where that command takes them and does not have them. The key itself is not shown.
 */
export function hint(text: string): string {
  if (typed === undefined || typed.flags.size === 0) return text
  const { commands } = typed
  return text.replace(mention, (whole, words: string, rest: string, at: number) => {
    const id = idIn(words.trim().split(' '), commands)
    if (id === undefined) return whole
    const command = ` ${id.replaceAll(':', ' ')}`
    const after = words.slice(command.length) + rest
    if (isComplete.test(after)) return whole
    const flags = commands.findCommand(id)?.flags ?? {}
    const length = lengthOfArguments(after, flags, text.slice(0, at).endsWith(': '))
    const own = after.slice(0, length)
    return `tillbox${command}${own}${repeatedFor(id, flags, own)}${after.slice(length)}`
  })
}

/** A command for the same sandbox, made as `hint` makes those in a text. */
export function commandHint(command: string): string {
  const [, ...words] = command.split(' ')
  const id = typed && idIn(words, typed.commands)
  if (id === undefined || isComplete.test(` ${words.join(' ')}`)) return command
  return `${command}${repeatedFor(id, typed?.commands.findCommand(id)?.flags ?? {}, command)}`
}

/**
 * How much of a text after the words of a command belongs to it: flags that it has, and arguments. A plain word may be the
 * sentence's, unless the command `isNamed`: after a colon it goes to the end of its clause.
 */
function lengthOfArguments(text: string, flags: CommandFlags, isNamed: boolean): number {
  let length = 0
  for (;;) {
    const [whole, word = ''] = nextWord.exec(text.slice(length)) ?? []
    if (whole === undefined || (!isNamed && /^[a-z]+$/.test(word))) return length
    const name = /^--(?:no-)?([a-z-]+)$/.exec(word)?.[1]
    const flag = name === undefined ? undefined : (flags[word.slice(2)] ?? flags[name])
    if (name !== undefined && flag === undefined) return length
    length += whole.length
    if (flag?.type === 'option') length += nextWord.exec(text.slice(length))?.[0].length ?? 0
  }
}

/** The command that the first words name; the longest one. */
const idIn = (words: readonly string[], { commandIDs }: KnownCommands): string | undefined =>
  [3, 2, 1].map((count) => words.slice(0, count).join(':')).find((id) => commandIDs.includes(id))

/** Commands that start a sandbox of their own, or ask none. */
const withoutAddress = ['exec', 'test', 'help']

/**
 * The typed flags to repeat in a suggested command. `own`: the flags that it has already. Commands for profiles repeat
 * none. A key is repeated only if the command calls the service, a space only if it is part of the command's address.
 */
function repeatedFor(id: string, known: CommandFlags, own: string): string {
  if (id.startsWith('profile:') || withoutAddress.includes(id)) return ''
  return [...(typed?.flags ?? [])]
    .filter(([flag]) => flag in known && !`${own} `.includes(` --${flag} `))
    .filter(([flag]) => flag !== 'api-key' || 'merchant-id' in known)
    .filter(([flag]) => flag !== 'space' || known.space?.helpGroup !== undefined)
    .map(([, text]) => text)
    .join('')
}

/** The words of a command line without those of a command that it runs. */
export const ownWords = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

/** The value of a flag as it was typed, before the command line is parsed; of a repeated one the last. */
export function typedFlag(argv: readonly string[], name: string): string | undefined {
  const at = argv.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = argv[at] ?? ''
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : at < 0 ? undefined : argv[at + 1]
}

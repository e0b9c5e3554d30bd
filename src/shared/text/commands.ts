import { shellQuote } from './shell-quote.ts'

/** A command in a sentence, each word quoted for a shell: command('query', id) is `tillbox query <id>`. */
export const command = (name: string, ...words: readonly string[]): string =>
  `\`${[`tillbox ${name}`, ...words.map(shellQuote)].join(' ')}\``

/** The text with each command replaced, backticks and all. */
export const replaceCommands = (text: string, replacement: (command: string) => string): string =>
  text.replace(/`(tillbox [^`]*)`/g, (_, each: string) => replacement(each))

/** The text with its commands as they are typed. */
export const typedCommands = (text: string): string => replaceCommands(text, (each) => each)

/** The text without its commands, for a page that has buttons: `List them` of "List them: `tillbox list`". */
export const withoutCommands = (text: string): string => text.replace(/(?:,? or|:)? `tillbox [^`]*`/g, '')

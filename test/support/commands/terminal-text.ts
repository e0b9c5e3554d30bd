import { stripVTControlCharacters } from 'node:util'
import type { CommandTerminal } from './command.ts'

/** What was written to a terminal, without its styles. */
export const plainText = (window: CommandTerminal): string => stripVTControlCharacters(window.written())

/** Text that was wrapped, on one line. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** A character that does something in a terminal; a line may end. */
export const controlCharacter = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u

import { wrapAnsi } from 'fast-wrap-ansi'
import { displayWidth } from './display-width.ts'

/** A space at which no line is broken. */
const glue = '\u00a0'

/** The lines of a text, broken between words to `width` columns; a longer word stays whole, so that it can be copied. */
export const wrapText = (text: string, width: number): string[] => wrapLines(text, width, false)

/** The lines of a text in `width` columns, none of an empty one; a longer word is broken too. */
export const fitText = (text: string, width: number): string[] =>
  text === '' ? [] : wrapLines(text, width, true)

const wrapLines = (text: string, width: number, hard: boolean): string[] =>
  text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line] : wrapAnsi(line, width, { hard }).split('\n')))
    .map((line) => line.replaceAll(glue, ' '))

/** The same with a hanging indent: the first line follows what stands before it. */
export const hangingText = (text: string, before: number, width: number): string =>
  wrapText(text, Math.max(width - before, minWidth)).join(`\n${' '.repeat(before)}`)

/** A narrower terminal is taken for this wide. */
export const minWidth = 20

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

/** Words of a command line; a quoted string counts as one word. */
const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** The same; a flag and its value count as one word. */
const flagAndValue = new RegExp(`(?:--?[\\w-]+ (?!-))?${word.source}`, 'g')

/**
 * A command in lines of `width` columns; each but the last ends with \, so that a shell joins them. No quoted word is
 * broken, and no flag is separated from a value that fits beside it.
 */
export function commandLines(command: string, width: number): string[] {
  if (displayWidth(command) <= width) return [command]
  const room = width - displayWidth(`${further}${continued}`)
  const fits = (text: string) => displayWidth(text) <= room
  const parts = (command.match(flagAndValue) ?? []).flatMap((part) =>
    fits(part) ? [part] : (part.match(word) ?? []),
  )
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  const last = lines.length - 1
  return lines.map((line, index) => `${index === 0 ? '' : further}${line}${index === last ? '' : continued}`)
}

/** Before each further line of a command, and at the end of one that goes on. */
const [further, continued] = ['  ', ' \\']

/** Narrower terminals are treated as this wide, in columns. */
export const minWidth = 20

import { stripVTControlCharacters } from 'node:util'

/** Characters that are seen; colours are not. */
export const seenLength = (text: string): number => [...stripVTControlCharacters(text)].length

/** A space at which no line is broken. */
export const glue = '\u00a0'

/** Breaks a text between words so that no line is longer than that, as far as the words let it. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const part of text.split('\n')) {
    if (width === Number.POSITIVE_INFINITY || seenLength(part) <= width) {
      lines.push(part)
      continue
    }
    let line = ''
    for (const word of part.split(/(?<=[^ ]) (?=[^ ])/)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && seenLength(longer) > width) lines.push(line)
      line = line !== '' && seenLength(longer) > width ? word : longer
    }
    lines.push(line)
  }
  return lines.map((line) => line.replaceAll(glue, ' '))
}

/** The same with a hanging indent: the first line follows what stands before it. */
export const hanging = (text: string, before: number, width: number): string =>
  wrapped(text, Math.max(width - before, leastWidth)).join(`\n${' '.repeat(before)}`)

/** Narrower than this nothing is broken, whatever the terminal is. */
export const leastWidth = 20

/** Lines of plain text of at most so many columns: a longer word is broken too. */
export function fitted(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width))
  }
  return line === '' ? lines : [...lines, line]
}

/** Columns of standard output; undefined where it is no terminal. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns : undefined

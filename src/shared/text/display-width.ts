import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { once } from '../once.ts'

/** Columns that a text takes on a terminal: wide characters take two, colours none. */
export const displayWidth = (text: string): number => stringWidth(text)

/** Columns of the widest text; 0 without texts. A loop: `Math.max(...)` fails with 100,000 texts. */
export const maxWidth = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)

/** The text with spaces behind it, up to `columns`; a wider text is unchanged. */
export const pad = (text: string, columns: number): string =>
  `${text}${' '.repeat(Math.max(0, columns - displayWidth(text)))}`

/** Made when it is first needed: that takes 6 ms of a start. */
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** The characters of a text as a reader counts them. */
function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment
}

/** The first of the characters that fit into `columns`. */
function fitting(characters: Iterable<string>, columns: number): readonly string[] {
  const fitted: string[] = []
  let remaining = columns
  for (const character of characters) {
    remaining -= displayWidth(character)
    if (remaining < 0) break
    fitted.push(character)
  }
  return fitted
}

/** A text without colours in at most `columns`, with … where something is left out. */
export function clip(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  return columns < 1
    ? ''
    : `${fitting(graphemes(text), columns - 1)
        .join('')
        .trimEnd()}…`
}

/** The same with … in its middle, because its end tells it from others. */
export function clipMiddle(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  const end = fitting([...graphemes(text)].reverse(), Math.floor((columns - 1) / 2))
  return `${fitting(graphemes(text), columns - 1 - maxWidth([end.join('')])).join('')}…${[...end].reverse().join('')}`
}

/** A space at which no line is broken. */
export const glue = '\u00a0'

/** The lines of a text, broken between words to `width` columns; a longer word stays whole, to be copied. */
export const wrapText = (text: string, width: number): string[] => wrapLines(text, width, false)

/** The lines of a text in `width` columns, none of an empty one; a longer word is broken too. */
export const fitText = (text: string, width: number): string[] =>
  text === '' ? [] : wrapLines(text, width, true)

const wrapLines = (text: string, width: number, hard: boolean): string[] =>
  text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line] : wrapAnsi(line, width, { hard }).split('\n')))
    .map((line) => line.replaceAll(glue, ' '))

/** A text in `width` columns with a hanging indent: its first line follows `before` other columns. */
export const hangingText = (text: string, before: number, width: number): string =>
  wrapText(text, Math.max(width - before, minWidth)).join(`\n${' '.repeat(before)}`)

/** The lines of a text in `width` columns, each with its further lines indented as it is itself. */
export const hangingLines = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    return wrapText(line.trimStart(), Math.max(width - indent.length, minWidth)).map((part) => indent + part)
  })

/** Narrower terminals are treated as this wide, in columns. */
export const minWidth = 20

const usualColumns = 80

/** A stream that may be a terminal; one of 0 columns does not tell its size. */
interface SizedStream {
  readonly columns?: number | undefined
}

/** Columns of a terminal; undefined for any other output. */
export const windowColumns = ({ columns }: SizedStream): number | undefined =>
  columns === 0 ? usualColumns : columns

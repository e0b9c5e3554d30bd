import stringWidth from 'fast-string-width'

/** Columns that a text takes on a terminal: wide characters take two, colours none. */
export const displayWidth = (text: string): number => stringWidth(text)

/** Columns of the widest text; 0 without texts. A loop, because `Math.max(...)` fails with a hundred thousand texts. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)

/** The text with spaces behind it, up to `columns`; a wider text is unchanged. */
export const pad = (text: string, columns: number): string =>
  `${text}${' '.repeat(Math.max(0, columns - displayWidth(text)))}`

let segmenter: Intl.Segmenter | undefined

/** The characters of a text as a reader counts them. The segmenter is made when it is first needed: that takes 6 ms of a start. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The first of the characters that fit into `columns`. */
function fitting(characters: Iterable<string>, columns: number): readonly string[] {
  const fitted: string[] = []
  let left = columns
  for (const character of characters) {
    left -= displayWidth(character)
    if (left < 0) break
    fitted.push(character)
  }
  return fitted
}

/** A text without colours in at most `columns`, with … where something is left out. */
export function clip(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  return columns < 1
    ? ''
    : `${fitting(charactersOf(text), columns - 1)
        .join('')
        .trimEnd()}…`
}

/** The end of a text without colours in at most `columns`, with … where its beginning is left out. */
export function clipStart(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  const fromEnd = fitting([...charactersOf(text)].reverse(), columns - 1)
  return columns < 1 ? '' : `…${[...fromEnd].reverse().join('').trimStart()}`
}

import stringWidth from 'fast-string-width'

/** Columns that a text takes on a terminal: wide characters take two, colours none. */
export const displayWidth = (text: string): number => stringWidth(text)

/** Columns of the widest text; 0 without texts. A loop, because `Math.max(...)` fails with a hundred thousand texts. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)

/** The text with spaces behind it, up to `columns`; a wider text is unchanged. */
export const pad = (text: string, columns: number): string =>
  `${text}${' '.repeat(Math.max(0, columns - displayWidth(text)))}`

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A text without colours in at most `columns`, with … where something is left out. */
export function clip(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let [kept, left] = ['', columns - 1]
  for (const { segment } of graphemes.segment(text)) {
    left -= displayWidth(segment)
    if (left < 0) break
    kept += segment
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`
}

/** The end of a text without colours in at most `columns`, with … where its beginning is left out. */
export function clipStart(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let [kept, left] = ['', columns - 1]
  for (const { segment } of [...graphemes.segment(text)].reverse()) {
    left -= displayWidth(segment)
    if (left < 0) break
    kept = segment + kept
  }
  return columns < 1 ? '' : `…${kept.trimStart()}`
}

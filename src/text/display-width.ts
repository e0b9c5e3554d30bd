import stringWidth from 'fast-string-width'

/** Columns that a text takes on a terminal: wide characters take two, colours none. */
export const displayWidth = (text: string): number => stringWidth(text)

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

import { clean } from '../output/clean.ts'
import type { Theme } from '../output/theme.ts'

/** A style, by its name in the theme. */
export type Style = Exclude<keyof Theme, 'width'>

/** A part of a line in one style; left out, plain. */
export type Span = readonly [text: string, style?: Style]

/** A line of a screen, before it is painted: what it says can be measured and compared. */
export type Line = readonly Span[]

/** A line of plain text, or of one style. */
export const line = (text: string, style?: Style): Line => [style === undefined ? [text] : [text, style]]

/** What a line says, without its styles. */
export const textOf = (spans: Line): string => spans.map(([text]) => text).join('')

/** The line with its styles as escape sequences, and no other ones. */
export const paint = (spans: Line, theme: Theme): string =>
  spans
    .map(([text, style]) => [clean(text), style] as const)
    .map(([text, style]) => (style === undefined || text === '' ? text : theme[style](text)))
    .join('')

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /^(?:\p{Emoji_Presentation}|.*\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u
const plain = /^[\x20-\x7e\u00a0-\u02ff\u2010-\u2027\u2500-\u25ff]*$/

/** Columns that the text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  return [...segments.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0)
}

const lineWidth = (spans: Line): number => widthOf(textOf(spans))

/** The text in at most so many columns, with … where something is left out. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let [kept, left] = ['', columns - 1]
  for (const { segment } of segments.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`
}

/** The line in at most so many columns. */
export function clipLine(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans
  const kept: Span[] = []
  let left = columns
  for (const [text, style] of spans) {
    const part = clip(text, left)
    kept.push(style === undefined ? [part] : [part, style])
    left -= widthOf(part)
    if (part !== text || left <= 0) break
  }
  return kept
}

/** The line in exactly so many columns. */
export function fill(spans: Line, columns: number): Line {
  const kept = clipLine(spans, columns)
  return [...kept, [' '.repeat(Math.max(0, columns - lineWidth(kept)))]]
}

/** The line in the middle of so many columns. */
export function centre(spans: Line, columns: number): Line {
  const kept = clipLine(spans, columns)
  const left = Math.floor((columns - lineWidth(kept)) / 2)
  return fill([[' '.repeat(left)], ...kept], columns)
}

/** One line at the left and one at the right, with a space between; the left one gives way. */
export function apart(left: Line, right: Line, columns: number): Line {
  const end = clipLine(right, columns)
  const room = columns - lineWidth(end)
  return [...fill(left, Math.max(0, room - 1)), [' '.repeat(Math.min(1, room))], ...end]
}

/** Text in lines of at most so many columns, broken between words. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && widthOf(joined) <= columns) lines[lines.length - 1] = joined
    else lines.push(clip(word, columns))
  }
  return lines
}

/** A command in lines of at most so many columns; each but the last ends with \, so that a shell takes them for one. */
export function wrapCommand(command: string, columns: number): string[] {
  if (widthOf(command) <= columns) return [command]
  const lines = wrap(command, columns - 4)
  return lines.map(
    (text, index) => `${index === 0 ? '' : '  '}${text}${index === lines.length - 1 ? '' : ' \\'}`,
  )
}

import { clip, displayWidth } from '../../shared/text/display-width.ts'
import { clean } from './clean.ts'
import { type Theme, theme } from './theme.ts'

/** A style, by its name in the theme. */
export type Style = Exclude<keyof Theme, 'width'>

/** A part of a line in one style; left out, plain. */
export type Span = readonly [text: string, style?: Style]

/** A line of a screen, before it is painted: what it says can be measured and compared. */
export type Line = readonly Span[]

/** A line of plain text, or of one style. */
export const line = (text: string, style?: Style): Line => [style === undefined ? [text] : [text, style]]

/** The line with its styles as escape sequences, and no other ones. */
export const paint = (spans: Line, look = theme): string =>
  spans
    .map(([text, style]) => [clean(text), style] as const)
    .map(([text, style]) => (style === undefined || text === '' ? text : look[style](text)))
    .join('')

const lineWidth = (spans: Line): number => displayWidth(spans.map(([text]) => text).join(''))

/** The line cut to at most `columns`. */
export function clipLine(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans
  const clipped: Span[] = []
  let remaining = columns
  for (const [text, style] of spans) {
    const part = clip(text, remaining)
    clipped.push(style === undefined ? [part] : [part, style])
    remaining -= displayWidth(part)
    if (part !== text || remaining <= 0) break
  }
  return clipped
}

/** The line cut or padded to `columns`. */
function fill(spans: Line, columns: number): Line {
  const clipped = clipLine(spans, columns)
  return [...clipped, [' '.repeat(Math.max(0, columns - lineWidth(clipped)))]]
}

/** The line centred in `columns`. */
export function centre(spans: Line, columns: number): Line {
  const clipped = clipLine(spans, columns)
  const left = Math.floor((columns - lineWidth(clipped)) / 2)
  return fill([[' '.repeat(left)], ...clipped], columns)
}

/** One line at the left and one at the right, with a space between; the left one gives way. */
export function justifiedLine(left: Line, right: Line, columns: number): Line {
  const end = clipLine(right, columns)
  const room = columns - lineWidth(end)
  return [...fill(left, Math.max(0, room - 1)), [' '.repeat(Math.min(1, room))], ...end]
}

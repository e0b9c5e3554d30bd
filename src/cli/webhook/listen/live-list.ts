import { clip, displayWidth } from '../../../shared/text/display-width.ts'
import { type Line, paint, type Span } from '../../output/styled-line.ts'
import { theme } from '../../output/theme.ts'
import { type Key, type KeyWindow, readKeys } from './key-input.ts'

/** A delivery that can be sent again. */
interface Selectable {
  /** The delivery in one line, without colours. */
  readonly text: string
  readonly resend: () => void
}

/** Where lines are written, and the keys that work there. */
export interface Output {
  /** Lines of standard output; with a delivery that they are about. */
  readonly print: (text: string, delivery?: Selectable) => void
  /** Lines of standard error. */
  readonly say: (text: string) => void
  readonly close: () => void
}

/** Output without a terminal: lines only. */
export const plainOutput = (): Output => ({
  print: (text) => void process.stdout.write(text),
  say: (text) => void process.stderr.write(text),
  close: () => undefined,
})

/** Deliveries that can be selected; the oldest is forgotten first. */
const mostSelectable = 500

/**
 * Scrolling lines, and under them the keys and the selected delivery, unless it is the last line: arrows
 * select, r resends, q quits. `quit` is called for q, ctrl-c, and when the terminal is closed.
 */
export function liveOutput(window: KeyWindow, errors: NodeJS.WritableStream, quit: () => void): Output {
  const { output } = window
  let deliveries: readonly Selectable[] = []
  /** Index of the selected one; null: the latest, whatever comes. */
  let selected: number | null = null
  let [shownRows, isOpen] = [0, true]
  const currentIndex = () => selected ?? deliveries.length - 1
  const footer = (): string[] => {
    const columns = (output.columns || 80) - 1
    const hints = {
      ...(deliveries.length > 0 && {
        '↑↓': 'select',
        r: selected === null ? 'send the last again' : 'send again',
      }),
      q: 'quit',
    }
    const chosen = selected === null ? undefined : deliveries[selected] // the latest stands right above
    const count = `${currentIndex() + 1}/${deliveries.length}`
    const row = chosen === undefined ? [] : [theme.strong(clip(`› ${count}  ${chosen.text}`, columns))]
    return [...row, ...hintLines(hints, columns).map((line) => paint(line))]
  }
  const erase = () => {
    if (shownRows > 0) output.write(`\r${shownRows > 1 ? `\u001b[${shownRows - 1}A` : ''}\u001b[J`)
    shownRows = 0
  }
  const draw = () => {
    if (!isOpen) return
    const rows = footer()
    output.write(rows.join('\n'))
    shownRows = rows.length
  }
  const redraw = () => {
    erase()
    draw()
  }
  const select = (step: number) => {
    const next = Math.max(0, Math.min(currentIndex() + step, deliveries.length - 1))
    selected = next === deliveries.length - 1 ? null : next
    redraw()
  }
  const press = (key: Key) => {
    if (key === 'q' || key === 'ctrl-c') quit()
    else if (key === 'up' || key === 'down') select(key === 'up' ? -1 : 1)
    else if (key === 'home' || key === 'end') select(key === 'home' ? -mostSelectable : mostSelectable)
    else if (key === 'r') deliveries[currentIndex()]?.resend()
  }
  const add = (delivery: Selectable) => {
    if (selected !== null && deliveries.length === mostSelectable) selected = Math.max(0, selected - 1)
    deliveries = [...deliveries, delivery].slice(-mostSelectable)
  }
  const closed = () => {
    isOpen = false
    erase()
  }
  const close = readKeys(window, { key: press, gone: quit, resized: redraw, closed })
  draw()
  return {
    print: (text, delivery) => {
      erase()
      output.write(text)
      if (delivery !== undefined) add(delivery)
      draw()
    },
    say: (text) => {
      erase()
      errors.write(text)
      draw()
    },
    close,
  }
}

/** The keys in as few lines as they take. */
function hintLines(all: Readonly<Record<string, string>>, columns: number): Line[] {
  const lines: Span[][] = []
  let remaining = 0
  for (const [key, what] of Object.entries(all)) {
    const hint: Span[] = [
      [key, 'link'],
      [` ${what}`, 'faint'],
    ]
    const width = displayWidth(`${key} ${what}`)
    const row = remaining < width + 3 ? undefined : lines.at(-1)
    if (row === undefined) lines.push(hint)
    else row.push(['   '], ...hint)
    remaining = row === undefined ? columns - width : remaining - width - 3
  }
  return lines
}

/** Begins and ends a picture that is shown at once, where the terminal knows how. */
const [begin, end] = ['\u001b[?2026h', '\u001b[?2026l']

/** What to write so that a window with these lines shows those: only lines that differ. Without a before, all. */
export function repaint(before: readonly string[] | undefined, after: readonly string[]): string {
  const changed = after
    .map((text, row) => (before?.[row] === text ? '' : `\u001b[${row + 1};1H${ended(text)}`))
    .join('')
  if (before === undefined) return `${begin}\u001b[2J${changed}${end}`
  return changed === '' ? '' : begin + changed + end
}

/** Trailing spaces are erased, not written, so that copied text has none. */
const ended = (text: string): string => (text === text.trimEnd() ? text : `${text.trimEnd()}\u001b[K`)

/** Takes the whole window, without a cursor; `leaveWindow` restores its content. */
export const enterWindow = '\u001b[?1049h\u001b[?25l'

/** Gives the window back. */
export const leaveWindow = '\u001b[0m\u001b[?25h\u001b[?1049l'

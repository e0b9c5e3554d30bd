import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'

/** A terminal whose output is kept. */
interface KeptOutput {
  written(): string
}

/** What was written to a terminal, without its styles. */
export const unstyledText = (window: KeptOutput): string => stripVTControlCharacters(window.written())

/** Resolves when the text that was written to a terminal matches. */
export const showsText = (window: KeptOutput, pattern: RegExp): Promise<unknown> =>
  expect.poll(() => unstyledText(window)).toMatch(pattern)

/** Text that was wrapped, on one line. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** A character that does something in a terminal; a line may end. */
export const controlCharacter = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u

const csi = '\u001b\\['
const writes = new RegExp(`${csi}(?:(\\d+);1H|2J)(.*?)(?=${csi}(?:\\d+;1H|2J|\\?)|$)`, 'gs')

/** The lines of a window after all that was written to it: what a terminal makes of our few sequences. */
export function screenLines(written: string): string[] {
  const lines: string[] = []
  for (const [, row, text] of written.matchAll(writes)) {
    if (row === undefined) lines.length = 0
    else lines[Number(row) - 1] = (text ?? '').replace(styles, '').trimEnd()
  }
  return Array.from(lines, (text) => text ?? '')
}

const styles = new RegExp(`${csi}[\\d;]*[mK]`, 'g')

import { emitKeypressEvents } from 'node:readline'
import type { Theme } from '../output/theme.ts'
import type { Key } from './keys.ts'
import { enter, leave, repaint } from './repaint.ts'
import { type Line, paint } from './styled-line.ts'
import type { Size } from './window.ts'

/** The streams of a window. */
export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }
}

/** Whom a window tells. */
export interface ScreenListener {
  readonly key: (key: Key) => void
  readonly resized: () => void
  /** The person is gone: nothing more will be typed. */
  readonly gone: () => void
}

/** A window that is taken whole. */
export interface FullScreen {
  readonly size: () => Size
  readonly show: (lines: readonly Line[]) => void
  /** Gives the window back as it was. Also done when the process ends in any other way but kill -9. */
  readonly close: () => void
}

/** Takes the window: alternate screen, no cursor, every key at once. */
export function openFullScreen(
  { input, output }: Streams,
  theme: Theme,
  listener: ScreenListener,
): FullScreen {
  let shown: readonly string[] | undefined
  let open = true
  const pressed = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) => {
    const name = keyName(text, key)
    if (name !== undefined) listener.key(name)
  }
  const resized = () => {
    shown = undefined
    listener.resized()
  }
  const close = () => {
    if (!open) return
    open = false
    process.off('exit', close)
    input.off('keypress', pressed)
    input.off('end', listener.gone)
    output.off('resize', resized)
    input.setRawMode?.(false) // of a window that was closed: tells an error
    input.off('error', listener.gone)
    input.pause()
    output.write(leave)
  }
  process.once('exit', close) // a crash ends here too
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', pressed)
  input.once('end', listener.gone)
  input.on('error', listener.gone)
  output.on('resize', resized)
  output.write(enter)
  input.resume()
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    show: (lines) => {
      const painted = lines.map((each) => paint(each, theme))
      const text = open ? repaint(shown, painted) : ''
      shown = painted
      if (text !== '') output.write(text)
    },
    close,
  }
}

/** The name of a key: a character as it is typed, another key by its name. */
function keyName(
  text: string | undefined,
  key: { name?: string; ctrl?: boolean } | undefined,
): Key | undefined {
  if (key?.ctrl) return `ctrl-${key.name ?? ''}`
  if (key?.name === 'enter') return 'return'
  return key?.name ?? text
}

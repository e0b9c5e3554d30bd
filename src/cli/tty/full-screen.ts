import { sizeOf } from '../../text/window-size.ts'
import type { Theme } from '../output/theme.ts'
import { type KeyListener, type KeyStream, readKeys } from './key-input.ts'
import { enterWindow, leaveWindow, repaint } from './repaint.ts'
import { type Line, paint } from './styled-line.ts'
import type { Size } from './window.ts'

/** The streams of a window. */
export interface Streams {
  readonly input: KeyStream
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }
}

/** Receives the keys of a window, and changes of its size. */
export interface ScreenListener extends KeyListener {
  readonly resized: () => void
}

/** A full-screen window. */
export interface FullScreen {
  readonly size: () => Size
  readonly show: (lines: readonly Line[]) => void
  /** Restores the window. This also happens when the process ends, except by kill -9. */
  readonly close: () => void
}

/** Opens the window: alternate screen, no cursor, unbuffered keys. */
export function openFullScreen(
  { input, output }: Streams,
  theme: Theme,
  listener: ScreenListener,
): FullScreen {
  let shown: readonly string[] | undefined
  let open = true
  let stopKeys = () => {}
  const resized = () => {
    shown = undefined
    listener.resized()
  }
  const close = () => {
    if (!open) return
    open = false
    process.off('exit', close)
    output.off('resize', resized)
    stopKeys()
    output.write(leaveWindow)
  }
  process.once('exit', close) // a crash ends here too
  output.on('resize', resized)
  output.write(enterWindow)
  stopKeys = readKeys(input, listener)
  return {
    size: () => sizeOf(output),
    show: (lines) => {
      const painted = lines.map((each) => paint(each, theme))
      const text = open ? repaint(shown, painted) : ''
      shown = painted
      if (text !== '') output.write(text)
    },
    close,
  }
}

import { emitKeypressEvents } from 'node:readline'

/** A key by its name: a character, up, down, left, right, return, escape, backspace, tab, home, ctrl-c. */
export type Key = string

/** The streams of a terminal window: keys come from one, and the other tells its size. */
export interface KeyWindow {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }
}

/** Receives the pressed keys. */
export interface KeyListener {
  readonly key: (key: Key) => void
  /** The input has ended: no more keys will come. */
  readonly gone: () => void
  /** The window has another size. */
  readonly resized: () => void
  /** Gives the window back: keys are not read any more. */
  readonly closed: () => void
}

/**
 * Reports every key as it is pressed. Returns a function that stops reading and restores the terminal's mode,
 * as the end of the process does, except by kill -9.
 */
export function readKeys({ input, output }: KeyWindow, listener: KeyListener): () => void {
  const { key: onKey, gone, resized, closed } = listener
  const pressed = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) => {
    const name = keyName(text, key)
    if (name !== undefined) onKey(name)
  }
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close)
    output.off('resize', resized)
    input.off('keypress', pressed)
    input.off('end', gone)
    input.setRawMode?.(false) // fails with an error event if the window was closed
    input.off('error', gone)
    input.pause()
    closed()
  }
  process.once('exit', close) // a crash ends here too
  output.on('resize', resized)
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', pressed)
  input.once('end', gone)
  input.on('error', gone)
  input.resume()
  return close
}

/** The name of a key: a character as it is typed, another key by its name. */
function keyName(text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) {
  if (key?.ctrl) return `ctrl-${key.name ?? ''}`
  if (key?.name === 'enter') return 'return'
  return key?.name ?? text
}

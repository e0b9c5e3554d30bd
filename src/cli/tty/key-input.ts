import { emitKeypressEvents } from 'node:readline'

/** A key by its name: a character, or up, down, left, right, return, escape, backspace, tab, home, end, ctrl-c. */
export type Key = string

/** A stream of keys: standard input of a terminal. */
export type KeyStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(raw: boolean): unknown
}

/** Receives the pressed keys. */
export interface KeyListener {
  readonly key: (key: Key) => void
  /** The input has ended: no more keys will come. */
  readonly gone: () => void
}

/** Reports every key as it is pressed. Returns a function that stops reading and restores the terminal's mode. */
export function readKeys(input: KeyStream, { key: onKey, gone }: KeyListener): () => void {
  const pressed = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) => {
    const name = keyName(text, key)
    if (name !== undefined) onKey(name)
  }
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', pressed)
  input.once('end', gone)
  input.on('error', gone)
  input.resume()
  return () => {
    input.off('keypress', pressed)
    input.off('end', gone)
    input.setRawMode?.(false) // fails with an error event if the window was closed
    input.off('error', gone)
    input.pause()
  }
}

/** The name of a key: a character as it is typed, another key by its name. */
function keyName(text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) {
  if (key?.ctrl) return `ctrl-${key.name ?? ''}`
  if (key?.name === 'enter') return 'return'
  return key?.name ?? text
}

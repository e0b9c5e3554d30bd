import { closeSync, fstatSync, lstatSync } from 'node:fs'
import { openState } from './files.ts'

/**
 * A file that is held open to tell whether its path still leads to it. While it is open its inode cannot become another
 * file's, so a file that was removed and made again is never taken for it.
 */
export class HeldFile {
  readonly #file: number
  readonly #device: bigint
  readonly #inode: bigint
  #closed = false

  /** Errors: an Error of the file system, ELOOP for a link. */
  constructor(readonly path: string) {
    this.#file = openState(path, 'read')
    const { dev, ino } = fstatSync(this.#file, { bigint: true })
    this.#device = dev
    this.#inode = ino
  }

  /** True while the path leads to this very file. */
  get isThere(): boolean {
    const now = lstatSync(this.path, { bigint: true, throwIfNoEntry: false })
    return now?.ino === this.#inode && now.dev === this.#device
  }

  /** Errors: an Error of the file system; it is closed all the same, and closing again does nothing. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#file)
  }
}

import { closeSync, fstatSync, lstatSync } from 'node:fs'
import { openState } from './files.ts'

/**
 * Keeps a file open to tell whether its path still leads to it. An open file's inode is not reused, so a file
 * that was removed and made again is never mistaken for it.
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

  /** True while the path leads to this file. */
  get isThere(): boolean {
    try {
      const { dev, ino } = lstatSync(this.path, { bigint: true })
      return ino === this.#inode && dev === this.#device
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
      throw error
    }
  }

  /** Closes the file; calling it again does nothing. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#file)
  }
}

import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { applyEntry, type Book, type Entry } from '../book.ts'
import { journalFiles } from './journal.ts'
import { DamagedLine, type Ending, readLines } from './lines.ts'
import { readSnapshot, requireFormat, writeSnapshot } from './snapshot.ts'

/** Which part of the journal to read: files before a number, or the newest one only so far. */
export interface Extent {
  readonly before?: string
  readonly newestBytes?: number
}

/**
 * lowdb's adapter for the book. Reading is the snapshot and every journal entry after it; writing is a new snapshot,
 * beside the old one and renamed. The journal itself is appended to by Journal.
 */
export class BookAdapter implements Adapter<Book> {
  /** How the newest journal file ended, after `read`. */
  ending: (Ending & { readonly path: string }) | null = null

  readonly #folder: string
  readonly #empty: () => Book
  readonly #extent: Extent

  constructor(folder: string, empty: () => Book, extent: Extent = {}) {
    this.#folder = folder
    this.#empty = empty
    this.#extent = extent
  }

  /** Errors: DamagedLine with the place; an Error for a file of another format. Nothing is touched. */
  async read(): Promise<Book> {
    const book = this.#empty()
    readSnapshot(this.#folder, book)
    const { before, newestBytes } = this.#extent
    const names = journalFiles(this.#folder).filter((name) => before === undefined || name < before)
    for (const name of names) {
      const path = join(this.#folder, name)
      const newest = name === names.at(-1)
      const ending = readJournal(path, book, newest ? newestBytes : undefined)
      if (ending.tornBytes > 0 && (!newest || before !== undefined))
        throw new DamagedLine(path, ending.lines + 1, ending.wholeBytes, 'its newline is missing')
      this.ending = { ...ending, path }
    }
    return book
  }

  async write(book: Book): Promise<void> {
    writeSnapshot(this.#folder, book)
  }
}

/** Applies the entries that the snapshot does not hold yet. */
function readJournal(path: string, book: Book, limit: number | undefined): Ending {
  /** Number of the last entry of each stream in this file. */
  const read = new Map<string, number>()
  return readLines<Entry | { readonly format: number }>(
    path,
    (value, line, offset) => {
      if ('format' in value) return requireFormat(path, value.format)
      if (value.sequence <= (read.get(value.stream) ?? 0))
        throw new DamagedLine(
          path,
          line,
          offset,
          `entry ${value.sequence} of ${value.stream} stands there twice`,
        )
      read.set(value.stream, value.sequence)
      const applied = book.ledgers.get(value.stream)?.sequence ?? 0
      if (value.sequence > applied + 1)
        throw new DamagedLine(
          path,
          line,
          offset,
          `entry ${applied + 1} of ${value.stream} is missing before it`,
        )
      if (value.sequence === applied + 1) applyEntry(book, value)
    },
    limit,
  )
}

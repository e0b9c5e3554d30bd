import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Low } from 'lowdb'
import { packageRoot } from '../../package-root.ts'
import type { Book, Entry } from '../book.ts'
import { BookAdapter } from './adapter.ts'
import type { CompactOrder } from './compact.ts'
import { makeFolder } from './files.ts'
import { Journal, removeBefore } from './journal.ts'
import { snapshotSize } from './snapshot.ts'

/** Where entries are kept. The file store is one implementation. */
export interface Store {
  /** Resolves when the entry is durable. Errors: what the disk said; then nothing of it was kept. */
  append(entry: Entry): Promise<void>
  /** True while an entry waits to be durable. */
  readonly pending: boolean
  /** Resolves when what was appended until now is durable, to false when it could not be written. */
  written(): Promise<boolean>
  /** Reads the state back as it is durable now. */
  reload(): Promise<Book>
  /** Replaces all that is kept by that book. Nothing may be appended meanwhile. */
  replace(book: Book): Promise<void>
  /** Writes the snapshot and closes. */
  close(book: Book): Promise<void>
}

/** A journal is folded into the snapshot when it outgrew both the snapshot and this. Bytes. */
const defaultJournalLimit = 64 * 1024 * 1024

export interface FileStoreOptions {
  readonly folder: string
  readonly empty: () => Book
  /** A write failed; the state must be reloaded before anything else is decided. */
  readonly failed: (error: Error) => void
  /** Something that a person should know. */
  readonly report: (message: string) => void
  readonly journalLimit?: number
}

/** The file store: snapshot.jsonl and journal-NNNNNN.jsonl in one folder. */
export class FileStore implements Store {
  readonly #options: FileStoreOptions
  readonly #journal: Journal
  #compacting: Promise<void> | null = null
  #limit: number

  private constructor(options: FileStoreOptions, bytes: number) {
    this.#options = options
    this.#limit = this.#nextLimit()
    this.#journal = Journal.open(options.folder, bytes, {
      flushed: (journal) => this.#compactWhenLarge(journal),
      failed: options.failed,
    })
  }

  /** Reads the state and opens the journal. Errors: DamagedLine, or an Error of the file system. */
  static async open(options: FileStoreOptions): Promise<{ store: FileStore; book: Book }> {
    makeFolder(options.folder)
    const adapter = new BookAdapter(options.folder, options.empty)
    const state = new Low(adapter, options.empty())
    await state.read()
    const ending = adapter.ending
    if (ending !== null && ending.tornBytes > 0)
      options.report(
        `${ending.path}: the last line (line ${ending.lines + 1}) was torn and has been cut off, ${ending.tornBytes} bytes; ` +
          'its request had not been answered',
      )
    return { store: new FileStore(options, ending?.wholeBytes ?? 0), book: state.data }
  }

  append(entry: Entry): Promise<void> {
    return this.#journal.append(entry)
  }

  get pending(): boolean {
    return this.#journal.pending
  }

  written(): Promise<boolean> {
    return this.#journal.written()
  }

  async reload(): Promise<Book> {
    const { folder, empty } = this.#options
    const state = new Low(new BookAdapter(folder, empty, { newestBytes: this.#journal.bytes }), empty())
    await state.read()
    return state.data
  }

  async replace(book: Book): Promise<void> {
    await this.#idle()
    this.#journal.rotate()
    await this.#write(book)
  }

  async close(book: Book): Promise<void> {
    await this.#idle()
    try {
      this.#journal.rotate()
      await this.#write(book)
    } catch (error) {
      this.#options.report(
        `the snapshot could not be written (${(error as Error).message}); the journal holds everything`,
      )
    }
    await this.#journal.close()
  }

  /** Neither the journal nor a compaction is at work. */
  async #idle(): Promise<void> {
    while (this.#journal.pending || this.#compacting !== null) {
      await this.#journal.settled()
      await this.#compacting
    }
  }

  async #write(book: Book): Promise<void> {
    const { folder, empty } = this.#options
    const state = new Low(new BookAdapter(folder, empty), book)
    await state.write()
    removeBefore(folder, this.#journal.name)
  }

  /** In a thread of its own, from the files alone, so that no request waits for it. */
  #compactWhenLarge(journal: Journal): void {
    if (this.#compacting !== null || journal.bytes < this.#limit || !this.#rotated(journal)) return
    const order: CompactOrder = { folder: this.#options.folder, before: journal.name }
    this.#compacting = inWorker(order)
      .catch((error: Error) =>
        this.#options.report(`the journal could not be folded into the snapshot: ${error.message}`),
      )
      .finally(() => {
        this.#compacting = null
        this.#limit = this.#nextLimit()
      })
  }

  /** A journal that cannot be begun leaves the old one in use; it is tried again when that has grown further. */
  #rotated(journal: Journal): boolean {
    try {
      journal.rotate()
      return true
    } catch (error) {
      this.#limit = journal.bytes * 2
      this.#options.report(`a new journal file could not be begun: ${(error as Error).message}`)
      return false
    }
  }

  #nextLimit(): number {
    const { folder, journalLimit = defaultJournalLimit } = this.#options
    return Math.max(journalLimit, snapshotSize(folder))
  }
}

function inWorker(order: CompactOrder): Promise<void> {
  const worker = new Worker(join(packageRoot, 'dist/sandbox/store/compact.js'), { workerData: order })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`)),
    )
  })
}

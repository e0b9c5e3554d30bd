import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '../../domain/state.ts'
import { openState, syncFolder, UncertainFile, writeWhole } from '../../files/files.ts'
import { HeldFile } from '../../files/held-file.ts'
import { GroupQueue } from '../group-queue.ts'
import { LostState } from '../lost-state.ts'
import { headerLine } from './format/checks.ts'
import { dataName, fileNumberOf, filesOf, type OpenFile, type SealedFile } from './format/manifest.ts'
import { LineBuffer } from './format/state-lines.ts'

/**
 * First line of a group. It is written only once everything before it is durable, and so proves that. Numbers count up
 * in a file.
 */
export interface GroupLine {
  readonly group: number
}

/** Callbacks of the journal to its owner. */
export interface JournalHooks {
  /**
   * Called when a group is on disk but not acknowledged: checks that the folder is still ours. Errors: LostState; then
   * the group is not acknowledged, and nothing more is written.
   */
  readonly confirm: () => void
  /** Called between two groups: the moment to rotate. */
  readonly flushed: () => void
  /** Called when a write failed, before the waiting calls are rejected. */
  readonly failed: (error: Error) => void
  /** Reports an error that does not affect the stored state. */
  readonly report: (error: Error) => void
}

/** Lines that become durable together. */
interface LineGroup {
  readonly lines: LineBuffer
  /** Number of each ledger's last entry in the group. */
  readonly sequences: Map<string, number>
}

/** A journal file that is being written. */
interface JournalFile extends OpenFile {
  readonly id: string
  readonly file: number
  readonly held: HeldFile
  /** Length of its first line in bytes. */
  readonly bytes: number
}

/**
 * Appends entries to its own journal file. All waiting entries are written together and made durable with one
 * fdatasync; `append` resolves after it. After a failed write the file is cut back to its durable part, all waiting
 * entries are rejected, and the owner is informed.
 */
export class Journal {
  readonly #folder: string
  readonly #hooks: JournalHooks
  #current: JournalFile
  #durableBytes: number
  /** Number of each ledger's last durable entry in the file. */
  #sequences = new Map<string, number>()
  #lastGroup = 0
  readonly #queue = new GroupQueue<LineGroup>({
    begin: () => this.#newGroup(),
    write: (group) => this.#write(group),
    written: ({ lines }) => {
      this.#spare = lines
      this.#hooks.flushed()
    },
    failed: (error) => {
      this.#tryTruncate()
      this.#hooks.failed(error)
    },
  })
  /** The buffer of the previous group, for reuse. */
  #spare: LineBuffer | null = null
  #cutBack = false
  #marked = true

  /** Makes the journal file with that number. Errors: an Error of the file system; then no file is left. */
  constructor(folder: string, number: number, hooks: JournalHooks) {
    this.#folder = folder
    this.#hooks = hooks
    this.#current = begin(folder, number)
    this.#durableBytes = this.#current.bytes
  }

  /** Bytes of the file that are durable. */
  get bytes(): number {
    return this.#durableBytes
  }

  /** The file that is being written. */
  get open(): OpenFile {
    const { name, id } = this.#current
    return { name, id }
  }

  /** The file as it would be sealed now. */
  get sealed(): SealedFile {
    return { ...this.open, bytes: this.#durableBytes, sequences: Object.fromEntries(this.#sequences) }
  }

  /** True when the file has no entries. */
  get isEmpty(): boolean {
    return this.#sequences.size === 0
  }

  /** True while the path still leads to the file. */
  get isThere(): boolean {
    return this.#current.held.isThere
  }

  /** True while an entry waits to be durable. */
  get pending(): boolean {
    return this.#queue.pending
  }

  /** Resolves when the entry is durable. Errors: that of the disk, or LostState; then it is not stored. */
  append(entry: JournalEntry): Promise<void> {
    const { lines, sequences } = this.#queue.next
    lines.add(entry)
    sequences.set(entry.stream, entry.sequence)
    return this.#queue.commit()
  }

  /** Resolves when all entries appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean> {
    return this.#queue.written()
  }

  /** Resolves when no entry waits, whether it was written or not. */
  settled(): Promise<void> {
    return this.#queue.settled()
  }

  /**
   * Begins a new file; later entries go there once `commit` has named it in a manifest. Call from `flushed`, or when
   * idle. Errors: an Error of the file system, those of `commit`; then the old file stays in use.
   */
  rotate(commit: (sealed: SealedFile, next: OpenFile) => void): void {
    const [last] = filesOf(this.#folder, 'journal').slice(-1)
    const next = begin(this.#folder, fileNumberOf(last ?? this.#current.name) + 1)
    try {
      commit(this.sealed, { name: next.name, id: next.id })
    } catch (error) {
      this.#dispose(next)
      // If the manifest may exist, or another sandbox continued from it, the file that it names is needed.
      if (!(error instanceof UncertainFile || error instanceof LostState))
        rmSync(join(this.#folder, next.name), { force: true })
      throw error
    }
    this.#dispose(this.#current)
    this.#current = next
    this.#durableBytes = next.bytes
    this.#sequences = new Map()
    this.#cutBack = false
    this.#marked = true
  }

  /** While idle, records that the last group was durable, so that a reader need not guess. */
  markIdle(): void {
    if (this.#marked || this.pending || this.#cutBack) return
    const { bytes } = new LineBuffer().add({ group: ++this.#lastGroup } satisfies GroupLine)
    this.#marked = true
    try {
      writeWhole(this.#current.file, bytes, this.#durableBytes)
      this.#durableBytes += bytes.length
    } catch (error) {
      this.#cutBack = true // part of the line may be there
      this.#hooks.report(error as Error)
    }
  }

  /** Cuts off the remains of a failed write, if the earlier attempt failed. */
  cutIdle(): void {
    if (!this.#cutBack || this.pending) return
    try {
      this.#truncate()
    } catch (error) {
      this.#hooks.report(error as Error)
    }
  }

  /** Closes the file once all waiting entries are durable. */
  async close(): Promise<void> {
    await this.settled()
    this.#dispose(this.#current)
  }

  /** Errors of closing are ignored: the durable entries are safe. */
  #dispose({ file, held }: JournalFile): void {
    for (const close of [() => held.close(), () => closeSync(file)])
      try {
        close()
      } catch (error) {
        this.#hooks.report(error as Error)
      }
  }

  #newGroup(): LineGroup {
    const lines = this.#spare?.clear() ?? new LineBuffer()
    this.#spare = null
    lines.add({ group: ++this.#lastGroup } satisfies GroupLine)
    return { lines, sequences: new Map() }
  }

  async #write({ lines, sequences }: LineGroup): Promise<void> {
    if (this.#cutBack) this.#truncate()
    const { bytes } = lines
    writeWhole(this.#current.file, bytes, this.#durableBytes)
    await sync(this.#current.file)
    this.#hooks.confirm()
    this.#durableBytes += bytes.length
    for (const [stream, sequence] of sequences) this.#sequences.set(stream, sequence)
    this.#marked = false
  }

  /** If this fails, the next write repeats it first. */
  #tryTruncate(): void {
    this.#cutBack = true
    try {
      this.#truncate()
    } catch (error) {
      this.#hooks.failed(error as Error)
    }
  }

  /** Never cuts a file that another sandbox has sealed. */
  #truncate(): void {
    this.#hooks.confirm()
    ftruncateSync(this.#current.file, this.#durableBytes)
    fdatasyncSync(this.#current.file)
    this.#cutBack = false
  }
}

function begin(folder: string, number: number): JournalFile {
  const id = randomUUID()
  const name = dataName('journal', number, id)
  const path = join(folder, name)
  const file = openState(path, 'begin')
  try {
    const { bytes } = new LineBuffer().add(headerLine(id))
    writeWhole(file, bytes)
    fdatasyncSync(file)
    syncFolder(folder)
    return { name, id, file, held: new HeldFile(path), bytes: bytes.length }
  } catch (error) {
    closeSync(file)
    rmSync(path, { force: true })
    throw error
  }
}

const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))

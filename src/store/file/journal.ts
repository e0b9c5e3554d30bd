import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../domain/settings.ts'
import type { JournalEntry } from '../../domain/state.ts'
import { openState, syncFolder, unfinishedSuffix, writeWhole } from '../../files/files.ts'
import { HeldFile } from '../../files/held-file.ts'
import { GroupQueue } from '../group-queue.ts'
import { encodeLine } from './lines.ts'
import { type FormatLine, formatLine } from './snapshot.ts'

/** The journal that follows a snapshot. */
export interface JournalName {
  readonly name: string
  /** A UUID, also in its first line: another file under the same name is noticed. */
  readonly id: string
}

/** First line of a journal. */
export interface JournalHeader extends FormatLine {
  readonly id: string
}

/**
 * First line of a group. It is written only once everything before it is durable, and so proves that. Numbers count up
 * in a file.
 */
interface GroupLine {
  readonly group: number
}

/** A line that changes something: the effect of a command, or all settings from now on. */
export type ChangeLine = JournalEntry | { readonly settings: Settings }

/** A line of a journal. */
export type JournalLine = ChangeLine | GroupLine | JournalHeader

/** Callbacks of the journal to its owner. */
export interface JournalHooks {
  /**
   * Called when a group is on disk but not acknowledged: checks that the folder is still ours. Errors: LostState; then
   * the group is not acknowledged, and nothing more is written.
   */
  readonly confirm: () => void
  /** Called when a write failed, before the waiting calls are rejected. */
  readonly failed: (error: Error) => void
  /** Reports an error that does not affect the stored state. */
  readonly report: (error: Error) => void
}

const pattern = /^journal-(\d+)\.jsonl$/

/** The number in the name of a journal; 0 for another name. */
export const journalNumber = (name: string): number => Number(pattern.exec(name)?.[1] ?? 0)

/** A name for the journal with that number. */
export const journalNamed = (number: number): JournalName => ({
  name: `journal-${number}.jsonl`,
  id: randomUUID(),
})

/**
 * Appends lines to a journal file. All waiting lines are written together and made durable with one fdatasync; `append`
 * resolves after it. After a failed write the file is cut back to its durable part, all waiting lines are rejected, and
 * the owner is informed.
 */
export class Journal {
  readonly #hooks: JournalHooks
  readonly #file: number
  readonly #held: HeldFile
  readonly #queue = new GroupQueue<string[]>({
    begin: () => [encodeLine({ group: ++this.#lastGroup })],
    write: (lines) => this.#write(lines),
    failed: (error) => {
      this.#tryTruncate()
      this.#hooks.failed(error)
    },
  })
  #durableBytes = 0
  #lastGroup = 0
  /** A failed write may have left a part that must be cut off before the next one. */
  #cutBack = false
  #marked = true

  /**
   * Makes the file, which replaces one of the same name: whoever writes to that one then notices. Errors: an Error of
   * the file system; then nothing changed.
   */
  constructor(
    readonly folder: string,
    readonly named: JournalName,
    hooks: JournalHooks,
  ) {
    this.#hooks = hooks
    const beside = `${this.path}.${randomUUID()}${unfinishedSuffix}`
    const file = openState(beside, 'begin')
    try {
      const bytes = bytesOf([encodeLine({ ...formatLine(), id: named.id } satisfies JournalHeader)])
      writeWhole(file, bytes)
      fdatasyncSync(file)
      renameSync(beside, this.path)
      syncFolder(folder)
      this.#held = new HeldFile(this.path)
      this.#durableBytes = bytes.length
      this.#file = file
    } catch (error) {
      closeSync(file)
      rmSync(beside, { force: true })
      throw error
    }
  }

  get path(): string {
    return join(this.folder, this.named.name)
  }

  /** Bytes of the file that are durable. */
  get bytes(): number {
    return this.#durableBytes
  }

  /** True when nothing was appended durably. */
  get isEmpty(): boolean {
    return this.#lastGroup === 0
  }

  /** True while the path still leads to the file. */
  get isThere(): boolean {
    return this.#held.isThere
  }

  /** True while a line waits to be durable. */
  get pending(): boolean {
    return this.#queue.pending
  }

  /** Resolves when the line is durable. Errors: that of the disk, or LostState; then it is not stored. */
  append(line: ChangeLine): Promise<void> {
    this.#queue.next.push(encodeLine(line))
    return this.#queue.commit()
  }

  /** Resolves when all lines appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean> {
    return this.#queue.written()
  }

  /** Resolves when no line waits, whether it was written or not. */
  settled(): Promise<void> {
    return this.#queue.settled()
  }

  /** While idle: cuts off the remains of a failed write, or else records that the last group was durable. */
  tidy(): void {
    if (this.pending) return
    try {
      if (this.#cutBack) this.#truncate()
      else if (!this.#marked) this.#mark()
    } catch (error) {
      this.#hooks.report(error as Error)
    }
  }

  /** Closes the file, in which nothing may wait. */
  close(): void {
    for (const close of [() => this.#held.close(), () => closeSync(this.#file)])
      try {
        close()
      } catch (error) {
        this.#hooks.report(error as Error) // the durable lines are safe
      }
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (this.#cutBack) this.#truncate()
    const bytes = bytesOf(lines)
    writeWhole(this.#file, bytes, this.#durableBytes)
    await sync(this.#file)
    this.#hooks.confirm()
    this.#durableBytes += bytes.length
    this.#marked = false
  }

  /** A reader then need not guess whether the last group was durable. */
  #mark(): void {
    const bytes = bytesOf([encodeLine({ group: ++this.#lastGroup })])
    this.#marked = true
    this.#cutBack = true // until all of the line is there
    writeWhole(this.#file, bytes, this.#durableBytes)
    this.#cutBack = false
    this.#durableBytes += bytes.length
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

  /**
   * Never cuts a file from which another sandbox went on. A disk that refuses the cut may still let a byte be written:
   * over the beginning of the rejected group, so that no reader takes it.
   */
  #truncate(): void {
    this.#hooks.confirm()
    try {
      ftruncateSync(this.#file, this.#durableBytes)
    } catch (error) {
      writeWhole(this.#file, rejected, this.#durableBytes)
      throw error
    }
    fdatasyncSync(this.#file)
    this.#cutBack = false
  }
}

/** In place of the first byte of a group that was rejected: its first line is then unsound. */
const rejected = Buffer.from('-')

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))

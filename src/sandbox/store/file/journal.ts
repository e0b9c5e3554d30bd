import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../../domain/settings.ts'
import type { JournalEntry } from '../../../domain/state.ts'
import { openState, syncFolder, unfinishedSuffix, writeWhole } from '../../../shared/files/files.ts'
import { HeldFile } from '../../../shared/files/held-file.ts'
import { GroupQueue } from '../group-queue.ts'
import { encodeLine } from './lines.ts'
import { type FormatLine, formatLine } from './state-file.ts'

/** The journal that follows a state file. */
export interface JournalName {
  readonly name: string
  /** A UUID, also in its first line: another file under the same name is noticed. */
  readonly id: string
}

/** First line of a journal. */
export interface JournalHeader extends FormatLine {
  readonly id: string
}

/** A line that changes something: the effect of a command, or all settings from now on. */
type ChangeLine = JournalEntry | { readonly settings: Settings }

/**
 * A line of a journal. The first line of a group is written only once everything before it is durable, and so
 * proves that; the numbers of groups count up in a file.
 */
export type JournalLine = ChangeLine | { readonly group: number } | JournalHeader

/** Callbacks of the journal to its owner. */
interface JournalHooks {
  /**
   * Called when a group is on disk but not acknowledged: checks that the folder is still ours. Errors:
   * LostState; then the group is not acknowledged, and nothing more is written.
   */
  readonly confirm: () => void
  /** Called when a write failed, before the waiting calls are rejected. */
  readonly failed: (error: Error) => void
  /** Reports an error that does not affect the stored state. */
  readonly report: (message: string) => void
}

/** The number in the name of a journal; 0 for another name. */
export const journalNumber = (name: string): number => Number(/^journal-(\d+)\.jsonl$/.exec(name)?.[1] ?? 0)

/** A name for the journal with that number. */
export const journalNamed = (number: number): JournalName => ({
  name: `journal-${number}.jsonl`,
  id: randomUUID(),
})

/**
 * Appends lines to a journal file. Lines of one turn of the event loop, or added while a group is being
 * written, are written together and made durable with one fdatasync; `append` resolves after it. After a
 * failed write the file is cut back to its durable part, all waiting lines are rejected, and the owner is
 * informed.
 */
export class Journal {
  readonly path: string
  readonly #file: number
  readonly #held: HeldFile
  /** The lines that wait to be durable. */
  readonly queue = new GroupQueue<string[]>({
    begin: () => [],
    write: (lines) => this.#writeGroup(lines),
    failed: (error) => this.#fail(error),
  })
  #durableBytes = 0
  #lastGroup = 0
  /** A failed write may have left a part that must be cut off before the next one. */
  #cutBack = false
  /** A group line proves that the last group is durable. */
  #marked = true

  /** Makes the file, which replaces one of the same name: whoever writes to that one then notices. */
  constructor(
    folder: string,
    readonly named: JournalName,
    private readonly hooks: JournalHooks,
  ) {
    this.path = join(folder, named.name)
    const beside = `${this.path}.${randomUUID()}${unfinishedSuffix}`
    this.#file = openState(beside, 'begin')
    try {
      this.#write([encodeLine({ ...formatLine(), id: named.id } satisfies JournalHeader)])
      fdatasyncSync(this.#file)
      renameSync(beside, this.path)
      syncFolder(folder)
      this.#held = new HeldFile(this.path)
    } catch (error) {
      closeSync(this.#file)
      rmSync(beside, { force: true })
      throw error
    }
  }

  /** Bytes of the file that are durable. */
  get bytes(): number {
    return this.#durableBytes
  }

  /** True when nothing was appended. */
  get isEmpty(): boolean {
    return this.#lastGroup === 0
  }

  /** True while the path still leads to the file. */
  get isThere(): boolean {
    return this.#held.isThere
  }

  /** Resolves when the line is durable. Errors: that of the disk, or LostState; then it is not stored. */
  append(line: ChangeLine): Promise<void> {
    this.queue.next.push(encodeLine(line))
    return this.queue.commit()
  }

  /** Begins an empty journal with settings; they are durable when this returns. */
  beginWith(settings: Settings): void {
    this.#write([encodeLine({ group: ++this.#lastGroup }), encodeLine({ settings } satisfies ChangeLine)])
    fdatasyncSync(this.#file)
    this.#marked = false
  }

  /** While idle: cuts off the remains of a failed write, or else records that the last group was durable. */
  tidy(): void {
    if (this.queue.pending) return
    try {
      if (this.#cutBack) this.#truncate()
      else if (!this.#marked) this.#mark()
    } catch (error) {
      this.hooks.report((error as Error).message)
    }
  }

  /** Closes the file, in which nothing may wait. */
  close(): void {
    for (const close of [() => this.#held.close(), () => closeSync(this.#file)])
      try {
        close()
      } catch (error) {
        this.hooks.report((error as Error).message) // the durable lines are safe
      }
  }

  /** Removes the file, unless another sandbox's is in its place; where that fails, the next start does it. */
  remove(): void {
    try {
      if (this.isThere) rmSync(this.path)
    } catch (error) {
      this.hooks.report((error as Error).message)
    }
  }

  /** Cuts the file back; if that fails, the next write repeats it first. */
  #fail(error: Error): void {
    this.#cutBack = true
    try {
      this.#truncate()
    } catch (cause) {
      this.hooks.failed(cause as Error)
    }
    this.hooks.failed(error)
  }

  async #writeGroup(lines: readonly string[]): Promise<void> {
    if (this.#cutBack) this.#truncate()
    const bytes = linesToBytes([encodeLine({ group: ++this.#lastGroup }), ...lines])
    writeWhole(this.#file, bytes, this.#durableBytes)
    await sync(this.#file)
    this.hooks.confirm()
    this.#durableBytes += bytes.length
    this.#marked = false
  }

  /** Writes lines after the others, without making them durable. */
  #write(lines: readonly string[]): void {
    const bytes = linesToBytes(lines)
    writeWhole(this.#file, bytes, this.#durableBytes)
    this.#durableBytes += bytes.length
  }

  /** A reader then need not guess whether the last group was durable. */
  #mark(): void {
    this.#cutBack = true // until all of the line is there
    this.#write([encodeLine({ group: ++this.#lastGroup })])
    this.#cutBack = false
    this.#marked = true
  }

  /**
   * Never cuts a file from which another sandbox went on. A disk that refuses the cut may still let a byte be
   * written: over the beginning of the rejected group, so that no reader takes it.
   */
  #truncate(): void {
    this.hooks.confirm()
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

const linesToBytes = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))

import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ownerOnly, syncFolder, writeWhole } from './files.ts'
import { LineBuffer } from './lines.ts'
import { format } from './snapshot.ts'

const pattern = /^journal-(\d{6})\.jsonl$/

/** Journal files of a folder, oldest first. */
export const journalFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()

const journalName = (number: number): string => `journal-${String(number).padStart(6, '0')}.jsonl`

/** What the journal tells its owner. */
export interface JournalHooks {
  /** A group is durable and the next one is not begun: the moment to rotate. */
  readonly flushed: (journal: Journal) => void
  /** A write failed. Called before those who waited are told. */
  readonly failed: (error: Error) => void
}

/** Lines that become durable together. */
interface Group {
  readonly lines: LineBuffer
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Appends lines to the newest journal file. Everything that waits is written at once and made durable with one
 * fdatasync; `append` resolves after it. After a failed write the file is cut back to what was durable, everything
 * that waited is rejected, and the owner is told.
 */
export class Journal {
  readonly #folder: string
  readonly #hooks: JournalHooks
  #file: number
  #number: number
  #durableBytes: number
  #waiting: Group | null = null
  #underWay: Group | null = null
  #busy: Promise<void> | null = null
  /** The buffer of the last group, for the next one. */
  #spare: LineBuffer | null = null
  #cutBack = false

  private constructor(folder: string, number: number, file: number, bytes: number, hooks: JournalHooks) {
    this.#folder = folder
    this.#number = number
    this.#file = file
    this.#durableBytes = bytes
    this.#hooks = hooks
  }

  /** Opens the newest journal of the folder at its `bytes` of whole lines, or begins the first one. */
  static open(folder: string, bytes: number, hooks: JournalHooks): Journal {
    const newest = journalFiles(folder).at(-1)
    if (newest === undefined) return new Journal(folder, 1, ...begin(folder, 1), hooks)
    const file = openSync(join(folder, newest), 'r+', ownerOnly)
    ftruncateSync(file, bytes)
    const whole = bytes === 0 ? writeHeader(file) : bytes
    fdatasyncSync(file)
    return new Journal(folder, Number(pattern.exec(newest)?.[1]), file, whole, hooks)
  }

  /** Bytes of the newest file that are safe on disk. */
  get bytes(): number {
    return this.#durableBytes
  }

  /** Name of the newest file. */
  get name(): string {
    return journalName(this.#number)
  }

  /** True while something waits to be durable. */
  get pending(): boolean {
    return this.#busy !== null
  }

  /** Resolves when the value is durable. Errors: what the disk said; then nothing of it was kept. */
  append(value: object): Promise<void> {
    this.#waiting ??= newGroup(this.#spare?.clear() ?? new LineBuffer())
    this.#waiting.lines.add(value)
    const { done } = this.#waiting
    this.#spare = null
    this.#busy ??= this.#drain()
    return done
  }

  /** Resolves when what was appended until now is durable, to false when it could not be written. */
  written(): Promise<boolean> {
    const last = this.#waiting ?? this.#underWay
    return last === null
      ? Promise.resolve(true)
      : last.done.then(
          () => true,
          () => false,
        )
  }

  /** Resolves when nothing waits any more, whatever became of it. */
  async settled(): Promise<void> {
    while (this.#busy !== null) await this.#busy
  }

  /** Begins a new file; what follows goes there. The older files are sealed. Call from `flushed`, or when idle. */
  rotate(): void {
    if (this.#cutBack) this.#truncate()
    const [file, bytes] = begin(this.#folder, this.#number + 1)
    closeSync(this.#file)
    this.#number += 1
    this.#file = file
    this.#durableBytes = bytes
  }

  /** Closes the file after what waits is durable. */
  async close(): Promise<void> {
    await this.settled()
    closeSync(this.#file)
  }

  /** One group after the other, each with all that came in one turn of the event loop or while the last was written. */
  async #drain(): Promise<void> {
    await new Promise(setImmediate)
    for (let group = this.#take(); group !== null; group = this.#take()) {
      try {
        this.#underWay = group
        await this.#write(group.lines.bytes)
        this.#spare = group.lines
        group.resolve()
        this.#hooks.flushed(this)
      } catch (error) {
        this.#giveUp(error as Error, group)
      }
    }
    this.#underWay = null
    this.#busy = null
  }

  #take(): Group | null {
    const group = this.#waiting
    this.#waiting = null
    return group
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#cutBack) this.#truncate()
    writeWhole(this.#file, bytes, this.#durableBytes)
    await sync(this.#file)
    this.#durableBytes += bytes.length
  }

  #giveUp(error: Error, group: Group): void {
    const later = this.#take()
    this.#tryTruncate()
    this.#hooks.failed(error)
    group.reject(error)
    later?.reject(error)
  }

  /** When even this fails, the next write tries again before it writes. */
  #tryTruncate(): void {
    this.#cutBack = true
    try {
      this.#truncate()
    } catch (error) {
      this.#hooks.failed(error as Error)
    }
  }

  #truncate(): void {
    ftruncateSync(this.#file, this.#durableBytes)
    fdatasyncSync(this.#file)
    this.#cutBack = false
  }
}

function newGroup(lines: LineBuffer): Group {
  const settle: { resolve?: () => void; reject?: (error: Error) => void } = {}
  const done = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  return { lines, done, ...(settle as Required<typeof settle>) }
}

/** Removes the journal files before that one: a snapshot holds what they held. */
export function removeBefore(folder: string, first: string): void {
  for (const name of journalFiles(folder)) if (name < first) unlinkSync(join(folder, name))
  syncFolder(folder)
}

function begin(folder: string, number: number): [file: number, bytes: number] {
  const path = join(folder, journalName(number))
  const file = openSync(path, 'wx', ownerOnly)
  try {
    const bytes = writeHeader(file)
    fdatasyncSync(file)
    syncFolder(folder)
    return [file, bytes]
  } catch (error) {
    closeSync(file)
    unlinkSync(path)
    throw error
  }
}

const writeHeader = (file: number): number => writeSync(file, new LineBuffer().add({ format }).bytes, 0)

const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))

import { closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointName } from '../../contract/sandbox/checkpoint-answers.ts'
import type { State } from '../../domain/state.ts'
import {
  makeRealFolder,
  openState,
  replaceFile,
  syncFolder,
  unfinishedSuffix,
  writeWhole,
} from '../../files/files.ts'
import type { Checkpoints, StoredCheckpoint, TemporaryFile } from './checkpoints.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  type ReadCheckpoint,
  readCheckpoint,
  readHead,
  stateText,
} from './state-file.ts'

/** Name of the folder of checkpoints in a state folder. */
export const checkpointsFolder = 'checkpoints'

const ending = '.json'

interface CheckpointFolderOptions {
  /** State folder. */
  readonly state: string
  /** An empty state, to be filled. */
  readonly empty: () => State
  /** Makes sure that the state folder is still ours, before each write. Errors: LostState. */
  readonly confirm: () => void
}

/** Another file is larger than any export. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
  constructor(readonly limit: number) {
    super(`it has more than ${limit} bytes`)
  }
}

const carriageReturn = 13

/** Most bytes of an import: two million sales. */
const longestImport = 2 * 1024 * 1024 * 1024

/** The named checkpoints of a sandbox, one file each, and the files of an export or an import under way. */
export class CheckpointFolder implements Checkpoints {
  readonly #options: CheckpointFolderOptions
  readonly #folder: string
  #temporary = 0

  constructor(options: CheckpointFolderOptions) {
    this.#options = options
    this.#folder = join(options.state, checkpointsFolder)
  }

  /**
   * Removes files that a crash left unfinished. Call it once the state folder is ours. Errors: an Error of the file
   * system.
   */
  clean(): void {
    if (!existsSync(this.#folder)) return
    this.#open()
    for (const each of readdirSync(this.#folder))
      if (each.endsWith(unfinishedSuffix)) rmSync(join(this.#folder, each), { force: true })
  }

  /** The checkpoints by name, including unreadable ones. */
  async list(): Promise<StoredCheckpoint[]> {
    if (!existsSync(this.#folder)) return []
    this.#open()
    return readdirSync(this.#folder)
      .filter((each) => each.endsWith(ending) && checkpointName.test(each.slice(0, -ending.length)))
      .map((each) => each.slice(0, -ending.length))
      .sort()
      .map((name) => this.#look(name))
  }

  async has(name: string): Promise<boolean> {
    return existsSync(this.#pathOf(name))
  }

  /** Writes the state under that name, whole or not at all; it is durable when this returns. Errors: LostState; an Error of the file system. */
  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    this.#open()
    const path = this.#pathOf(name)
    replaceFile(path, stateText(state, facts))
    return readHead(path)
  }

  /** Errors: as `readCheckpoint`. */
  async read(name: string): Promise<ReadCheckpoint> {
    this.#open()
    return readCheckpoint(this.#pathOf(name), this.#options.empty)
  }

  /** Errors: LostState; an Error of the file system. */
  async remove(name: string): Promise<void> {
    this.#open()
    rmSync(this.#pathOf(name), { force: true })
    syncFolder(this.#folder)
  }

  /** Writes the state to a file to be sent on; it exists until `discard` is called. Errors: as `save`. */
  spool(state: State, facts: CheckpointFacts): Promise<TemporaryFile> {
    return this.#temporaryFile(async (write) => {
      for (const block of stateText(state, facts)) write(Buffer.from(block))
    })
  }

  /**
   * Stores the incoming bytes until they are read, with the line ends of an export: Git and editors on Windows change
   * them, and JSON has no other such byte. Errors: TooLong; those of the source; an Error of the file system.
   */
  receive(source: AsyncIterable<Uint8Array>, limit = longestImport): Promise<TemporaryFile> {
    return this.#temporaryFile(async (write) => {
      let length = 0
      for await (const chunk of source) {
        length += chunk.length
        if (length > limit) throw new TooLong(limit)
        write(chunk.includes(carriageReturn) ? chunk.filter((byte) => byte !== carriageReturn) : chunk)
      }
    })
  }

  /** Reads the received file. Errors: as `readCheckpoint`. */
  async readFrom({ path }: TemporaryFile): Promise<ReadCheckpoint> {
    return readCheckpoint(path, this.#options.empty)
  }

  #look(name: string): StoredCheckpoint {
    try {
      return { name, head: readHead(this.#pathOf(name)) }
    } catch (error) {
      return { name, problem: error as Error }
    }
  }

  /** A new file with what `fill` writes; none where that fails. */
  async #temporaryFile(fill: (write: (bytes: Uint8Array) => void) => Promise<void>): Promise<TemporaryFile> {
    this.#open()
    this.#temporary += 1
    const path = join(this.#folder, `${process.pid}-${this.#temporary}${unfinishedSuffix}`)
    const discard = () => rmSync(path, { force: true })
    discard()
    const file = openState(path, 'begin')
    try {
      await fill((bytes) => writeWhole(file, bytes))
      return { path, discard }
    } catch (error) {
      discard()
      throw error
    } finally {
      closeSync(file)
    }
  }

  /** Makes sure that the folder exists, is ours, and is not a link. */
  #open(): void {
    this.#options.confirm()
    makeRealFolder(this.#folder)
  }

  /** Errors: an Error for a name that could lead elsewhere. */
  #pathOf(name: string): string {
    if (!checkpointName.test(name))
      throw new Error(`${JSON.stringify(name)} cannot be the name of a checkpoint`)
    return join(this.#folder, `${name}${ending}`)
  }
}

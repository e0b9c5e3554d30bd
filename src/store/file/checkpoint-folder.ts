import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointName } from '../../contract/sandbox/checkpoint-answers.ts'
import type { State } from '../../domain/state.ts'
import { makeRealFolder, replaceFile, syncFolder, unfinishedSuffix } from '../../files/files.ts'
import type { Checkpoints, StoredCheckpoint } from '../storage.ts'
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

/** The named checkpoints of a sandbox, one file each. */
export class CheckpointFolder implements Checkpoints {
  readonly #options: CheckpointFolderOptions
  readonly #folder: string

  /** Removes files that a crash left unfinished: the state folder is ours. Errors: an Error of the file system. */
  constructor(options: CheckpointFolderOptions) {
    this.#options = options
    this.#folder = join(options.state, checkpointsFolder)
    for (const each of this.#names(unfinishedSuffix))
      rmSync(join(this.#folder, `${each}${unfinishedSuffix}`), { force: true })
  }

  async list(): Promise<StoredCheckpoint[]> {
    return this.#names(ending)
      .filter((name) => checkpointName.test(name))
      .sort()
      .map((name) => this.#look(name))
  }

  async has(name: string): Promise<boolean> {
    return existsSync(this.#pathOf(name))
  }

  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    this.#open()
    const path = this.#pathOf(name)
    replaceFile(path, stateText(state, facts))
    return readHead(path)
  }

  async read(name: string): Promise<ReadCheckpoint> {
    this.#open()
    return readCheckpoint(this.#pathOf(name), this.#options.empty)
  }

  async remove(name: string): Promise<void> {
    this.#open()
    rmSync(this.#pathOf(name), { force: true })
    syncFolder(this.#folder)
  }

  #look(name: string): StoredCheckpoint {
    try {
      return { name, head: readHead(this.#pathOf(name)) }
    } catch (error) {
      return { name, problem: error as Error }
    }
  }

  /** Names of files with that ending, without it. */
  #names(end: string): string[] {
    if (!existsSync(this.#folder)) return []
    this.#open()
    return readdirSync(this.#folder).flatMap((each) =>
      each.endsWith(end) ? [each.slice(0, -end.length)] : [],
    )
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

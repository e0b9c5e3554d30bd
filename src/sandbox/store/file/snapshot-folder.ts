import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { snapshotName } from '../../../contract/control/snapshot-answers.ts'
import type { State } from '../../../domain/state.ts'
import { makeRealFolder, replaceInTurns, syncFolder, unfinishedSuffix } from '../../../shared/files/files.ts'
import type { Snapshots, StoredSnapshot } from '../storage.ts'
import {
  type ReadSnapshot,
  readHead,
  readSnapshot,
  type SnapshotFacts,
  type SnapshotHead,
  stateText,
} from './state-file.ts'

/** Name of the folder of snapshots in a state folder. */
export const snapshotsFolder = 'snapshots'

const ending = '.json'

interface SnapshotFolderOptions {
  /** State folder. */
  readonly state: string
  /** An empty state, to be filled. */
  readonly empty: () => State
  /** Makes sure that the state folder is still ours, before each write. Errors: LostState. */
  readonly confirm: () => void
}

/** The named snapshots of a sandbox, one file each. */
export class SnapshotFolder implements Snapshots {
  readonly #folder: string

  /** Removes files that a crash left unfinished: the state folder is ours. */
  constructor(private readonly options: SnapshotFolderOptions) {
    this.#folder = join(options.state, snapshotsFolder)
    for (const each of this.#names(unfinishedSuffix))
      rmSync(join(this.#folder, `${each}${unfinishedSuffix}`), { force: true })
  }

  async list(): Promise<StoredSnapshot[]> {
    return this.#names(ending)
      .filter((name) => snapshotName.test(name))
      .sort()
      .map((name) => this.#look(name))
  }

  async has(name: string): Promise<boolean> {
    return existsSync(this.#snapshotPath(name))
  }

  async save(name: string, state: State, facts: SnapshotFacts): Promise<SnapshotHead> {
    this.#open()
    const path = this.#snapshotPath(name)
    await replaceInTurns(path, stateText(state, facts))
    return readHead(path)
  }

  async read(name: string): Promise<ReadSnapshot> {
    this.#open()
    return readSnapshot(this.#snapshotPath(name), this.options.empty)
  }

  async remove(name: string): Promise<void> {
    this.#open()
    rmSync(this.#snapshotPath(name), { force: true })
    syncFolder(this.#folder)
  }

  #look(name: string): StoredSnapshot {
    try {
      return { name, head: readHead(this.#snapshotPath(name)) }
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
    this.options.confirm()
    makeRealFolder(this.#folder)
  }

  /** Errors: an Error for a name that could lead elsewhere. */
  #snapshotPath(name: string): string {
    if (!snapshotName.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a snapshot`)
    return join(this.#folder, `${name}${ending}`)
  }
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { forgetOldRequests, type JournalEntry, type State } from '../../domain/state.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import { makeFolder, openState, syncFile, UncertainFile } from '../../files/files.ts'
import type { Fixtures } from '../../fixtures.ts'
import { clearInterval, setInterval, wallTime } from '../../timers.ts'
import { backUp } from '../backup.ts'
import { LostState } from '../lost-state.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store.ts'
import { refuseOpenFolder, whoElseMayWrite } from './folder-access.ts'
import { FolderOwnership } from './folder-ownership.ts'
import { Folding } from './folding.ts'
import { filesWithoutManifest } from './format/earlier-format.ts'
import {
  type Files,
  fileNumberOf,
  filesOf,
  leftOvers,
  type Manifest,
  manifestName,
  readManifest,
  removeReplaced,
  type SealedFile,
  stateFormat,
} from './format/manifest.ts'
import { countSoundAfter } from './format/state-lines.ts'
import { Journal } from './journal.ts'
import { StoredState, unfinishedText } from './stored-state.ts'

/** Interval at which an idle sandbox checks that the folder is still its own. Milliseconds. */
const heartbeat = 2_000

export interface FileStoreOptions {
  readonly folder: string
  readonly empty: () => State
  /** The fixtures that `empty` uses, for the folding thread. */
  readonly fixtures: Fixtures
  /** Wall clock that decides when request marks are forgotten; by default the clock of this machine. */
  readonly wall?: () => number
  /** Why the lock of the folder is no longer ours; undefined while it is. */
  readonly lockLost?: () => string | undefined
  /** Called before another snapshot replaces the current one. Errors: the snapshot stays. */
  readonly beforeSnapshot?: () => void
  /** Called before a snapshot with these settings becomes the state. Errors: nothing changes. */
  readonly restoring?: (snapshot: string, settings: Settings) => void
  /** A write failed; the state must be reloaded before the next decision. */
  readonly failed: (error: Error) => void
  /** The folder is lost: nothing more is acknowledged. */
  readonly lost?: (error: LostState) => void
  /** Reports a fact that a person should know. */
  readonly report: (message: string) => void
  readonly journalLimit?: number
}

/** The file store: a manifest, a snapshot and journals in one folder. */
export class FileStore implements Store {
  readonly #options: FileStoreOptions
  readonly #journal: Journal
  readonly #beat: NodeJS.Timeout
  readonly #ownership: FolderOwnership
  readonly #folding: Folding
  /** True when the files at the start had the current format. */
  readonly #isOfToday: boolean

  /** Begins a journal for this start, and names it in a manifest. Errors: LostState; an Error of the file system. */
  private constructor(options: FileStoreOptions, before: Manifest, sealed: readonly SealedFile[]) {
    const { folder, failed, report } = options
    this.#options = options
    this.#isOfToday = before.format === stateFormat
    const newest = Math.max(before.lastJournal, fileNumberOf(filesOf(folder, 'journal').at(-1) ?? ''))
    const left = leftOvers(folder, before, wallTime())
    this.#journal = new Journal(folder, newest + 1, {
      confirm: () => this.confirm(),
      flushed: () => this.#folding.journalGrew(),
      failed,
      report: ({ message }) => report(message),
    })
    const files = { snapshot: before.snapshot, journals: sealed, open: this.#journal.open }
    this.#ownership = this.#own(before, files)
    for (const name of left) rmSync(join(folder, name), { force: true }) // listed before the folder was ours: unused
    removeReplaced(folder, before, this.#ownership.manifest)
    this.#folding = new Folding({
      ...options,
      journal: this.#journal,
      ownership: this.#ownership,
      replaceBy: (snapshot, commit) => this.#replaceBy(snapshot, commit),
    })
    this.#beat = setInterval(() => this.#look(), heartbeat).unref()
    if (sealed.length > 0) this.#folding.foldIfLarge()
  }

  /**
   * Reads the state and starts a journal. Errors: OpenToAll, DamagedLine, DamagedFile, NewerFormat, LostState, an Error
   * of the file system; damaged files are left untouched.
   */
  static async open(options: FileStoreOptions): Promise<{ store: FileStore; state: State }> {
    const { folder, empty, report } = options
    makeFolder(folder)
    refuseOpenFolder(folder)
    const warning = whoElseMayWrite(folder)
    if (warning !== undefined) report(warning)
    const before = readManifest(folder) ?? filesWithoutManifest(folder)
    refuseUnnamed(folder, before)
    const stored = new StoredState(folder, before, empty)
    const state = new Low(stored, empty())
    await state.read()
    if (stored.ending !== null && stored.ending.unfinishedBytes > 0) report(unfinishedText(stored.ending))
    const last = stored.ending === null || stored.ending.isEmpty ? [] : [stored.ending.sealed]
    keepOlder(folder, before, report)
    for (const { name } of last) syncFile(openState(join(folder, name), 'append')) // a crash may have left it unsynced
    return { store: new FileStore(options, before, [...before.journals, ...last]), state: state.data }
  }

  /** Errors: LostState; an Error of the file system. The next start removes the journal that was begun. */
  #own(before: Manifest, files: Files): FolderOwnership {
    try {
      return new FolderOwnership(before, files, { ...this.#options, journal: this.#journal })
    } catch (error) {
      void this.#journal.close()
      throw error
    }
  }

  append(entry: JournalEntry): Promise<void> {
    return this.#ownership.lost === null ? this.#journal.append(entry) : Promise.reject(this.#ownership.lost)
  }

  get pending(): boolean {
    return this.#journal.pending
  }

  written(): Promise<boolean> {
    return this.#journal.written()
  }

  async reload(): Promise<State> {
    if (this.#ownership.lost !== null) throw this.#ownership.lost
    const { folder, empty } = this.#options
    const stored = new StoredState(folder, this.#ownership.manifest, empty, this.#journal.bytes)
    const state = new Low(stored, empty())
    await state.read()
    return state.data
  }

  async replace(make: () => State, settings?: () => Settings): Promise<State> {
    await this.#idle()
    const state = make()
    const snapshot = await this.#write(state)
    this.#replaceBy(snapshot, () =>
      this.#journal.rotate((_, open) => {
        if (settings !== undefined) this.#options.restoring?.(snapshot.name, settings())
        this.#ownership.commit({ snapshot, journals: [], open })
      }),
    )
    return state
  }

  async close(state: State | null): Promise<void> {
    clearInterval(this.#beat)
    await this.#idle()
    if (this.#ownership.lost === null) this.#journal.cutIdle() // while the file is still there
    try {
      if (this.#ownership.lost === null && state !== null) await this.#seal(state)
    } catch (error) {
      const why = `the snapshot could not be written (${(error as Error).message})`
      this.#options.report(this.#ownership.lost === null ? `${why}; the journal holds everything` : why)
    }
    await this.#journal.close()
    this.#ownership.release()
  }

  /** Makes sure that the folder is still ours. Errors: LostState, from then on always. */
  confirm(): void {
    this.#ownership.confirm()
  }

  /** While nothing is written: records that the last group is durable, and checks that the folder is still ours. */
  #look(): void {
    if (this.#ownership.lost !== null || this.#journal.pending) return
    try {
      this.confirm()
      this.#journal.cutIdle()
      this.#journal.markIdle()
    } catch (error) {
      if (!(error instanceof LostState)) this.#options.report((error as Error).message)
    }
  }

  /** Waits until neither the journal nor a fold is at work. */
  async #idle(): Promise<void> {
    while (this.#journal.pending || this.#folding.underWay !== null) {
      await this.#journal.settled()
      await this.#folding.underWay
    }
  }

  /** Replaces all journals by a snapshot. An existing snapshot that holds everything is kept. */
  async #seal(state: State): Promise<void> {
    const snapshot = this.#completeSnapshot() ?? (await this.#write(state))
    this.#replaceBy(snapshot, () => this.#ownership.commit({ snapshot, journals: [], open: null }))
  }

  /** The snapshot, if nothing has happened since; null when a new one must be written. */
  #completeSnapshot(): SealedFile | null {
    const { snapshot, journals } = this.#ownership.manifest
    return this.#isOfToday && journals.length === 0 && this.#journal.isEmpty ? snapshot : null
  }

  /** Removes the replaced files once a manifest names the snapshot; without a manifest, removes the new snapshot. */
  #replaceBy({ name }: SealedFile, commit: () => void): void {
    const { folder, report } = this.#options
    const before = this.#ownership.manifest
    try {
      this.#options.beforeSnapshot?.()
      commit()
    } catch (error) {
      // If the manifest may exist, or another sandbox continued from it, the file that it names is needed.
      if (name !== before.snapshot?.name && !(error instanceof UncertainFile || error instanceof LostState))
        rmSync(join(folder, name), { force: true })
      throw error
    }
    try {
      removeReplaced(folder, before, this.#ownership.manifest)
    } catch (error) {
      report((error as Error).message) // the next manifest removes it
    }
  }

  async #write(state: State): Promise<SealedFile> {
    const { folder, empty, wall = wallTime } = this.#options
    const stored = new StoredState(folder, this.#ownership.manifest, empty)
    forgetOldRequests(state, wall())
    await new Low(stored, state).write()
    return stored.snapshot as SealedFile
  }
}

/** Copies a state of an earlier format before anything in it is changed. Errors: an Error of the file system. */
function keepOlder(folder: string, { format }: Manifest, report: (message: string) => void): void {
  if (format === stateFormat) return
  const backup = backUp(folder, wallTime(), `format-${format}-`)
  report(
    `${folder} was of state format ${format} and is of format ${stateFormat} from now on; a copy as it was: ${backup}`,
  )
}

/** Refuses a journal with entries that no manifest names: its manifest is missing. Errors: DamagedFile. */
function refuseUnnamed(folder: string, { number, lastJournal }: Manifest): void {
  for (const name of filesOf(folder, 'journal'))
    if (fileNumberOf(name) > lastJournal && countSoundAfter(join(folder, name), 0) > 1)
      throw new DamagedFile(
        join(folder, name),
        `it holds entries, and ${manifestName(number)} does not name it`,
      )
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../../domain/settings.ts'
import { forgetOldRequests, type JournalEntry, type State } from '../../../domain/state.ts'
import { makeFolder } from '../../../shared/files/files.ts'
import { LostState } from '../../../shared/files/store-errors.ts'
import { clearInterval, setInterval } from '../../../shared/timers.ts'
import type { StorageNeeds, Store, Swap } from '../storage.ts'
import { Journal, type JournalName, journalNamed } from './journal.ts'
import {
  nextNumber,
  readFolder,
  refuseOpenFolder,
  removeOthers,
  type StoredState,
  stateFile,
  stateFileName,
  UncertainFile,
  whoElseMayWrite,
} from './state-folder.ts'

/** Interval at which an idle sandbox checks that the folder is still its own. Milliseconds. */
const heartbeat = 2_000

interface FileStoreOptions extends Omit<StorageNeeds, 'ownAccess'> {
  readonly folder: string
  /** Why the lock of the folder is no longer ours; undefined while it is. Absent: there is no lock. */
  readonly lockLost?: (() => string | undefined) | undefined
}

/** The error of a lost state folder. */
export const lostFolder = (folder: string, why: string): LostState =>
  new LostState(`The state folder ${folder}`, why)

/**
 * The file store: state.json, and the journal that follows it. state.json is written when a sandbox starts,
 * when it stops, and when the whole state is replaced; each time with a new journal.
 */
export class FileStore implements Store {
  /** The settings that were read or written last. */
  #settings: Settings
  readonly #beat: NodeJS.Timeout
  #journal: Journal
  #failed: (error: Error) => void = () => undefined
  #lost: LostState | null = null
  /** True once there is a state.json. */
  #isWritten: boolean
  /** A replacement of state.json that failed and is not undone yet: until then, nothing is acknowledged. */
  #uncertain: UncertainFile | null = null

  private constructor(
    private readonly options: FileStoreOptions,
    { settings, journal: current }: StoredState,
    journal: JournalName,
  ) {
    this.#isWritten = current !== null
    this.#settings = settings
    this.#journal = this.#begin(journal)
    this.#beat = setInterval(() => this.#look(), heartbeat).unref()
  }

  /**
   * Reads the state, and begins a journal; where the last one holds something, with a new state.json. Errors:
   * OpenToAll, DamagedLine, DamagedFile, NewerFormat, an Error of the file system; damaged files are left
   * untouched.
   */
  static async open(options: FileStoreOptions): Promise<{ store: FileStore; stored: StoredState }> {
    const { folder, empty, report } = options
    makeFolder(folder)
    refuseOpenFolder(folder)
    const { stored, end } = await readFolder(folder, empty)
    for (const text of [whoElseMayWrite(folder), end?.unfinished]) if (text !== undefined) report(text)
    const current = end?.isEmpty ? stored.journal : null
    const store = new FileStore(
      options,
      stored,
      current ?? journalNamed(end === null ? 1 : nextNumber(folder)),
    )
    try {
      if (current === null) await store.#write(stored.state, store.#journal)
      removeOthers(folder, store.#journal.named)
    } catch (error) {
      await store.close(null)
      throw error
    }
    return { store, stored }
  }

  append(entry: JournalEntry): Promise<void> {
    return this.#lost === null ? this.#journal.append(entry) : Promise.reject(this.#lost)
  }

  whenFailed(act: (error: Error) => void): void {
    this.#failed = act
  }

  get pending(): boolean {
    return this.#journal.queue.pending
  }

  written(): Promise<boolean> {
    return this.#journal.queue.written()
  }

  /** Makes changed settings durable. */
  async saveSettings(settings: Settings): Promise<void> {
    if (this.#lost !== null) throw this.#lost
    const copy = structuredClone(settings)
    await this.#journal.append({ settings: copy })
    this.#settings = copy
  }

  async reload(): Promise<State> {
    this.confirm()
    const { folder, empty } = this.options
    return (await readFolder(folder, empty, this.#journal.bytes)).stored.state
  }

  async replace(make: () => Promise<State>, swap: Swap): Promise<void> {
    await this.#journal.queue.settled()
    await this.#compact(await make(), swap)
  }

  async close(state: State | null): Promise<void> {
    clearInterval(this.#beat)
    await this.#journal.queue.settled()
    const { report } = this.options
    if (this.#lost === null) this.#journal.tidy() // while the file is still there
    try {
      if (this.#uncertain !== null) this.confirm()
      if (this.#lost === null && state !== null && !this.#journal.isEmpty) await this.#compact(state)
    } catch (error) {
      const why = `the state file could not be written (${(error as Error).message})`
      report(this.#lost === null ? `${why}; the journal holds everything` : why)
    }
    this.#lost ??= lostFolder(this.options.folder, 'this sandbox has stopped') // its file is written no more
    this.#journal.close()
  }

  /** Makes sure that the folder is still ours. Errors: LostState from then on; one of the file system. */
  confirm(): void {
    if (this.#lost !== null) throw this.#lost
    const { folder, lockLost, lost } = this.options
    const why = lockLost?.() ?? this.#filesLost()
    if (why !== undefined) {
      this.#lost = lostFolder(folder, why)
      lost(this.#lost)
      throw this.#lost
    }
    this.#uncertain?.putBack()
    this.#uncertain = null
  }

  #filesLost(): string | undefined {
    const { name } = this.#journal.named
    if (!this.#journal.isThere) return `${name} was removed or replaced, maybe by another sandbox`
    const isThere = !this.#isWritten || existsSync(join(this.options.folder, stateFileName))
    return isThere ? undefined : `${stateFileName} was removed`
  }

  /** Writes state.json with a new journal, which then replaces the current one. */
  async #compact(state: State, swap?: Swap): Promise<void> {
    this.confirm()
    const { folder } = this.options
    const [before, next] = [this.#journal, this.#begin(journalNamed(nextNumber(folder)))]
    try {
      await this.#write(state, next, swap)
    } catch (error) {
      if (this.#journal === next) throw error // it took the place: a subscriber failed
      next.close()
      if (error instanceof UncertainFile) {
        this.#uncertain = error // state.json may name the new journal
        this.#look()
      } else next.remove()
      throw error
    }
    before.close()
    before.remove()
  }

  /**
   * Writes state.json, which names that journal. Settings that are saved meanwhile go into the journal, too.
   */
  async #write(state: State, journal: Journal, { settings, swapped }: Partial<Swap> = {}): Promise<void> {
    const written = this.#settings
    const swap = async (replace: () => void) => {
      do await this.#journal.queue.settled()
      while (this.#journal.queue.pending) // from here on, all is one turn
      this.confirm()
      const latest = settings === undefined ? this.#settings : structuredClone(settings())
      if (latest !== written) journal.beginWith(latest)
      replace()
      this.#journal = journal
      this.#settings = latest
      this.#isWritten = true
      swapped?.(state)
    }
    forgetOldRequests(state, this.options.wall())
    const file = stateFile(this.options, { swap, report: this.options.report })
    file.data = { state, settings: written, journal: journal.named }
    await file.write()
  }

  #begin(named: JournalName): Journal {
    const { folder, report } = this.options
    const hooks = { confirm: () => this.confirm(), failed: (error: Error) => this.#failed(error), report }
    return new Journal(folder, named, hooks)
  }

  /** While nothing is written: checks that the folder is ours, and the last group provably durable. */
  #look(): void {
    if (this.#lost !== null || this.#journal.queue.pending) return
    try {
      this.confirm()
      this.#journal.tidy()
    } catch (error) {
      if (!(error instanceof LostState)) this.options.report((error as Error).message)
    }
  }
}

import type { Fixtures } from '../../fixtures.ts'
import { elapsedTime, wallTime } from '../../timers.ts'
import { foldInWorker } from './fold-in-worker.ts'
import type { FolderOwnership } from './folder-ownership.ts'
import type { SealedFile } from './format/manifest.ts'
import type { Journal } from './journal.ts'

/** Bytes of journals from which they are folded, if they also exceed the snapshot. */
const defaultJournalLimit = 64 * 1024 * 1024

/** Number of sealed journals from which they are folded, whatever their size: each start adds one. */
const mostJournals = 16

/** Pause after a failed fold, doubled each time. Milliseconds. */
const [shortestPause, longestPause] = [10_000, 600_000]

interface FoldingOptions {
  readonly folder: string
  readonly fixtures: Fixtures
  readonly wall?: () => number
  readonly journalLimit?: number
  readonly journal: Journal
  readonly ownership: FolderOwnership
  /** Commits the snapshot, and removes the files that it replaces. */
  readonly replaceBy: (snapshot: SealedFile, commit: () => void) => void
  readonly report: (message: string) => void
}

/** Folds journals into the snapshot when they have grown large. */
export class Folding {
  readonly #options: FoldingOptions
  #underWay: Promise<void> | null = null
  /** The time from which a failed fold may be tried again. */
  #after = 0
  #pause = shortestPause
  #limit: number

  constructor(options: FoldingOptions) {
    this.#options = options
    this.#limit = this.#nextLimit()
  }

  /** Resolves when the running fold is over; null when none runs. */
  get underWay(): Promise<void> | null {
    return this.#underWay
  }

  /** Folds the sealed journals if they are large. */
  foldIfLarge(): void {
    if (this.#isLarge()) this.#fold()
  }

  /** The journal grew: when it is large, starts another one and folds it. */
  journalGrew(): void {
    if (this.#underWay !== null || !this.#isLarge() || elapsedTime() < this.#after) return
    if (this.#rotated()) this.#fold()
  }

  #isLarge(): boolean {
    const { journal, ownership } = this.#options
    const { journals } = ownership.manifest
    const bytes = journals.reduce((sum, each) => sum + each.bytes, journal.bytes)
    return bytes >= this.#limit || journals.length >= mostJournals
  }

  /** Folds in another thread, from the files alone: no request waits, and a crash at any point loses nothing. */
  #fold(): void {
    const { folder, fixtures, wall = wallTime, ownership, replaceBy, report } = this.#options
    const { snapshot, journals } = ownership.manifest
    this.#underWay = foldInWorker({
      folder,
      fixtures,
      files: { snapshot, journals, open: null },
      now: wall(),
    })
      .then((folded) => {
        const { journals: all, open } = ownership.manifest
        const left = all.slice(journals.length)
        replaceBy(folded, () => ownership.commit({ snapshot: folded, journals: left, open }))
      })
      .then(
        () => {
          this.#pause = shortestPause
        },
        (error: Error) => {
          this.#after = elapsedTime() + this.#pause
          this.#pause = Math.min(this.#pause * 2, longestPause)
          report(`the journal could not be folded into the snapshot: ${error.message}`)
        },
      )
      .finally(() => {
        this.#underWay = null
        this.#limit = this.#nextLimit()
      })
  }

  /** Starts a new journal. If that fails, the old one stays in use, and the next growth tries again. */
  #rotated(): boolean {
    const { journal, ownership, report } = this.#options
    if (journal.isEmpty) return true
    try {
      journal.rotate((sealed, open) => {
        const { snapshot, journals } = ownership.manifest
        ownership.commit({ snapshot, journals: [...journals, sealed], open })
      })
      return true
    } catch (error) {
      this.#limit = journal.bytes * 2
      report(`a new journal file could not be begun: ${(error as Error).message}`)
      return false
    }
  }

  #nextLimit(): number {
    const { journalLimit = defaultJournalLimit, ownership } = this.#options
    return Math.max(journalLimit, ownership.manifest.snapshot?.bytes ?? 0)
  }
}

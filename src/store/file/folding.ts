import type { Fixtures } from '../../fixtures.ts'
import { elapsedTime, wallTime } from '../../timers.ts'
import { foldInWorker } from './fold-in-worker.ts'
import type { FolderOwnership } from './folder-ownership.ts'
import type { SealedFile } from './format/manifest.ts'
import type { Journal } from './journal.ts'

/** The journals are folded into the snapshot when they outgrew both the snapshot and this. Bytes. */
const defaultJournalLimit = 64 * 1024 * 1024

/** At this number sealed journals are folded, however small they are: each start begins one. */
const mostJournals = 16

/** Pause after a fold that failed, twice as long each time. Milliseconds. */
const [shortestPause, longestPause] = [10_000, 600_000]

interface FoldingOptions {
  readonly folder: string
  readonly fixtures: Fixtures
  readonly wall?: () => number
  readonly journalLimit?: number
  readonly journal: Journal
  readonly ownership: FolderOwnership
  /** Commits, and removes the files that the snapshot replaces. */
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

  /** Resolves when the fold that is under way is over; null while there is none. */
  get underWay(): Promise<void> | null {
    return this.#underWay
  }

  /** Folds the sealed journals if they are large. */
  foldIfLarge(): void {
    if (this.#isLarge()) this.#fold()
  }

  /** The journal grew: begins another one when it became large, and folds it. */
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

  /** In a thread of its own, from the files alone, so that no request waits for it. A crash at any point loses nothing. */
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

  /** A journal that cannot be begun leaves the old one in use; it is tried again when that has grown further. */
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

import type { Fixtures } from '../../fixtures.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../../timers.ts'
import { foldThread } from '../fold-thread.ts'
import type { Database } from './connection/database.ts'
import type { SpaceFoldOrder } from './fold-space.ts'
import type { SpaceHold } from './space-hold.ts'

/** Fewest events that are folded: a node that takes the space over reads them all. */
export const usualFoldAfter = 1_000

/** Multiple of the limit at which events are folded even while the thread rests. */
const mostWaiting = 10

/** A fold rewrites every transaction, so it waits until there are this many events for each. */
const shareOfAll = 1 / 4

/** Interval at which a fold that waits for the thread to rest is tried again. Milliseconds. */
const askAgain = 1_000

/** Pause after a fold that failed. Milliseconds. */
const pauseAfterFailure = 10_000

interface SpaceFoldingOptions {
  readonly database: Database
  readonly space: string
  readonly hold: SpaceHold
  readonly fixtures: Fixtures
  /** Wall clock of the sandbox in milliseconds. */
  readonly wall: () => number
  readonly foldAfter: number
  readonly report: (message: string, error: Error) => void
}

/** Folds events into the snapshot when there are many. */
export class SpaceFolding {
  readonly #options: SpaceFoldingOptions
  #snapshotAt = 0
  #limit = 0
  #underWay: Promise<void> | null = null
  /** The time from which a failed fold may be tried again. */
  #after = 0
  #later: NodeJS.Timeout | undefined

  /** `transactions`: the number in the state that was read. */
  constructor(options: SpaceFoldingOptions, snapshotAt: number, transactions: number) {
    this.#options = options
    this.madeAt(snapshotAt, transactions)
  }

  /** Resolves when the running fold is over; null when none runs. */
  get underWay(): Promise<void> | null {
    return this.#underWay
  }

  /** Events were added: folds them when they are many. */
  grew(): void {
    const events = this.#options.hold.position - this.#snapshotAt
    if (this.#underWay !== null || events < this.#limit || elapsedTime() < this.#after) return
    clearTimeout(this.#later)
    if (events >= mostWaiting * this.#limit || foldThread.isRested) this.#fold()
    else this.#later = setTimeout(() => this.grew(), askAgain).unref()
  }

  /** Starts no more folds. */
  stop(): void {
    clearTimeout(this.#later)
  }

  /** Notes a snapshot of that sequence with this number of transactions. */
  madeAt(sequence: number, transactions: number): void {
    this.#snapshotAt = sequence
    this.#limit = Math.max(this.#options.foldAfter, transactions * shareOfAll)
  }

  /** Folds in another thread, from the database alone, so that no request waits. */
  #fold(): void {
    const { database, space, hold, fixtures, wall, report } = this.#options
    const upTo = hold.position
    const order: SpaceFoldOrder = {
      address: database.address,
      space,
      epoch: hold.epoch,
      upTo,
      fixtures,
      now: wall(),
    }
    this.#underWay = foldThread
      .run<number | null>(order)
      .then(
        (transactions) => {
          if (transactions !== null) this.madeAt(upTo, transactions)
          else this.#after = elapsedTime() + pauseAfterFailure
        },
        (error: Error) => {
          this.#after = elapsedTime() + pauseAfterFailure
          const message = `the events of the space ${space} could not be folded into a snapshot: ${error.message}`
          report(message, error)
        },
      )
      .finally(() => {
        this.#underWay = null
      })
  }
}

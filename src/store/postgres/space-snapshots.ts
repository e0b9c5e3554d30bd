import { forgetOldRequests, type State } from '../../domain/state.ts'
import type { Database } from './connection/database.ts'
import { insertLines, snapshotPieces } from './snapshot-rows.ts'
import type { SpaceHold } from './space-hold.ts'

/** Fewest events for which a snapshot is made: a node that opens the space reads them all. */
export const usualFoldAfter = 1_000

interface SpaceSnapshotsOptions {
  readonly database: Database
  readonly space: string
  readonly hold: SpaceHold
  /** Wall clock of the sandbox in milliseconds. */
  readonly wall: () => number
  readonly foldAfter: number
  readonly report: (message: string, error: Error) => void
}

/** Replaces events by a snapshot when a space is opened and closed. */
export class SpaceSnapshots {
  readonly #options: SpaceSnapshotsOptions
  #madeAt: number

  /** `madeAt`: sequence of the snapshot; 0 without one. */
  constructor(options: SpaceSnapshotsOptions, madeAt: number) {
    this.#options = options
    this.#madeAt = madeAt
  }

  /** Notes a snapshot of that sequence. */
  madeAt(sequence: number): void {
    this.#madeAt = sequence
  }

  /** Makes a snapshot of the durable state if there are many events after the last one; a failure is reported. */
  async makeIfMany(state: State): Promise<void> {
    const { hold, foldAfter, space, report } = this.#options
    if (hold.lost !== null || hold.isInDoubt || hold.position - this.#madeAt < foldAfter) return
    try {
      await this.#make(state)
    } catch (error) {
      const { message } = error as Error
      report(
        `the events of the space ${space} could not be replaced by a snapshot: ${message}`,
        error as Error,
      )
    }
  }

  /** Locks the row of the space last. An earlier owner changes nothing. */
  async #make(state: State): Promise<void> {
    const { database, space, hold, wall } = this.#options
    const { epoch, position } = hold
    forgetOldRequests(state, wall())
    const pieces = snapshotPieces(state)
    const isMade = await database.transaction(async (run) => {
      await insertLines(run, 'snapshots (space, sequence, line, body)', [space, position], pieces)
      await run('delete from snapshots where space = $1 and sequence < $2', [space, position])
      await run('delete from events where space = $1 and sequence <= $2', [space, position])
      const { count } = await run('select 1 from spaces where name = $1 and epoch = $2 for share', [
        space,
        epoch,
      ])
      return count > 0
    })
    if (isMade) this.#madeAt = position
  }
}

import { LostState, resendRemedy } from '../../../shared/files/store-errors.ts'
import type { StorageNeeds } from '../storage.ts'
import type { Database, DatabaseConnection } from './connection/database.ts'
import type { RunStatement } from './connection/statement.ts'

/** A space that another node may take now: it goes on there. */
class LostSpace extends LostState {
  override readonly remedy = resendRemedy
}

interface HeldSpaceFacts {
  readonly database: Database
  readonly name: string
  /** Number of its advisory lock. */
  readonly number: number
  /** Names this hold in the row of the space. */
  readonly owner: string
  /** The session that has the lock. */
  readonly connection: DatabaseConnection
  readonly whenLost: StorageNeeds['lost']
}

/** A space that this node holds: one session has its lock, and only that one writes its events. */
export class HeldSpace {
  /** Why it was lost; null while it is held. */
  lost: LostState | null = null

  constructor(readonly facts: HeldSpaceFacts) {}

  /**
   * Changes something in one transaction, which is rolled back unless this node holds the space at its end.
   * Errors: LostState; as `RunStatement`.
   */
  async change(work: (run: RunStatement) => Promise<unknown>): Promise<void> {
    this.requireHeld()
    const { database, name, owner } = this.facts
    const isHeld = await database.transaction(async (run) => {
      await work(run)
      const held = 'select from spaces where name = $1 and owner = $2 for share'
      return (await run(held, [name, owner])).rowCount === 1
    })
    if (!isHeld) throw this.lose('another node has taken it over, or it was removed')
  }

  /** Ends all acknowledgement. Returns the reason as an error. */
  lose(why: string): LostState {
    if (this.lost !== null) return this.lost
    const lost = this.end(why)
    this.facts.whenLost(lost)
    return lost
  }

  /** As `lose`, for a space that this node gives back. */
  end(why: string): LostState {
    const { name, database } = this.facts
    this.lost ??= new LostSpace(`The space ${name} of ${database.address.shown}`, why)
    return this.lost
  }

  requireHeld(): void {
    if (this.lost !== null) throw this.lost
  }
}

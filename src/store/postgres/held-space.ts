import type { JournalEntry } from '../../domain/state.ts'
import { GroupQueue } from '../group-queue.ts'
import type { StorageNeeds } from '../storage.ts'
import { LostState, resendRemedy } from '../store-errors.ts'
import type { Database, DatabaseConnection, RunStatement } from './connection/database.ts'

interface HeldSpaceFacts {
  readonly database: Database
  readonly name: string
  /** Number of its advisory lock. */
  readonly number: number
  /** Names this hold in the row of the space. */
  readonly owner: string
  /** The session that has the lock. */
  readonly connection: DatabaseConnection
}

/** An entry that waits to be durable. `at`: sandbox time; `body`: as JSON. */
export interface WaitingEvent {
  readonly at: number
  readonly body: string
}

/** A space that another node may take now: it goes on there. */
class LostSpace extends LostState {
  override readonly remedy = resendRemedy
}

/** A space that this node holds: one session has its lock, and only that one writes its events. */
export class HeldSpace {
  /** Sequence of the last durable event. */
  position = 0
  /** Why it was lost; null while it is held. */
  lost: LostState | null = null
  /** Its events that are not durable yet. */
  readonly events: GroupQueue<WaitingEvent[]>
  readonly facts: HeldSpaceFacts
  /** Called when a write failed while the space was held. */
  whenFailed: (error: Error) => void = () => undefined
  readonly #needs: Pick<StorageNeeds, 'lost'>

  /** `write` makes events durable. Errors: none of them is. */
  constructor(
    facts: HeldSpaceFacts,
    needs: Pick<StorageNeeds, 'lost'>,
    write: (space: HeldSpace, events: readonly WaitingEvent[]) => Promise<void>,
  ) {
    this.facts = facts
    this.#needs = needs
    this.events = new GroupQueue<WaitingEvent[]>({
      begin: () => [],
      write: (events) => write(this, events),
      failed: (error) => {
        if (this.lost === null) this.whenFailed(error)
      },
    })
  }

  /** Resolves when the entry is durable. Errors: LostState; as `RunStatement`. */
  append(entry: JournalEntry): Promise<void> {
    if (this.lost !== null) return Promise.reject(this.lost)
    this.events.next.push({ at: entry.at, body: JSON.stringify(entry) })
    return this.events.commit()
  }

  /**
   * Changes something in one transaction, which is rolled back unless this node holds the space at its end. Errors:
   * LostState; as `RunStatement`.
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
    const { name, database } = this.facts
    this.lost = new LostSpace(`The space ${name} of ${database.address.shown}`, why)
    this.#needs.lost(this.lost)
    return this.lost
  }

  /** Errors: LostState. */
  requireHeld(): void {
    if (this.lost !== null) throw this.lost
  }
}

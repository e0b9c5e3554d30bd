import { LostState } from '../store-errors.ts'
import type { DatabaseConnection } from './connection/connection.ts'

interface HeldSpaceFacts {
  readonly name: string
  /** Number of its advisory lock. */
  readonly number: string
  /** Names this hold in the row of the space. */
  readonly owner: string
  /** Name of the database, for people. */
  readonly shown: string
  /** The session that has the lock. */
  readonly connection: DatabaseConnection
}

/** What the holder of a space is told. */
export interface HolderNeeds {
  /** An entry could not be written: called before its caller is told. */
  readonly failed: (error: Error) => void
  /** The space is lost, and nothing more is acknowledged: called once. */
  readonly lost: (error: LostState) => void
}

/** A space that this node holds: one session has its lock, and only that one writes its events. */
export class HeldSpace {
  /** Sequence of the last event. */
  position = 0
  /** Why it was lost; null while it is held. */
  lost: LostState | null = null
  /** Resolves when the last entry is durable, to false when it could not be written. */
  written: Promise<boolean> = Promise.resolve(true)
  /** Number of entries that are not durable yet. */
  waiting = 0
  readonly facts: HeldSpaceFacts
  readonly needs: HolderNeeds

  constructor(facts: HeldSpaceFacts, needs: HolderNeeds) {
    this.facts = facts
    this.needs = needs
  }

  /** Ends all acknowledgement. Returns the reason as an error. */
  lose(why: string): LostState {
    if (this.lost !== null) return this.lost
    const { name, shown } = this.facts
    this.lost = new LostState(`The space ${name} of ${shown}`, why)
    this.needs.lost(this.lost)
    return this.lost
  }

  /** Errors: LostState. */
  requireHeld(): void {
    if (this.lost !== null) throw this.lost
  }
}

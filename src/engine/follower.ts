import type { Event } from '../domain/events.ts'
import type { Ledger } from '../domain/ledger.ts'

/** What acts outside of the state when it has changed, by the same clock. */
export interface Follower {
  /** The events changed the ledger, and are durable. */
  notice(ledger: Ledger, events: readonly Event[]): void
  /** True when something waits for it. */
  readonly hasWork: boolean
  /** Sandbox time of what it does next, if anything. */
  earliest(): number | undefined
  /** Does what is due. */
  runDue(): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** A write failed: begins nothing new for a while. */
  hold(): void
  /** The clock or the state was replaced. */
  rearm(): void
}

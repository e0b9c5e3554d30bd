import type { Ledger } from '../domain/model/ledger.ts'
import type { JournalEntry, State } from '../domain/state.ts'

/** Why the state was replaced: it was read back after a failed write, or a command replaced it. */
export type Replacement = 'reread' | 'other'

/** Is informed of durable changes of the state, which may therefore be shown. */
export interface Subscriber {
  /** The events of the entry changed the ledger. */
  durable?(ledger: Ledger, entry: JournalEntry): void
  /** Another state replaced the previous one. */
  replaced?(state: State, cause: Replacement): void
}

/** Work outside the state that falls due by the sandbox clock, such as sending webhooks. */
export interface BackgroundWork extends Subscriber {
  /** True when something waits to be done. */
  readonly hasWork: boolean
  /** Sandbox time of its next work, if any. */
  earliest(): number | undefined
  /** Starts the work that is due. */
  runDue(): void
  /** Resolves when no work is under way. */
  idle(): Promise<void>
  /** A write failed: pauses before new work starts. */
  hold(): void
  /** The clock was changed. */
  rearm(): void
}

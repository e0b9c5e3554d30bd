import type { Ledger } from '../domain/model/ledger.ts'
import type { JournalEntry, State } from '../domain/state.ts'

/** Why a state is another one: it was read back after a failed write, or it was replaced by order. */
export type Replacement = 'reread' | 'other'

/** Is informed of changes of the state that are durable, and may therefore be shown. */
export interface Subscriber {
  /** The events of the entry changed the ledger. */
  durable?(ledger: Ledger, entry: JournalEntry): void
  /** Another state took the place of the one before. */
  replaced?(state: State, cause: Replacement): void
}

/** Work outside the state that falls due by the sandbox clock, such as sending webhooks. */
export interface BackgroundWork extends Subscriber {
  /** True when something waits to be done. */
  readonly hasWork: boolean
  /** Sandbox time of its next work, if any. */
  earliest(): number | undefined
  /** Starts due work. */
  runDue(): void
  /** Resolves when no work is under way. */
  idle(): Promise<void>
  /** A write failed: starts no new work for a while. */
  hold(): void
  /** The clock was changed. */
  rearm(): void
}

import type { Settings } from '../domain/settings.ts'
import type { JournalEntry, State } from '../domain/state.ts'

/** Stores entries durably. The file store is one implementation. */
export interface Store {
  /** Resolves when the entry is durable. Errors: that of the disk, or LostState; then the entry is not acknowledged. */
  append(entry: JournalEntry): Promise<void>
  /** True while an entry waits to be durable. */
  readonly pending: boolean
  /** Resolves when all entries appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean>
  /** Reads the durable state back. */
  reload(): Promise<State>
  /**
   * Replaces the whole state by a new one, which is made once no write is pending. Nothing may be appended meanwhile.
   * `settings`: apply from the same moment; made after the state.
   */
  replace(make: () => State, settings?: () => Settings): Promise<State>
  /** Longest pause between attempts to read the state back, in milliseconds; by default the engine's. */
  readonly longestPause?: number
  /**
   * Writes the snapshot and closes. `state`: null when it may differ from the stored state; then no snapshot is
   * written.
   */
  close(state: State | null): Promise<void>
}

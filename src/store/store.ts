import type { JournalEntry, State } from '../domain/state.ts'
import type { Settings } from './settings.ts'

/** Where entries are kept. The file store is one implementation. */
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
   * Replaces the whole state by another one, made once no write is pending. Nothing may be appended meanwhile.
   * `settings`: those that apply from the same moment; made after the state.
   */
  replace(make: () => State, settings?: () => Settings): Promise<State>
  /** Maximum pause between tries to read the state back, in milliseconds; by default the engine's. */
  readonly longestPause?: number
  /** Writes the snapshot, unless it is unknown whether the state equals what is stored, and closes. */
  close(state: State | null): Promise<void>
}

import type { JournalEntry, State } from '../domain/state.ts'
import type { Settings } from './settings.ts'

/** Where entries are kept. The file store is one implementation. */
export interface Store {
  /** Resolves when the entry is durable. Errors: what the disk said, or LostState; then nothing of it is acknowledged. */
  append(entry: JournalEntry): Promise<void>
  /** True while an entry waits to be durable. */
  readonly pending: boolean
  /** Resolves when what was appended until now is durable, to false when it could not be written. */
  written(): Promise<boolean>
  /** Reads the state back as it is durable now. */
  reload(): Promise<State>
  /**
   * Replaces all that is kept by a state, made once nothing waits to be written. Nothing may be appended meanwhile.
   * `settings`: those that hold from the same moment on; made after the state.
   */
  replace(make: () => State, settings?: () => Settings): Promise<State>
  /** A state that cannot be read back is tried again at least so often, in milliseconds; left out: as the engine does. */
  readonly longestPause?: number
  /** Writes the snapshot, unless there is no state that is sure to be what is stored, and closes. */
  close(state: State | null): Promise<void>
}

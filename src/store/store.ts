import type { JournalEntry, State } from '../domain/state.ts'

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
   * `sealed` is called with the name of the snapshot when that is on disk, right before it holds; when it fails, nothing changes.
   */
  replace(make: () => State, sealed?: (snapshot: string) => void): Promise<State>
  /** Writes the snapshot, unless there is no state that is sure to be what is stored, and closes. */
  close(state: State | null): Promise<void>
}

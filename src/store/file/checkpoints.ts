import type { State } from '../../domain/state.ts'
import type { CheckpointFacts, CheckpointHead, ReadCheckpoint } from './state-file.ts'

/** The named states of a sandbox, and the files of an export or an import under way. */
export interface Checkpoints {
  /** The checkpoints by name, including unreadable ones. */
  list(): Promise<StoredCheckpoint[]>
  has(name: string): Promise<boolean>
  /** Keeps the state under that name, whole or not at all; it is durable when this resolves. Errors: LostState; an Error of the place. */
  save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead>
  /** Errors: as `readCheckpoint`. */
  read(name: string): Promise<ReadCheckpoint>
  /** Errors: LostState; an Error of the place. */
  remove(name: string): Promise<void>
  /** Writes the state to a file to be sent on; it exists until `discard` is called. Errors: as `save`. */
  spool(state: State, facts: CheckpointFacts): Promise<TemporaryFile>
  /**
   * Stores the incoming bytes until they are read. Errors: TooLong; those of the source; an Error of the file system.
   */
  receive(source: AsyncIterable<Uint8Array>, limit?: number): Promise<TemporaryFile>
  /** Reads the received file. Errors: as `readCheckpoint`. */
  readFrom(file: TemporaryFile): Promise<ReadCheckpoint>
}

/** A checkpoint in the list: its facts, or why it cannot be read. */
export type StoredCheckpoint = { readonly name: string } & (
  | { readonly head: CheckpointHead }
  | { readonly problem: Error }
)

/** A file that nothing refers to. */
export interface TemporaryFile {
  readonly path: string
  discard(): void
}

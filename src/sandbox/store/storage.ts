import type { Low } from 'lowdb'
import type { AttemptView } from '../../contract/control/webhooks.ts'
import type { Settings } from '../../domain/settings.ts'
import type { JournalEntry, State } from '../../domain/state.ts'
import type { LostState } from '../../shared/files/store-errors.ts'
import type { Access } from '../access/access.ts'
import type { ReadSnapshot, SnapshotFacts, SnapshotHead } from './file/state-file.ts'

/** Where a sandbox keeps everything: a state folder, or a space of a PostgreSQL database. */
export interface Storage {
  /** Name for people: the path of a folder, or the URL of a database without its password. */
  readonly location: string
  /**
   * Takes the storage for this sandbox, and reads its state. Damage is found before anything is written.
   * Errors: LostState, DamagedFile, DamagedLine, NewerFormat; an Error of the file system or of the database.
   */
  open(needs: StorageNeeds): Promise<OpenStorage>
}

/** What a storage needs from its sandbox. */
export interface StorageNeeds {
  /** An empty state, to be filled. */
  readonly empty: () => State
  /** Wall clock of the sandbox in milliseconds, which decides when request marks are forgotten. */
  readonly wall: () => number
  /** The token of the start, if tokens and audit log are this sandbox's; null: they are its server's. */
  readonly ownAccess: { readonly token: string | null } | null
  /** The storage is lost: nothing more is acknowledged. */
  readonly lost: (error: LostState) => void
  /** Reports a fact that a person should know, in one line. */
  readonly report: (message: string, error?: Error) => void
}

/** A storage that this sandbox holds. Its store closes it. */
export interface OpenStorage {
  readonly store: Store
  readonly state: State
  readonly settings: Low<Settings>
  readonly snapshots: Snapshots
  /** Tokens and audit log, if the sandbox has its own. */
  readonly access: Access | null
  /** True while no other sandbox can have taken the storage; absent: the next write notices it. */
  readonly isHeld?: () => boolean
  /** A bounded record of attempts. */
  attempts(): AttemptRecord
}

/** What belongs to the moment in which another state takes the place of the current one. */
export interface Swap {
  /** The settings from then on; absent: the current ones. */
  readonly settings?: (() => Settings) | undefined
  /** Called as soon as the new state is stored, before anything else is written. It must not fail. */
  readonly swapped: (state: State) => void
}

/** Stores entries durably. The file store is one implementation. */
export interface Store {
  /** Resolves when the entry is durable. Errors: the disk's, or LostState; it is then not acknowledged. */
  append(entry: JournalEntry): Promise<void>
  /** From now on, `act` is called when a write failed: the state is reloaded before the next decision. */
  whenFailed(act: (error: Error) => void): void
  /** True while an entry waits to be durable. */
  readonly pending: boolean
  /** Resolves when all entries appended so far are durable; to false when they could not be written. */
  written(): Promise<boolean>
  /** Reads the durable state back. */
  reload(): Promise<State>
  /**
   * Replaces the whole state by a new one, which is made once no write is pending. No entry may be appended
   * meanwhile; settings may be written.
   */
  replace(make: () => Promise<State>, swap: Swap): Promise<void>
  /** Longest pause between attempts to read the state back, in milliseconds; by default the engine's. */
  readonly longestPause?: number
  /**
   * Writes the state file and closes. `state`: null when it may differ from the stored state; then no state
   * file is written.
   */
  close(state: State | null): Promise<void>
}

/** The named states of a sandbox. */
export interface Snapshots {
  /** The snapshots by name, including unreadable ones. */
  list(): Promise<StoredSnapshot[]>
  has(name: string): Promise<boolean>
  /** Keeps the state under that name, whole or not at all; durable when this resolves. Errors: LostState. */
  save(name: string, state: State, facts: SnapshotFacts): Promise<SnapshotHead>
  /** Errors: as `readSnapshot`. */
  read(name: string): Promise<ReadSnapshot>
  /** Errors: LostState; an Error of the place. */
  remove(name: string): Promise<void>
}

/** A snapshot in the list: its facts, or why it cannot be read. */
export type StoredSnapshot = { readonly name: string } & (
  | { readonly head: SnapshotHead }
  | { readonly problem: Error }
)

/** An attempt of a delivery. */
export interface LoggedAttempt extends Omit<AttemptView, 'at'> {
  readonly merchantId: string
  /** Number of the delivery. */
  readonly number: number
  /** Wall clock, milliseconds. */
  readonly at: number
  /** Sandbox time of its beginning. */
  readonly sandboxAt: number
}

/** The last attempts, for display only. A crash may lose some. */
export interface AttemptRecord {
  add(attempt: LoggedAttempt): void
  /** The stored attempts of these deliveries of a merchant, oldest first. */
  of(merchantId: string, numbers: ReadonlySet<number>): Promise<LoggedAttempt[]>
  /** Deletes every attempt: another state lacks their deliveries. */
  forget(): Promise<void>
  /** Resolves when everything that was added is written, or could not be. */
  written(): Promise<void>
}

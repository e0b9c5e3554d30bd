import type { Low } from 'lowdb'
import type { Access } from '../../access/access.ts'
import type { DeliveryNumbers } from '../../domain/model/outbox.ts'
import type { State } from '../../domain/state.ts'
import type { Fixtures } from '../../fixtures.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { ForwardedPosition } from '../forwarded-position.ts'
import type { LostState } from '../lost-state.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store.ts'

/** Where a sandbox keeps everything: a state folder, or a space of a PostgreSQL database. */
export interface Storage {
  /** For people: the path of a folder, or the URL of a database without its password. */
  readonly location: string
  /**
   * Takes the place for this sandbox, and reads what it holds. Whatever is damaged is found before anything is written.
   * Errors: LostState, DamagedFile, DamagedLine, NewerFormat; an Error of the file system or of the database.
   */
  open(needs: StorageNeeds): Promise<OpenStorage>
}

/** What a storage needs of its sandbox. */
export interface StorageNeeds {
  /** A state in which nothing happened, to be filled. */
  readonly empty: () => State
  /** What `empty` is made of, for the thread that folds. */
  readonly fixtures: Fixtures
  /** Wall clock of the sandbox in milliseconds, by which marks of requests are forgotten. */
  readonly wall: () => number
  /** True when positions of `--forward-to` are asked for: damaged ones are found at once. */
  readonly forwards: boolean
  /** The token of the start, where tokens and audit log are this sandbox's own; null: its server has them. */
  readonly ownAccess: { readonly token: string | null } | null
  /** A write failed; the state must be reloaded before anything else is decided. */
  readonly failed: (error: Error) => void
  /** The place is lost: nothing is acknowledged from now on. */
  readonly lost: (error: LostState) => void
  /** Something that a person should know: one line. */
  readonly report: (message: string, error?: Error) => void
}

/** A storage that this sandbox holds. Its store closes it. */
export interface OpenStorage {
  readonly store: Store
  /** As it was stored. */
  readonly state: State
  readonly settings: Low<Settings>
  readonly checkpoints: Checkpoints
  /** Tokens and audit log, where they were asked for. */
  readonly access: Access | null
  /** True while no other sandbox can have taken the place; left out: it is noticed with the next write. */
  readonly isHeld?: () => boolean
  /** A bounded record of attempts. */
  attempts<T extends NumberedAttempt>(name: AttemptsName): AttemptRecord<T>
  /** A record of the requests that are kept in memory; left out: they are in memory alone. */
  requests?<T extends RecordedRequest>(kept: RecentRequests<T>): RequestRecord<T>
  /** How far the forwarder to that URL came. `report`: told what could not be written. Errors: DamagedFile. */
  forwarded(url: string, report: (error: Error) => void): Promise<ForwardedPosition>
}

/** Attempts of the outbox, and those that `tillbox listen` reported. */
export type AttemptsName = 'attempts' | 'listened'

/** An attempt of deliveries of one merchant; its other members are kept as they are, as JSON. */
export interface NumberedAttempt extends DeliveryNumbers {
  readonly merchantId: string
}

/** The last attempts: a record to look at, which decides nothing. What a crash takes of it is not missed. */
export interface AttemptRecord<T extends NumberedAttempt> {
  add(attempt: T): void
  /** Attempts of these deliveries of a merchant as far as they are still there, oldest first, each without others. */
  of(merchantId: string, numbers: ReadonlySet<number>): Promise<T[]>
  /** Every attempt that is still there, oldest first. */
  all(): AsyncIterable<T>
  /** The latest attempts, oldest first. */
  latest(): Promise<readonly T[]>
  /** Forgets every attempt: they are of deliveries that another state has no more. */
  forget(): Promise<void>
  /** Resolves when everything that was added is written, or could not be. */
  written(): Promise<void>
}

/** What a row shows of a request; its other members are kept as they are, as JSON. */
export interface RecordedRequest {
  /** Wall-clock time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly traceId: string
}

/** The last requests in memory, of which a record is a copy. They are numbered without gaps. */
export interface RecentRequests<T extends RecordedRequest> {
  /** Numbers of the first one that is kept, and of the next one. */
  readonly first: number
  readonly total: number
  /** How often a request that was kept before was changed. */
  readonly changes: number
  /** Those from this number on, and those that were changed after that change, each behind its number, oldest first. */
  numberedSince(from: number, change: number): readonly (readonly [number: number, request: T])[]
}

/** The last requests: a record to look at, which decides nothing. What a crash takes of it is not missed. */
export interface RequestRecord<T extends RecordedRequest> {
  /** Numbers of what an earlier sandbox kept: the first, and the next. Asked for before any request is kept. */
  begin(): Promise<{ readonly first: number; readonly next: number }>
  /** Those that an earlier sandbox kept, newest first: that one has the number before `next`. */
  read(): Promise<readonly T[]>
  /** Something of what is kept changed, or is kept no more: it is written soon. */
  changed(): void
  /** Resolves when the record is as what is kept was, could not be written, or takes too long. */
  written(): Promise<void>
}

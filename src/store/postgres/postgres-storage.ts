import type { Settings } from '../../domain/settings.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'
import type { OwnerSession } from './owner-session.ts'
import { PostgresStore } from './postgres-store.ts'
import { SpaceAttempts } from './space-attempts.ts'
import { SpaceCheckpoints } from './space-checkpoints.ts'
import { openSpaceSettings } from './space-settings.ts'
import { readSpace } from './stored-space.ts'

/** Number of events after which a snapshot is written when a space is opened or closed. assumption: postgres-session */
const usualSnapshotAfter = 1_000

interface SpaceStorageOptions {
  readonly database: Database
  /** The session that owns the spaces of this node. */
  readonly session: OwnerSession
  /** Name of the space, which must exist. */
  readonly space: string
  readonly snapshotAfter?: number | undefined
  /** API keys that lead to the space with these settings; absent: unchanged. */
  readonly keysOf?: (settings: Settings) => readonly string[]
  /** When a node takes the space by itself after it was released, by the clock of the database; null: never. */
  readonly wakesAt?: () => number | null
}

/** One space of a database, for a node that has several. Database and session stay open. */
export const spaceStorage = (options: SpaceStorageOptions): Storage => {
  const { shown } = options.database.address
  const { space } = options
  return {
    location: space === 'default' ? shown : `${shown} (${space})`,
    open: (needs) => openSpace(options, needs),
  }
}

/** Takes the space, and reads it. Errors: SpaceTaken, also for a missing space; as `Storage.open`. */
async function openSpace(options: SpaceStorageOptions, needs: StorageNeeds): Promise<OpenStorage> {
  const { session } = options
  const space = await session.take(options.space, needs)
  try {
    return await openHeld(options, needs, space)
  } catch (error) {
    await session.release(space, null).catch((error: Error) => needs.report(error.message, error))
    throw error
  }
}

async function openHeld(
  {
    database,
    session,
    snapshotAfter = usualSnapshotAfter,
    keysOf,
    wakesAt = () => null,
  }: SpaceStorageOptions,
  { empty, wall, report: tell }: StorageNeeds,
  space: HeldSpace,
): Promise<OpenStorage> {
  const report = (error: Error) => tell(error.message, error)
  const { name, shown } = space.facts
  const toRow = (settings: Settings) => ({ text: JSON.stringify(settings), keys: keysOf?.(settings) ?? null })
  const settings = await openSpaceSettings({ database, session, space, toRow })
  const stored = await database.reading((run) => readSpace(run, { space: name, shown, empty }))
  const parts = { database, space }
  const checkpoints = new SpaceCheckpoints(database, space, empty)
  const closed = () => session.release(space, wakesAt()).catch(report)
  return {
    store: new PostgresStore({
      ...{ ...parts, session, stored, snapshotAfter, toRow, empty, wall, closed },
      report: tell,
    }),
    state: stored.state,
    settings,
    checkpoints,
    access: null,
    isHeld: () => space.lost === null && session.holds(name),
    attempts: () => new SpaceAttempts({ ...parts, report }),
  }
}

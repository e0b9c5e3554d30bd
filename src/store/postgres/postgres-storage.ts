import { Low } from 'lowdb'
import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { Settings } from '../../domain/settings.ts'
import { undoAll } from '../../undo-all.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../storage/storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'
import type { OwnerSession } from './owner-session.ts'
import { PostgresStore } from './postgres-store.ts'
import { SpaceAttempts } from './space-attempts.ts'
import { SpaceCheckpoints } from './space-checkpoints.ts'
import { readSpace } from './stored-space.ts'

/** Number of events after which a snapshot is written when a space is opened or closed. assumption: postgres-session */
const usualSnapshotAfter = 1_000

/** A space of a database, and the session that owns the spaces of this node. */
export interface SpaceStorageOptions {
  readonly database: Database
  readonly session: OwnerSession
  /** Name of the space, which must exist. */
  readonly space: string
  readonly snapshotAfter?: number | undefined
  /** API keys that lead to the space with these settings. */
  readonly keysOf: (settings: Settings) => readonly string[]
  /** When a node takes the space by itself after it was released, by the clock of the database; null: never. */
  readonly wakesAt: () => number | null
}

/** One space of a database, for a node that has several. Database and session stay open. */
export const spaceStorage = (options: SpaceStorageOptions): Storage => {
  const { shown } = options.database.address
  const { space } = options
  return {
    location: space === firstSpace ? shown : `${shown} (${space})`,
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

/** Other keys than those that are stored may lead to the space: each start has its own. */
const leadKeys = 'update spaces set keys = $3::text[] where name = $1 and owner = $2 and keys <> $3::text[]'

async function openHeld(
  { wakesAt, snapshotAfter = usualSnapshotAfter, ...options }: SpaceStorageOptions,
  needs: StorageNeeds,
  space: HeldSpace,
): Promise<OpenStorage> {
  const { database, session, keysOf } = options
  const { name, owner } = space.facts
  const report = (error: Error) => needs.report(error.message, error)
  const stored = await readSpace(database, space.facts, needs.empty)
  await session.write(space, leadKeys, [name, owner, keysOf(stored.settings)])
  const checkpoints = new SpaceCheckpoints(database, space, needs.empty)
  const closed = () =>
    undoAll([() => checkpoints.close(), () => session.release(space, wakesAt()).catch(report)])
  const store = new PostgresStore({ ...options, ...needs, space, stored, snapshotAfter, closed })
  return {
    store,
    state: stored.state,
    settings: new Low(
      { read: async () => null, write: (settings) => store.saveSettings(settings) },
      stored.settings,
    ),
    checkpoints,
    access: null,
    isHeld: () => space.lost === null && session.holds(name),
    attempts: () => new SpaceAttempts({ database, space, report }),
  }
}

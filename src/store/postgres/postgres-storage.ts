import { randomUUID } from 'node:crypto'
import type { Settings } from '../../domain/settings.ts'
import { undoAll } from '../../undo-all.ts'
import type { LostState } from '../lost-state.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../storage/storage.ts'
import { databaseAccess } from './access/database-access.ts'
import { databaseAddress } from './connection/address.ts'
import { Database } from './connection/database.ts'
import { LeaseKeeper, type TakenSpace } from './lease.ts'
import { PostgresStore } from './postgres-store.ts'
import { settingsRows } from './settings-row.ts'
import { SpaceAttempts } from './space-attempts.ts'
import { SpaceCheckpoints } from './space-checkpoints.ts'
import { SpaceHold } from './space-hold.ts'
import { openSpacePosition } from './space-positions.ts'
import { SpaceRequests } from './space-requests.ts'
import { openSpaceSettings } from './space-settings.ts'
import { SpaceSnapshots, usualFoldAfter } from './space-snapshots.ts'
import { readSpace } from './stored-space.ts'

interface SpaceStorageOptions {
  readonly database: Database
  /** The leases of this node. */
  readonly leases: LeaseKeeper
  /** Name of the space, which must exist. */
  readonly space: string
  /** Number of events that are folded into a snapshot. */
  readonly foldAfter?: number
  /** API keys that lead to the space with these settings; absent: unchanged. */
  readonly keysOf?: (settings: Settings) => readonly string[]
  /** Maximum wait for another node's lease, in milliseconds; by default until the lease of a dead node has ended. */
  readonly patience?: number
  /** Called once the space was released. */
  readonly closed?: () => Promise<void>
}

/** One space of a database, for a node that has several. The database stays open. */
export const spaceStorage = (options: SpaceStorageOptions): Storage => ({
  location: locationOf(options.database.address.shown, options.space),
  open: (needs) => openSpace(options, needs),
})

interface PostgresStorageOptions {
  readonly url: string
  /** Absent: default. */
  readonly space?: string | undefined
  readonly foldAfter?: number | undefined
}

/**
 * One space of the database at that URL, created if missing, with its own connections and leases. Errors:
 * UnusableDatabase for the URL.
 */
export function postgresStorage({ url, space = 'default', foldAfter }: PostgresStorageOptions): Storage {
  const { shown } = databaseAddress(url)
  return {
    location: locationOf(shown, space),
    open: async (needs) => {
      const database = await Database.open(url)
      const leases = new LeaseKeeper({ database, node: randomUUID(), url: null, report: needs.report })
      const closed = async () => {
        leases.stop()
        await database.close()
      }
      try {
        await database.run('insert into spaces (name) values ($1) on conflict do nothing', [space])
        return await openSpace(
          { database, leases, space, closed, ...(foldAfter !== undefined && { foldAfter }) },
          needs,
        )
      } catch (error) {
        await closed()
        throw error
      }
    },
  }
}

const locationOf = (shown: string, space: string): string =>
  space === 'default' ? shown : `${shown} (${space})`

/** Takes the space, and reads it. Errors: SpaceTaken, also for a missing space; as `Storage.open`. */
async function openSpace(options: SpaceStorageOptions, needs: StorageNeeds): Promise<OpenStorage> {
  const { database, leases, space, patience } = options
  let lose = (_: string) => {}
  const taken = await leases.acquire(space, (why) => lose(why), patience)
  const { node } = leases
  const lost = (error: LostState) => {
    leases.distrust(space)
    needs.lost(error)
  }
  const hold = new SpaceHold({ database, space, node, taken, lost })
  lose = (why) => hold.lose(why)
  try {
    return await openHeld(options, needs, { hold, node, taken })
  } catch (error) {
    await leases.release(taken, hold.epoch).catch((error: Error) => needs.report(error.message, error))
    throw error
  }
}

/** A space that this node took. */
interface LeasedSpace {
  readonly hold: SpaceHold
  readonly node: string
  readonly taken: TakenSpace
}

async function openHeld(
  { database, leases, space, foldAfter = usualFoldAfter, keysOf, closed }: SpaceStorageOptions,
  { empty, wall, ownAccess, failed, report: tell }: StorageNeeds,
  { hold, node, taken }: LeasedSpace,
): Promise<OpenStorage> {
  const { shown } = database.address
  const report = (error: Error) => tell(error.message, error)
  const toRow = settingsRows(taken.settingsVersion, keysOf)
  const settings = await openSpaceSettings({ database, space, hold, node, toRow })
  const { state, snapshotAt } = await database.reading((run) =>
    readSpace(run, { space, shown, empty, upTo: hold.position }),
  )
  const checkpoints = new SpaceCheckpoints({ database, space, hold, node, empty })
  const snapshots = new SpaceSnapshots({ database, space, hold, wall, foldAfter, report: tell }, snapshotAt)
  await snapshots.makeIfMany(state)
  let closeRequests = async () => {}
  let isOpen = true
  const giveBack = () =>
    undoAll([
      () => {
        isOpen = false
      },
      () => closeRequests(),
      () => checkpoints.close(),
      () => leases.release(taken, hold.epoch).catch(report),
      () => closed?.(),
    ])
  const store = new PostgresStore({
    ...{ database, space, hold, taken, leases, snapshots, toRow },
    ...{ empty, wall, failed, closed: giveBack },
  })
  return {
    store,
    state,
    settings,
    checkpoints,
    access: ownAccess && databaseAccess(database, { wall, report }, ownAccess.token),
    isHeld: () => leases.isHeld(space),
    attempts: (log) => new SpaceAttempts({ database, space, node, report }, log),
    requests: (recentRequests) => {
      const record = new SpaceRequests({ database, space, hold, node, report: tell }, recentRequests)
      closeRequests = () => record.close()
      return record
    },
    forwarded: (url, onFailure) =>
      openSpacePosition({ database, space, node, isOpen: () => isOpen }, url, onFailure),
  }
}

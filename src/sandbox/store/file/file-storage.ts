import { Low } from 'lowdb'
import { openAccess } from '../../access/access.ts'
import { readTokens } from '../../access/file-tokens.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../storage.ts'
import { AttemptLog } from './attempt-log.ts'
import { FileStore } from './file-store.ts'
import { SnapshotFolder } from './snapshot-folder.ts'

interface FileStorageOptions {
  /** State folder. */
  readonly folder: string
  /** Why the lock of the folder is no longer ours; undefined while it is. Absent: there is no lock. */
  readonly lockLost?: (() => string | undefined) | undefined
}

/** A storage that keeps everything in files of a state folder. */
export const fileStorage = (options: FileStorageOptions): Storage => ({
  location: options.folder,
  open: (needs) => openFolder(options, needs),
})

async function openFolder(
  { folder, lockLost }: FileStorageOptions,
  needs: StorageNeeds,
): Promise<OpenStorage> {
  const { ownAccess, wall } = needs
  if (ownAccess !== null) readTokens(folder) // damage is found before anything is written
  const { store, stored } = await FileStore.open({ ...needs, folder, lockLost })
  const confirm = () => store.confirm()
  const report = (error: Error) => needs.report(error.message)
  const access = ownAccess && openAccess({ folder, wall, confirm, report }, ownAccess.token)
  const snapshots = new SnapshotFolder({ state: folder, empty: needs.empty, confirm })
  const settings = new Low(
    { read: async () => null, write: (data) => store.saveSettings(data) },
    stored.settings,
  )
  return {
    store,
    state: stored.state,
    settings,
    snapshots,
    access,
    attempts: () => new AttemptLog(folder, report, { confirm }),
  }
}

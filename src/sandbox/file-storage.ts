import { Low } from 'lowdb'
import { openAccess } from '../access/access.ts'
import { CheckpointFolder } from '../store/file/checkpoint-folder.ts'
import { FileStore } from '../store/file/file-store.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../store/storage/storage.ts'
import { AttemptLog } from '../webhooks/attempt-log.ts'

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

/** Errors: as `Storage.open`. */
async function openFolder(
  { folder, lockLost }: FileStorageOptions,
  needs: StorageNeeds,
): Promise<OpenStorage> {
  let confirm = () => {}
  const report = (error: Error) => needs.report(error.message)
  // Damage is found before anything is written.
  const accessOptions = { folder, wall: needs.wall, confirm: () => confirm(), report }
  const access = needs.ownAccess && openAccess(accessOptions, needs.ownAccess.token)
  const { store, stored } = await FileStore.open({ ...needs, folder, lockLost })
  confirm = () => store.confirm()
  const checkpoints = new CheckpointFolder({ state: folder, empty: needs.empty, confirm })
  checkpoints.clean()
  const settings = new Low(
    { read: async () => null, write: (data) => store.saveSettings(data) },
    stored.settings,
  )
  return {
    store,
    state: stored.state,
    settings,
    checkpoints,
    access,
    attempts: () => new AttemptLog(folder, report),
  }
}

import { openAccess } from '../access/access.ts'
import { readPositions } from '../files/positions.ts'
import { CheckpointFolder } from '../store/checkpoint/checkpoint-folder.ts'
import { isRestoring, noteRestoring, restoredSettings } from '../store/checkpoint/restoring.ts'
import { FileStore } from '../store/file/file-store.ts'
import { openForwarded } from '../store/forwarded-position.ts'
import { openSettings, writeSettings } from '../store/settings.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../store/storage/storage.ts'
import { AttemptLog } from '../webhooks/attempt-log.ts'

interface FileStorageOptions {
  /** State folder. */
  readonly folder: string
  /** Why the lock of the folder is no longer ours; undefined while it is. Absent: there is no lock. */
  readonly lockLost?: (() => string | undefined) | undefined
  /** Bytes from which a journal is folded into the snapshot. */
  readonly journalLimit?: number | undefined
}

/** A storage that keeps everything in files of a state folder. */
export const fileStorage = (options: FileStorageOptions): Storage => ({
  location: options.folder,
  open: (needs) => openFolder(options, needs),
})

/** Errors: as `Storage.open`. */
async function openFolder(options: FileStorageOptions, needs: StorageNeeds): Promise<OpenStorage> {
  const { folder } = options
  let confirm = () => {}
  const report = (error: Error) => needs.report(error.message)
  // Damage is found before anything is written.
  const settings = await openSettings(folder, () => confirm(), restoredSettings(folder))
  if (needs.forwards) readPositions(folder, 'forwarded')
  const accessOptions = { folder, wall: needs.wall, confirm: () => confirm(), report }
  const access = needs.ownAccess && openAccess(accessOptions, needs.ownAccess.token)
  const { store, state } = await FileStore.open({
    ...needs,
    folder,
    // Restored settings count only while the snapshot of that restore exists: write them before another replaces it.
    beforeSnapshot: () => {
      if (isRestoring(folder)) writeSettings(folder, settings.data)
    },
    restoring: (snapshot, restored) => noteRestoring(folder, snapshot, restored),
    ...(options.lockLost && { lockLost: options.lockLost }),
    ...(options.journalLimit !== undefined && { journalLimit: options.journalLimit }),
  })
  confirm = () => store.confirm()
  const checkpoints = new CheckpointFolder({ state: folder, empty: needs.empty, confirm })
  checkpoints.clean()
  if (isRestoring(folder)) await settings.write().catch(report) // ends the restore
  return {
    store,
    state,
    settings,
    checkpoints,
    access,
    attempts: (name) => new AttemptLog(folder, report, undefined, name),
    forwarded: async (url, failed) => openForwarded(folder, url, confirm, failed),
  }
}

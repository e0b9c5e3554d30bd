import { positionsFiles, readPositions } from '../../files/positions.ts'
import { readSettings, settingsFileName } from '../settings.ts'

/** The small files of a state folder by name: what each is for, and how it is read. Errors of `read`: DamagedFile. */
export const smallFiles: Readonly<Record<string, { use: string; read: (folder: string) => unknown }>> = {
  [settingsFileName]: { use: 'settings', read: readSettings },
  [positionsFiles.forwarded]: {
    use: 'positions of --forward-to',
    read: (folder) => readPositions(folder, 'forwarded'),
  },
  [positionsFiles.listeners]: {
    use: 'positions of tillbox listen',
    read: (folder) => readPositions(folder, 'listeners'),
  },
}

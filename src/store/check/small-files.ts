import { readTokens, tokensFileName } from '../../access/tokens-file.ts'
import { positionsFiles, readPositions } from '../../files/positions.ts'
import { restoredSettings } from '../checkpoint/restoring.ts'
import { ownSecretFileName, readOwnSecret } from '../own-secret.ts'
import { readSettings, restoringFileName, settingsFileName } from '../settings.ts'
import { readSpaces, spacesFileName } from '../space-list.ts'

/** The small files of a state folder by name: what each is for, and how it is read. Errors of `read`: DamagedFile. */
export const smallFiles: Readonly<Record<string, { use: string; read: (folder: string) => unknown }>> = {
  [settingsFileName]: { use: 'settings', read: readSettings },
  [restoringFileName]: { use: 'settings of a restore that was cut short', read: restoredSettings },
  [spacesFileName]: { use: 'spaces', read: readSpaces },
  [ownSecretFileName]: { use: 'secret that keys are derived from', read: readOwnSecret },
  [tokensFileName]: { use: 'hashes of tokens', read: readTokens },
  [positionsFiles.forwarded]: {
    use: 'positions of --forward-to',
    read: (folder) => readPositions(folder, 'forwarded'),
  },
  [positionsFiles.listeners]: {
    use: 'positions of tillbox listen',
    read: (folder) => readPositions(folder, 'listeners'),
  },
}

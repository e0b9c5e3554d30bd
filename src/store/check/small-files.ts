import { listenersFileName, readListenerPositions } from '../../files/listener-positions.ts'
import { forwardedFileName, readForwarded } from '../forwarded.ts'
import { readSettings, settingsFileName } from '../settings.ts'

/** The small files of a state folder by name: what each is for, and how it is read. Errors of `read`: DamagedFile. */
export const smallFiles: Readonly<Record<string, { use: string; read: (folder: string) => unknown }>> = {
  [settingsFileName]: { use: 'settings', read: readSettings },
  [forwardedFileName]: { use: 'positions of --forward-to', read: readForwarded },
  [listenersFileName]: { use: 'positions of tillbox listen', read: readListenerPositions },
}

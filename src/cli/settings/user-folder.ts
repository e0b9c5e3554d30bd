import { homedir } from 'node:os'
import { join } from 'node:path'
import { readOr } from '../../shared/read-or.ts'

/** The folder of this user's settings, by XDG; on Windows that of applications. Undefined: no home. */
export function userFolder(): string | undefined {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = process.env
  // A container may have neither HOME nor a passwd entry.
  const home = readOr(undefined, () => HOME || homedir() || undefined)
  const above =
    XDG_CONFIG_HOME ||
    (process.platform === 'win32' && APPDATA) ||
    (home === undefined ? undefined : join(home, '.config'))
  return above && join(above, 'tillbox')
}

import { homedir } from 'node:os'
import { join } from 'node:path'
import { readOr } from '../../read-or.ts'

/** The home folder of this user; undefined without one: a container may have neither HOME nor a passwd entry. */
const homeFolder = (home = process.env.HOME): string | undefined =>
  readOr(undefined, () => home || homedir() || undefined) // the user is not known to the system

/** The folder of this user's settings, by the XDG rules; on Windows the one for applications. Undefined without a home. */
export function userFolder(): string | undefined {
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  const home = homeFolder()
  const above =
    XDG_CONFIG_HOME ||
    (process.platform === 'win32' && APPDATA) ||
    (home === undefined ? undefined : join(home, '.config'))
  return above && join(above, 'tillbox')
}

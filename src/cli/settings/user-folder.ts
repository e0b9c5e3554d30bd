import { join } from 'node:path'
import { homeFolder } from '../../files/home-folder.ts'

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

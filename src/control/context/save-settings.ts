import { refuseStore } from '../../engine/gate.ts'
import type { ControlContext } from './control-context.ts'

/** Changes the settings and writes them; a failed write undoes the change. Errors: SBX_STORE_FAIL. */
export async function saveSettings<T>(
  { settings, directory }: Pick<ControlContext, 'settings' | 'directory'>,
  change: () => T,
): Promise<T> {
  const before = structuredClone(settings.data)
  const result = change()
  try {
    await settings.write()
    return result
  } catch (error) {
    Object.assign(settings.data, before)
    directory.reload()
    return refuseStore(error as Error)
  }
}

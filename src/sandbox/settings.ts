import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import type { KeyProfile } from '../fixtures.ts'
import type { ClockState } from './clock.ts'
import { ownerOnly, replaceFile } from './store/files.ts'

/** What was set on a running sandbox and holds after a restart. */
export interface Settings {
  clock: ClockState
  /** Allow-list of addresses by application; absent: the fixture's. */
  allowLists: Record<string, string[]>
  /** Keys by application that replace the fixture's sandbox keys. */
  keys: Record<string, KeyProfile[]>
}

/** Settings of a new sandbox. */
const noSettings = (): Settings => ({ clock: { offset: 0, frozenAt: null }, allowLists: {}, keys: {} })

class SettingsAdapter implements Adapter<Settings> {
  constructor(readonly path: string) {}

  async read(): Promise<Settings | null> {
    if (!existsSync(this.path)) return null
    chmodSync(this.path, ownerOnly)
    return JSON.parse(readFileSync(this.path, 'utf8')) as Settings
  }

  async write(settings: Settings): Promise<void> {
    replaceFile(this.path, [`${JSON.stringify(settings, null, 2)}\n`])
  }
}

/** settings.json of a state folder. Errors: an Error that names the file when it is not JSON. */
export async function openSettings(folder: string): Promise<Low<Settings>> {
  const path = join(folder, 'settings.json')
  const settings = new Low(new SettingsAdapter(path), noSettings())
  try {
    await settings.read()
  } catch (error) {
    throw new Error(
      `${path} cannot be read (${(error as Error).message}): repair it, or remove it to start with defaults`,
    )
  }
  return settings
}

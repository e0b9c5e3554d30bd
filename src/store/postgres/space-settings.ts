import { type Adapter, Low } from 'lowdb'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { settingsFrom } from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'
import type { OwnerSession } from './owner-session.ts'

/** The settings in the row of a space. */
export interface SettingsRow {
  /** As JSON. */
  readonly text: string
  /** API keys that lead to the space with these settings; null: unchanged. */
  readonly keys: readonly string[] | null
}

interface SpaceSettingsOptions {
  readonly database: Database
  readonly session: OwnerSession
  readonly space: HeldSpace
  readonly toRow: (settings: Settings) => SettingsRow
}

/** Opens the settings of a space, which other nodes then find by its keys. Errors: DamagedFile; as `RunStatement`. */
export async function openSpaceSettings({
  database,
  session,
  space,
  toRow,
}: SpaceSettingsOptions): Promise<Low<Settings>> {
  const { name, owner, shown } = space.facts
  const adapter: Adapter<Settings> = {
    read: async () => {
      const { rows } = await database.run('select settings from spaces where name = $1', [name])
      const text = rows[0]?.settings
      return text == null ? null : settingsFrom(`settings of the space ${name} in ${shown}`, JSON.parse(text))
    },
    write: async (settings) => {
      const { text, keys } = toRow(settings)
      const { count } = await session.write(
        space,
        'update spaces set settings = $3, keys = coalesce($4::text[], keys) where name = $1 and owner = $2',
        [name, owner, text, keys],
      )
      if (count !== 1) throw space.lose('it was removed')
    },
  }
  const settings = new Low(adapter, noSettings())
  await settings.read()
  await session.write(
    space,
    'update spaces set keys = $3::text[] where name = $1 and owner = $2 and keys <> $3::text[]',
    [name, owner, toRow(settings.data).keys],
  )
  return settings
}

import { type Adapter, Low } from 'lowdb'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { settingsFrom } from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace, OwnerSession } from './owner-session.ts'

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

/** lowdb's adapter for the settings of a space: the session that holds the space writes one after another. */
class SpaceSettings implements Adapter<Settings> {
  readonly #options: SpaceSettingsOptions

  constructor(options: SpaceSettingsOptions) {
    this.#options = options
  }

  /** Errors: DamagedFile; DatabaseAway. */
  async read(): Promise<Settings | null> {
    const { database, space } = this.#options
    const { name, shown } = space.facts
    const { rows } = await database.run('select settings from spaces where name = $1', [name])
    const text = rows[0]?.settings
    return text == null ? null : settingsFrom(`settings of the space ${name} in ${shown}`, JSON.parse(text))
  }

  /** Errors: LostState, DatabaseAway, an Error of the server. */
  async write(settings: Settings): Promise<void> {
    const { session, space, toRow } = this.#options
    const { text, keys } = toRow(settings)
    const { count } = await session.write(
      space,
      'update spaces set settings = $3, keys = coalesce($4::text[], keys) where name = $1 and owner = $2',
      [space.facts.name, space.facts.owner, text, keys],
    )
    if (count !== 1) throw space.lose('it was removed')
  }
}

/** Opens the settings of a space, which other nodes then find by its keys. Errors: DamagedFile; as `write`. */
export async function openSpaceSettings(options: SpaceSettingsOptions): Promise<Low<Settings>> {
  const { database, space, toRow } = options
  const settings = new Low(new SpaceSettings(options), noSettings())
  await settings.read()
  const { keys } = toRow(settings.data)
  const other = await database.run(
    'select 1 from spaces where name = $1 and not (keys @> $2::text[] and keys <@ $2::text[])',
    [space.facts.name, keys],
  )
  if (other.count > 0) await settings.write()
  return settings
}

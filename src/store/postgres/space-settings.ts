import { type Adapter, Low } from 'lowdb'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { elapsedTime, sleep } from '../../timers.ts'
import { settingsFrom } from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { SettingsRow, ToSettingsRow } from './settings-row.ts'
import { isAway, type SpaceHold } from './space-hold.ts'

interface SpaceSettingsOptions {
  readonly database: Database
  readonly space: string
  readonly hold: Pick<SpaceHold, 'epoch' | 'isInDoubt' | 'requireHeld' | 'lose'>
  /** Name of this node in the database. */
  readonly node: string
  readonly toRow: ToSettingsRow
}

/** Pause between two attempts to reach the database. Milliseconds. */
const pause = 100

/** A statement that was given up may run after a newer one: then it changes nothing. */
const replaceSettings = `update spaces set
    settings = case when settings_version <= $2 then $1::json else settings end,
    keys = case when settings_version <= $2 then coalesce($3::text[], keys) else keys end,
    settings_version = greatest(settings_version, $2)
  where name = $4 and owner = $5 and epoch = $6`

/** lowdb's adapter for the settings of a space. Each write replaces them all, so it may be repeated. */
class SpaceSettings implements Adapter<Settings> {
  readonly #options: SpaceSettingsOptions
  #last: Promise<void> = Promise.resolve()

  constructor(options: SpaceSettingsOptions) {
    this.#options = options
  }

  /** Errors: DamagedFile; DatabaseAway. */
  async read(): Promise<Settings | null> {
    const { database, space } = this.#options
    const { rows } = await database.run('select settings from spaces where name = $1', [space])
    const text = rows[0]?.settings
    const source = `settings of the space ${space} in ${database.address.shown}`
    return text == null ? null : settingsFrom(source, JSON.parse(text))
  }

  /** Writes one after another, so that the last one stays. Errors: LostState, DatabaseAway, an Error of the server. */
  write(settings: Settings): Promise<void> {
    const row = this.#options.toRow(settings)
    const written = this.#last.then(() => this.#write(row))
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write({ text, version, keys }: SettingsRow): Promise<void> {
    const { database, space, hold, node } = this.#options
    const until = elapsedTime() + database.address.unavailableAfter
    for (;;) {
      hold.requireHeld()
      const { epoch } = hold
      try {
        const { count } = await database.run(
          replaceSettings,
          [text, version, keys, space, node, epoch],
          Math.max(1, until - elapsedTime()),
        )
        if (count === 1) return
        const isSettling = hold.isInDoubt || hold.epoch !== epoch // raises the epoch
        if (!isSettling) throw hold.lose('another node has taken it over, or it was removed')
      } catch (error) {
        if (!isAway(error) || elapsedTime() + pause >= until) throw error
      }
      await sleep(pause)
    }
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
    [space, keys],
  )
  if (other.count > 0) await settings.write()
  return settings
}

import { type Adapter, Low } from 'lowdb'
import { elapsedTime, sleep } from '../../timers.ts'
import { noSettings, type Settings, settingsFrom } from '../settings.ts'
import type { Database } from './connection/database.ts'
import { isAway, type SpaceHold } from './space-hold.ts'

interface SpaceSettingsOptions {
  readonly database: Database
  readonly space: string
  readonly hold: Pick<SpaceHold, 'epoch' | 'isInDoubt' | 'nextSettingsVersion' | 'requireHeld' | 'lose'>
  /** Name of this node in the database. */
  readonly node: string
}

/** Between two tries to reach the database. Milliseconds. */
const pause = 100

/** One that was given up may still be carried out after the next one: then it changes nothing. */
const replaceSettings = `update spaces set settings = case when settings_version <= $2 then $1::jsonb else settings end,
    settings_version = greatest(settings_version, $2)
  where name = $3 and owner = $4 and epoch = $5`

/** lowdb's adapter for the settings of a space. Each write replaces all of them, so it may happen twice. */
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
    const place = `settings of the space ${space} in ${database.address.shown}`
    return text == null ? null : settingsFrom(place, JSON.parse(text), null)
  }

  /** One after the other, so that the last one holds. Errors: LostState, DatabaseAway, an Error of the server. */
  write(settings: Settings): Promise<void> {
    const text = JSON.stringify(settings)
    const version = this.#options.hold.nextSettingsVersion()
    const written = this.#last.then(() => this.#write(text, version))
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write(text: string, version: number): Promise<void> {
    const { database, space, hold, node } = this.#options
    const until = elapsedTime() + database.address.unavailableAfter
    for (;;) {
      hold.requireHeld()
      const { epoch } = hold
      try {
        const { count } = await database.run(
          replaceSettings,
          [text, version, space, node, epoch],
          Math.max(1, until - elapsedTime()),
        )
        if (count === 1) return
        const isSettling = hold.isInDoubt || hold.epoch !== epoch // then the epoch is raised
        if (!isSettling) throw hold.lose('another node has taken it over, or it was removed')
      } catch (error) {
        if (!isAway(error) || elapsedTime() + pause >= until) throw error
      }
      await sleep(pause)
    }
  }
}

/** The settings of a space, as it keeps them. Errors: DamagedFile; DatabaseAway. */
export async function openSpaceSettings(options: SpaceSettingsOptions): Promise<Low<Settings>> {
  const settings = new Low(new SpaceSettings(options), noSettings())
  await settings.read()
  return settings
}

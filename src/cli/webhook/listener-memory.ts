import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../client/discover.ts'
import { DamagedFile, readChecked, replaceChecked } from '../../files/checked-json.ts'
import { makeFolder } from '../../files/files.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The last notification that was dealt with, over restarts of this command. */
export interface Memory {
  last(): string | undefined
  /** Errors: as flush. */
  keep(id: string): void
  /** Writes what is not written yet. Errors: UsageError when the file cannot be written, or is damaged. */
  flush(): void
}

/** Ids by who listens: a target, and outside a state folder which sandbox. */
type Places = Readonly<Record<string, string>>

/** What is kept is written at most so often, for each write waits for the disk; a crash repeats the rest. Milliseconds. */
const pause = 100

/**
 * The memory of who listens to a sandbox for a target: beside the state that led to the sandbox, else in a file of the
 * user's own. Where an answer says that the state is decides nothing. `fromNow`: what came before is forgotten. `failed` is
 * told when it cannot be written. Errors: UsageError for a damaged file. assumption: listener-places
 */
export function listenerMemory(
  place: Place,
  target: string,
  fromNow: boolean,
  failed: (error: unknown) => void,
): Memory {
  const { folder, key, isOurs } = keptFor(place, target)
  const path = join(folder, 'listeners.json')
  let last = fromNow ? undefined : placesIn(path)[key]
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (last === undefined || (!isOurs && !existsSync(folder))) return // a state that was deleted stays deleted
    const places = placesIn(path) // anew: others that listen write there too
    if (places[key] !== last) replacePlaces(folder, path, { ...places, [key]: last })
  }
  const late = () => {
    try {
      flush()
    } catch (error) {
      failed(error)
    }
  }
  return {
    last: () => last,
    keep: (id) => {
      last = id
      if (timer !== undefined) return
      flush()
      timer = setTimeout(late, pause)
    },
    flush,
  }
}

interface Kept {
  readonly folder: string
  readonly key: string
  /** True for the user's own folder, which is made when it is not there. */
  readonly isOurs: boolean
}

/** Where the place of a listener is kept, and by what name. */
function keptFor({ stateFolder, baseUrl }: Place, target: string): Kept {
  if (stateFolder !== undefined) return { folder: stateFolder, key: target, isOurs: false }
  const { XDG_STATE_HOME } = process.env
  const home = XDG_STATE_HOME?.startsWith('/') ? XDG_STATE_HOME : join(homedir(), '.local/state')
  return { folder: join(home, 'tillbox'), key: `${new URL(baseUrl).origin} ${target}`, isOurs: true }
}

/** Errors: UsageError for a file that is not what was written. */
function placesIn(path: string): Places {
  try {
    const places = readChecked(path)?.data ?? {}
    if (!isPlaces(places)) throw new DamagedFile(path, 'it is not a list of places')
    return places
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(
      error instanceof DamagedFile ? message : `${path} cannot be read: ${message}`,
      `Remove it: listen then begins with what comes, and tillbox webhook resend <id> --to <url> sends what was missed`,
    )
  }
}

const isPlaces = (value: unknown): value is Places =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((id) => typeof id === 'string')

/** Errors: UsageError when it cannot be written: what is forgotten would come again, or be missed. */
function replacePlaces(folder: string, path: string, places: Places): void {
  try {
    makeFolder(folder)
    replaceChecked(path, places)
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written: ${(error as Error).message}`,
      'Make room, or see whose the folder is: how far listen came is kept there',
    )
  }
}

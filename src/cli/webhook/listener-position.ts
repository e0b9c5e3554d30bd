import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxAddress } from '../../client/discover.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import { makeFolder } from '../../files/files.ts'
import {
  type ListenerState,
  type Positions,
  positionsFiles,
  readPositions,
  type UndeliveredNotification,
  writePositions,
} from '../../files/positions.ts'
import { UsageError } from '../errors/usage-error.ts'
import { homeFolder } from '../settings/user-folder.ts'

/** The last notification that was handled, over restarts of this command. */
export interface ListenerPosition {
  lastId(): string | undefined
  /** The undelivered notifications at the last write, and the number of the last one. */
  readonly left: Pick<ListenerState, 'number' | 'unsettled'>
  /** `left`: the undelivered notifications now; by default none. Errors: as flush. */
  advance(id: string, left?: Pick<ListenerState, 'number' | 'unsettled'>): void
  /** Writes pending changes. Errors: UsageError when the file cannot be written, or is damaged. */
  flush(): void
}

const nothingLeft: { readonly number: number; readonly unsettled: readonly UndeliveredNotification[] } = {
  number: 0,
  unsettled: [],
}

/** Positions are written at most this often, for each write waits for the disk; a crash repeats the rest. Milliseconds. */
const writeInterval = 100

/**
 * Position of a listener for a target: stored beside the state folder that led to the sandbox, otherwise in a file of
 * the user. The state folder named in an answer is not used. `fromNow` forgets an earlier position. `onError` is called
 * when a delayed write fails. Errors: UsageError for a damaged file. assumption: listener-places
 */
export function listenerPosition(
  address: SandboxAddress,
  target: string,
  fromNow: boolean,
  onError: (error: unknown) => void,
): ListenerPosition {
  const { folder, key, isOwnFolder } = storageFor(address, target)
  const before = fromNow || folder === undefined ? undefined : positionsIn(folder)[key]
  let [last, left] = typeof before === 'object' ? [before.after, before] : [before, nothingLeft]
  const begun = left
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (last === undefined || folder === undefined || (!isOwnFolder && !existsSync(folder))) return // a state that was deleted stays deleted
    const positions = positionsIn(folder) // anew: others that listen write there too
    const { number, unsettled } = left
    const now = unsettled.length === 0 ? last : { after: last, number, unsettled }
    if (typeof now === 'object' || positions[key] !== now) keepPositions(folder, { ...positions, [key]: now })
  }
  const flushLater = () => {
    try {
      flush()
    } catch (error) {
      onError(error)
    }
  }
  return {
    lastId: () => last,
    left: begun,
    advance: (id, now = nothingLeft) => {
      last = id
      left = now
      if (timer !== undefined) return
      flush()
      timer = setTimeout(flushLater, writeInterval)
    },
    flush,
  }
}

/**
 * Where the position of a listener is kept, and by what name; the user's own folder is made when it is missing. Without a
 * home it is kept nowhere.
 */
function storageFor({ stateFolder, baseUrl }: SandboxAddress, target: string) {
  if (stateFolder !== undefined) return { folder: stateFolder, key: target, isOwnFolder: false }
  const { XDG_STATE_HOME } = process.env
  const home = homeFolder()
  const usual = home === undefined ? undefined : join(home, '.local/state')
  const above = XDG_STATE_HOME?.startsWith('/') ? XDG_STATE_HOME : usual
  const { origin, pathname } = new URL(baseUrl) // a space of the same server has positions of its own
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  return { folder: above && join(above, 'tillbox'), key: `${url} ${target}`, isOwnFolder: true }
}

/** Errors: UsageError for a damaged file. */
function positionsIn(folder: string): Positions<'listeners'> {
  try {
    return readPositions(folder, 'listeners')
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(
      error instanceof DamagedFile
        ? message
        : `Cannot read ${join(folder, positionsFiles.listeners)}: ${message}`,
      'Delete it: listen then starts with the next notification, and tillbox webhook resend <id> --to <url> sends missed ones',
    )
  }
}

/** Errors: UsageError when it cannot be written: without a position notifications would be repeated, or missed. */
function keepPositions(folder: string, positions: Positions<'listeners'>): void {
  try {
    makeFolder(folder)
    writePositions(folder, 'listeners', positions)
  } catch (error) {
    throw new UsageError(
      `Cannot write ${join(folder, positionsFiles.listeners)}: ${(error as Error).message}`,
      'Free disk space, or check who owns the folder: listen keeps its position there',
    )
  }
}

import { clearTimeout, setTimeout } from '../../timers.ts'
import type { ForwardedPosition } from '../forwarded-position.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './owner-session.ts'

/** Minimum pause between two writes; after a crash, later notifications are sent again. Milliseconds. */
const pause = 250

interface SpacePositionOptions {
  readonly database: Database
  readonly space: HeldSpace
  /** False once the space was released. */
  readonly isOpen: () => boolean
}

/**
 * The position of the forwarder to a URL, in a space. A failed write is reported once and repeated. Errors:
 * DatabaseAway.
 */
export async function openSpacePosition(
  { database, space, isOpen }: SpacePositionOptions,
  url: string,
  report: (error: Error) => void,
): Promise<ForwardedPosition> {
  const { name, owner } = space.facts
  const { rows } = await database.run('select id from positions where space = $1 and target = $2', [
    name,
    url,
  ])
  let last = rows[0]?.id ?? undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isFailing = false
  const writeSoon = () => {
    timer ??= setTimeout(() => void flush(), pause)
  }
  const write = async () => {
    try {
      await database.run(
        `insert into positions select name, $2, $3 from spaces where name = $1 and owner = $4
          on conflict (space, target) do update set id = excluded.id`,
        [name, url, last ?? '', owner],
      )
      isFailing = false
    } catch (error) {
      if (!isFailing) report(error as Error)
      isFailing = true
      if (isOpen()) writeSoon()
    }
  }
  /** Writes one after another, so that the last position stays. */
  const flush = () => {
    if (timer !== undefined) writing = writing.then(write)
    clearTimeout(timer)
    timer = undefined
    return writing
  }
  return {
    get last() {
      return last
    },
    keep: (id) => {
      last = id
      writeSoon()
    },
    flush,
  }
}

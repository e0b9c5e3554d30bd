import { clearTimeout, setTimeout } from '../../timers.ts'
import type { ForwardedPosition } from '../forwarded.ts'
import type { Database } from './connection/database.ts'

/** What is kept is written at most so often; after a crash the rest comes again. Milliseconds. */
const pause = 250

/** How far the forwarder to that URL came, in a space. `node`: name of its owner. Errors: DatabaseAway. */
export async function openSpacePosition(
  { database, space, node }: { readonly database: Database; readonly space: string; readonly node: string },
  url: string,
  report: (error: Error) => void,
): Promise<ForwardedPosition> {
  const { rows } = await database.run('select id from positions where space = $1 and target = $2', [
    space,
    url,
  ])
  let last = rows[0]?.id ?? undefined
  let timer: NodeJS.Timeout | undefined
  const write = () =>
    database.run(
      `insert into positions select name, $2, $3 from spaces where name = $1 and owner = $4
        on conflict (space, target) do update set id = excluded.id`,
      [space, url, last ?? '', node],
    )
  const flush = async () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    await write().catch(report)
  }
  return {
    get last() {
      return last
    },
    keep: (id) => {
      last = id
      timer ??= setTimeout(() => void flush(), pause)
    },
    flush,
  }
}

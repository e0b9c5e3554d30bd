import type { ForwardedPosition } from '../forwarded-position.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/**
 * The position of the forwarder to a URL, in a space. While one is written, later ones wait, and only the last is written.
 * A failure is reported, and the next write has what it left out; after a crash, later notifications are sent again.
 * Errors: DatabaseAway.
 */
export async function openSpacePosition(
  database: Database,
  { facts: { name, owner } }: HeldSpace,
  url: string,
  report: (error: Error) => void,
): Promise<ForwardedPosition> {
  const { rows } = await database.run('select id from positions where space = $1 and target = $2', [
    name,
    url,
  ])
  let last = rows[0]?.id ?? undefined
  let written = last
  let writing: Promise<void> | null = null
  const write = async () => {
    while (written !== last) {
      const id = last
      await database.run(
        `insert into positions select name, $2, $3 from spaces where name = $1 and owner = $4
          on conflict (space, target) do update set id = excluded.id`,
        [name, url, id ?? '', owner],
      )
      written = id
    }
  }
  const flush = () => {
    writing ??= write()
      .catch(report)
      .finally(() => {
        writing = null
      })
    return writing
  }
  return {
    get last() {
      return last
    },
    keep: (id) => {
      last = id
      void flush()
    },
    flush,
  }
}

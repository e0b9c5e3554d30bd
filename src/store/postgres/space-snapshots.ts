import type { State } from '../../domain/state.ts'
import { formatLine, readSnapshot, type SnapshotHead, stateText } from '../file/state-file.ts'
import type { Snapshots } from '../storage.ts'
import type { HeldSpace } from './held-space.ts'

/** The named snapshots of a space, in the database. `empty`: makes an empty state to fill. */
export function spaceSnapshots(held: HeldSpace, empty: () => State): Snapshots {
  const { database, name: space } = held.facts
  return {
    async list() {
      const text = 'select name, head from snapshots where space = $1 order by name collate "C"'
      return (await database.run<{ name: string; head: SnapshotHead }>(text, [space])).rows
    },
    async has(name) {
      const text = 'select from snapshots where space = $1 and name = $2'
      return (await database.run(text, [space, name])).rowCount === 1
    },
    async save(name, state, facts) {
      const body = [...stateText(state, facts)].join('')
      const head = { facts, ...formatLine(), bytes: Buffer.byteLength(body) }
      const text = `insert into snapshots (space, name, head, body) values ($1, $2, $3, $4)
        on conflict (space, name) do update set head = excluded.head, body = excluded.body`
      await held.change((run) => run(text, [space, name, JSON.stringify(head), body]))
      return head
    },
    async read(name) {
      const text = 'select body from snapshots where space = $1 and name = $2'
      const { rows } = await database.runLong<{ body: string }>(text, [space, name])
      const source = `snapshot ${name} of the space ${space} in ${database.address.shown}`
      return readSnapshot(source, empty, [Buffer.from(rows[0]?.body ?? '')])
    },
    async remove(name) {
      const text = 'delete from snapshots where space = $1 and name = $2'
      await held.change((run) => run(text, [space, name]))
    },
  }
}

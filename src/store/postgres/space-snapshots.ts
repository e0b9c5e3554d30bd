import type { State } from '../../domain/state.ts'
import {
  formatLine,
  type ReadSnapshot,
  readSnapshot,
  type SnapshotFacts,
  type SnapshotHead,
  stateText,
} from '../file/state-file.ts'
import type { Snapshots, StoredSnapshot } from '../storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** The named snapshots of a space, in the database. */
export class SpaceSnapshots implements Snapshots {
  readonly #space: HeldSpace
  readonly #empty: () => State

  /** `empty`: makes an empty state to fill. */
  constructor(space: HeldSpace, empty: () => State) {
    this.#space = space
    this.#empty = empty
  }

  async list(): Promise<StoredSnapshot[]> {
    const text = 'select name, head from snapshots where space = $1 order by name collate "C"'
    return (await this.#database.run<{ name: string; head: SnapshotHead }>(text, [this.#name])).rows
  }

  async has(name: string): Promise<boolean> {
    const text = 'select from snapshots where space = $1 and name = $2'
    return (await this.#database.run(text, [this.#name, name])).rowCount === 1
  }

  async save(name: string, state: State, facts: SnapshotFacts): Promise<SnapshotHead> {
    const body = [...stateText(state, facts)].join('')
    const head = { facts, ...formatLine(), bytes: Buffer.byteLength(body) }
    await this.#space.change((run) =>
      run(
        `insert into snapshots (space, name, head, body) values ($1, $2, $3, $4)
          on conflict (space, name) do update set head = excluded.head, body = excluded.body`,
        [this.#name, name, JSON.stringify(head), body],
      ),
    )
    return head
  }

  async read(name: string): Promise<ReadSnapshot> {
    const text = 'select body from snapshots where space = $1 and name = $2'
    const { rows } = await this.#database.runLong<{ body: string }>(text, [this.#name, name])
    const source = `snapshot ${name} of the space ${this.#name} in ${this.#database.address.shown}`
    return readSnapshot(source, this.#empty, [Buffer.from(rows[0]?.body ?? '')])
  }

  async remove(name: string): Promise<void> {
    await this.#space.change((run) =>
      run('delete from snapshots where space = $1 and name = $2', [this.#name, name]),
    )
  }

  get #database(): Database {
    return this.#space.facts.database
  }

  get #name(): string {
    return this.#space.facts.name
  }
}

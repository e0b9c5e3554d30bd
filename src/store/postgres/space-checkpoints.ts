import type { State } from '../../domain/state.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  formatLine,
  type ReadCheckpoint,
  readCheckpoint,
  stateText,
} from '../file/state-file.ts'
import type { Checkpoints, StoredCheckpoint } from '../storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** The named checkpoints of a space, in the database. */
export class SpaceCheckpoints implements Checkpoints {
  readonly #space: HeldSpace
  readonly #empty: () => State

  /** `empty`: makes an empty state to fill. */
  constructor(space: HeldSpace, empty: () => State) {
    this.#space = space
    this.#empty = empty
  }

  async list(): Promise<StoredCheckpoint[]> {
    const text = 'select name, head from checkpoints where space = $1 order by name collate "C"'
    return (await this.#database.run<{ name: string; head: CheckpointHead }>(text, [this.#name])).rows
  }

  async has(name: string): Promise<boolean> {
    const text = 'select from checkpoints where space = $1 and name = $2'
    return (await this.#database.run(text, [this.#name, name])).rowCount === 1
  }

  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    const body = [...stateText(state, facts)].join('')
    const head = { facts, ...formatLine(), bytes: Buffer.byteLength(body) }
    await this.#space.change((run) =>
      run(
        `insert into checkpoints (space, name, head, body) values ($1, $2, $3, $4)
          on conflict (space, name) do update set head = excluded.head, body = excluded.body`,
        [this.#name, name, JSON.stringify(head), body],
      ),
    )
    return head
  }

  async read(name: string): Promise<ReadCheckpoint> {
    const text = 'select body from checkpoints where space = $1 and name = $2'
    const { rows } = await this.#database.runLong<{ body: string }>(text, [this.#name, name])
    const source = `checkpoint ${name} of the space ${this.#name} in ${this.#database.address.shown}`
    return readCheckpoint(source, this.#empty, [Buffer.from(rows[0]?.body ?? '')])
  }

  async remove(name: string): Promise<void> {
    await this.#space.change((run) =>
      run('delete from checkpoints where space = $1 and name = $2', [this.#name, name]),
    )
  }

  get #database(): Database {
    return this.#space.facts.database
  }

  get #name(): string {
    return this.#space.facts.name
  }
}

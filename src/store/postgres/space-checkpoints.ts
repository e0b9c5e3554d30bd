import type { State } from '../../domain/state.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  type ReadCheckpoint,
  readCheckpoint,
  readHead,
  stateText,
} from '../file/state-file.ts'
import type { Checkpoints, StoredCheckpoint } from '../storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** Characters of a text that hold its first line, with the facts. */
const head = 4 * 1024 * 1024

/** The named checkpoints of a space, in the database. */
export class SpaceCheckpoints implements Checkpoints {
  readonly #database: Database
  readonly #space: HeldSpace
  readonly #empty: () => State

  /** `empty`: makes an empty state to fill. */
  constructor(database: Database, space: HeldSpace, empty: () => State) {
    this.#database = database
    this.#space = space
    this.#empty = empty
  }

  async list(): Promise<StoredCheckpoint[]> {
    const { rows } = await this.#database.run(
      `select name, octet_length(body) as bytes, split_part(left(body, ${head}), E'\\n', 2) as first
        from checkpoints where space = $1 order by name collate "C"`,
      [this.#space.facts.name],
    )
    return rows.map(({ name, first, bytes }) => {
      try {
        const facts = this.#headOf(name ?? '', `[\n${first}\n]\n`)
        return { name: name ?? '', head: { ...facts, bytes: Number(bytes) } }
      } catch (problem) {
        return { name: name ?? '', problem: problem as Error }
      }
    })
  }

  async has(name: string): Promise<boolean> {
    return (await this.#select(name, 'true')) !== undefined
  }

  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    const text = [...stateText(state, facts)].join('')
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share)
        insert into checkpoints select name, $3, $4 from held on conflict (space, name) do update set body = excluded.body`,
      [name, text],
    )
    return this.#headOf(name, text)
  }

  async read(name: string): Promise<ReadCheckpoint> {
    const text = (await this.#select(name, 'body')) ?? ''
    return readCheckpoint(this.#nameOf(name), this.#empty, [Buffer.from(text)])
  }

  async remove(name: string): Promise<void> {
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share),
          gone as (delete from checkpoints where space in (select name from held) and name = $3)
        select from held`,
      [name],
    )
  }

  async #select(name: string, column: 'body' | 'true'): Promise<string | undefined> {
    const { rows } = await this.#database.reading((run) =>
      run(`select ${column} as text from checkpoints where space = $1 and name = $2`, [
        this.#space.facts.name,
        name,
      ]),
    )
    return rows[0] && (rows[0].text ?? '')
  }

  /** Changes something only while this node holds the space. Errors: LostState; as `RunStatement`. */
  async #change(statement: string, values: readonly string[]): Promise<void> {
    this.#space.requireHeld()
    const { name, owner } = this.#space.facts
    const { count } = await this.#database.transaction((run) => run(statement, [name, owner, ...values]))
    if (count === 0) throw this.#space.lose('another node has taken it over, or it was removed')
  }

  #headOf(name: string, text: string): CheckpointHead {
    return readHead(this.#nameOf(name), [Buffer.from(text)])
  }

  /** The name of a checkpoint in messages. */
  #nameOf(name: string): string {
    return `checkpoint ${name} of the space ${this.#space.facts.name} in ${this.#space.facts.shown}`
  }
}

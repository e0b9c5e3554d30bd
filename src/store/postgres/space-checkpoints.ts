import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { State } from '../../domain/state.ts'
import { CheckpointFolder } from '../file/checkpoint-folder.ts'
import type { StoredCheckpoint, TemporaryFile } from '../file/checkpoints.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  type ReadCheckpoint,
  readHead,
  stateText,
} from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** Characters of a text that hold its first line, with the facts. */
const head = 4 * 1024 * 1024

/** The named checkpoints of a space, in the database; what is read or sent goes through files of a private folder. */
export class SpaceCheckpoints extends CheckpointFolder {
  readonly #database: Database
  readonly #space: HeldSpace
  readonly #folder: string

  /** `empty`: makes an empty state to fill. */
  constructor(database: Database, space: HeldSpace, empty: () => State) {
    const folder = join(tmpdir(), `tillbox-space-${randomUUID()}`)
    const confirm = () => {
      space.requireHeld()
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    super({ state: folder, empty, confirm })
    this.#database = database
    this.#space = space
    this.#folder = folder
  }

  override async list(): Promise<StoredCheckpoint[]> {
    const { rows } = await this.#database.run(
      `select name, octet_length(body) as bytes, split_part(left(body, ${head}), E'\\n', 2) as first
        from checkpoints where space = $1 order by name collate "C"`,
      [this.#space.facts.name],
    )
    const heads = rows.map(async ({ name, first, bytes }): Promise<StoredCheckpoint> => {
      const found = this.#inFile(`[\n${first}\n]\n`, ({ path }) => readHead(path))
      return found.then(
        (facts) => ({ name: name ?? '', head: { ...facts, bytes: Number(bytes) } }),
        (problem: Error) => ({ name: name ?? '', problem }),
      )
    })
    return Promise.all(heads)
  }

  override async has(name: string): Promise<boolean> {
    return (await this.#select(name, 'true')) !== undefined
  }

  override async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    const text = [...stateText(state, facts)].join('')
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share)
        insert into checkpoints select name, $3, $4 from held on conflict (space, name) do update set body = excluded.body`,
      [name, text],
    )
    return this.#inFile(text, ({ path }) => readHead(path))
  }

  override async read(name: string): Promise<ReadCheckpoint> {
    return this.#inFile((await this.#select(name, 'body')) ?? '', (file) => this.readFrom(file))
  }

  override async remove(name: string): Promise<void> {
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share),
          gone as (delete from checkpoints where space in (select name from held) and name = $3)
        select from held`,
      [name],
    )
  }

  /** Removes the files. */
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
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

  async #inFile<T>(text: string, read: (file: TemporaryFile) => T | Promise<T>): Promise<T> {
    const file = await this.receive(Readable.from([Buffer.from(text)]))
    try {
      return await read(file)
    } finally {
      file.discard()
    }
  }
}

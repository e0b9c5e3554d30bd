import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { State } from '../../domain/state.ts'
import { CheckpointFolder } from '../file/checkpoint-folder.ts'
import type { Checkpoints, StoredCheckpoint, TemporaryFile } from '../file/checkpoints.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  type ReadCheckpoint,
  readCheckpoint,
  readHead,
  stateText,
} from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './owner-session.ts'

interface SpaceCheckpointsOptions {
  readonly database: Database
  readonly space: HeldSpace
  /** Makes an empty state to fill. */
  readonly empty: () => State
}

/** Characters of a text that hold its first line, with the facts. */
const head = 4 * 1024 * 1024

/** The named checkpoints of a space. Data to read or send goes through files in a private folder. */
export class SpaceCheckpoints implements Checkpoints {
  readonly #options: SpaceCheckpointsOptions
  #temporary: { readonly folder: string; readonly files: CheckpointFolder } | null = null

  constructor(options: SpaceCheckpointsOptions) {
    this.#options = options
  }

  async list(): Promise<StoredCheckpoint[]> {
    const { database, space } = this.#options
    const { rows } = await database.run(
      `select name, octet_length(body) as bytes, split_part(left(body, ${head}), E'\\n', 2) as first
        from checkpoints where space = $1 order by name collate "C"`,
      [space.facts.name],
    )
    return rows.map(({ name, first, bytes }) => {
      try {
        const facts = this.#inFile(name ?? '', `[\n${first}\n]\n`, readHead)
        return { name: name ?? '', head: { ...facts, bytes: Number(bytes) } }
      } catch (error) {
        return { name: name ?? '', problem: error as Error }
      }
    })
  }

  async has(name: string): Promise<boolean> {
    return (await this.#texts(name, 'true')).length > 0
  }

  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    const text = [...stateText(state, facts)].join('')
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share)
        insert into checkpoints select name, $3, $4 from held on conflict (space, name) do update set body = excluded.body`,
      [name, text],
    )
    return this.#inFile(name, text, readHead)
  }

  async read(name: string): Promise<ReadCheckpoint> {
    const [text = ''] = await this.#texts(name, 'body')
    return this.#inFile(name, text, (path) => readCheckpoint(path, this.#options.empty))
  }

  async remove(name: string): Promise<void> {
    await this.#change(
      `with held as (select name from spaces where name = $1 and owner = $2 for share),
          gone as (delete from checkpoints where space in (select name from held) and name = $3)
        select from held`,
      [name],
    )
  }

  spool(state: State, facts: CheckpointFacts): Promise<TemporaryFile> {
    return this.#opened().files.spool(state, facts)
  }

  receive(source: AsyncIterable<Uint8Array>, limit?: number): Promise<TemporaryFile> {
    return this.#opened().files.receive(source, limit)
  }

  readFrom(file: TemporaryFile): Promise<ReadCheckpoint> {
    return this.#opened().files.readFrom(file)
  }

  /** Removes the temporary files. */
  close(): void {
    if (this.#temporary !== null) rmSync(this.#temporary.folder, { recursive: true, force: true })
    this.#temporary = null
  }

  async #texts(name: string, column: 'body' | 'true'): Promise<string[]> {
    const { database, space } = this.#options
    const { rows } = await database.reading((run) =>
      run(`select ${column} as text from checkpoints where space = $1 and name = $2`, [
        space.facts.name,
        name,
      ]),
    )
    return rows.map(({ text }) => text ?? '')
  }

  /** Changes something only while this node holds the space. Errors: LostState; as `RunStatement`. */
  async #change(statement: string, values: readonly string[]): Promise<void> {
    const { database, space } = this.#options
    space.requireHeld()
    const { name, owner } = space.facts
    const { count } = await database.transaction((run) => run(statement, [name, owner, ...values]))
    if (count === 0) throw space.lose('another node has taken it over, or it was removed')
  }

  #inFile<T>(name: string, text: string, read: (path: string) => T): T {
    const folder = mkdtempSync(join(this.#opened().folder, 'read-'))
    const path = join(folder, `${name}.json`)
    try {
      writeFileSync(path, text, { mode: 0o600 })
      return read(path)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** Made on first use; `mkdtemp` makes it for its owner alone. */
  #opened() {
    if (this.#temporary !== null) return this.#temporary
    const { space, empty } = this.#options
    const folder = mkdtempSync(join(tmpdir(), 'tillbox-space-'))
    const files = new CheckpointFolder({ state: folder, empty, confirm: () => space.requireHeld() })
    this.#temporary = { folder, files }
    return this.#temporary
  }
}

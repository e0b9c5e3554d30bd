import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { State } from '../../domain/state.ts'
import { CheckpointFolder } from '../file/checkpoint-folder.ts'
import type { StoredCheckpoint } from '../file/checkpoints.ts'
import { formatLine } from '../file/snapshot.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  type ReadCheckpoint,
  stateText,
} from '../file/state-file.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** The named checkpoints of a space, in the database; what is read or sent goes through files of a private folder. */
export class SpaceCheckpoints extends CheckpointFolder {
  readonly #space: HeldSpace
  readonly #folder: string

  /** `empty`: makes an empty state to fill. */
  constructor(space: HeldSpace, empty: () => State) {
    const folder = join(tmpdir(), `tillbox-space-${randomUUID()}`)
    const confirm = () => {
      space.requireHeld()
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    super({ state: folder, empty, confirm })
    this.#space = space
    this.#folder = folder
  }

  override async list(): Promise<StoredCheckpoint[]> {
    const text = 'select name, head from checkpoints where space = $1 order by name collate "C"'
    return (await this.#database.run<{ name: string; head: CheckpointHead }>(text, [this.#name])).rows
  }

  override async has(name: string): Promise<boolean> {
    const text = 'select from checkpoints where space = $1 and name = $2'
    return (await this.#database.run(text, [this.#name, name])).rowCount === 1
  }

  override async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
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

  override async read(name: string): Promise<ReadCheckpoint> {
    const text = 'select body from checkpoints where space = $1 and name = $2'
    const { rows } = await this.#database.runLong<{ body: string }>(text, [this.#name, name])
    const file = await this.receive(Readable.from(rows.map(({ body }) => Buffer.from(body))))
    try {
      return await this.readFrom(file)
    } finally {
      file.discard()
    }
  }

  override async remove(name: string): Promise<void> {
    await this.#space.change((run) =>
      run('delete from checkpoints where space = $1 and name = $2', [this.#name, name]),
    )
  }

  /** Removes the files. */
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #database(): Database {
    return this.#space.facts.database
  }

  get #name(): string {
    return this.#space.facts.name
  }
}

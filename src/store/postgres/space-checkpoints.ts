import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { State } from '../../domain/state.ts'
import { CheckpointFolder } from '../file/checkpoint-folder.ts'
import type { Checkpoints, StoredCheckpoint, TemporaryFile } from '../file/checkpoints.ts'
import { asArray, DamagedLine, decodeLine } from '../file/lines.ts'
import {
  type CheckpointFacts,
  type CheckpointHead,
  headOf,
  type ReadCheckpoint,
  readCheckpoint,
  stateLines,
} from '../file/state-file.ts'
import type { RunStatement } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import { insertLines, linesOf, piecesOf } from './snapshot-rows.ts'
import type { SpaceHold } from './space-hold.ts'

interface SpaceCheckpointsOptions {
  readonly database: Database
  readonly space: string
  readonly hold: SpaceHold
  /** Name of this node in the database. */
  readonly node: string
  /** Makes an empty state to fill. */
  readonly empty: () => State
}

interface TemporaryFiles {
  readonly folder: string
  readonly checkpoints: CheckpointFolder
}

const deletion = 'delete from checkpoints where space = $1 and name = $2'

/** The named checkpoints of a space. Data to read or send goes through files in a private folder. */
export class SpaceCheckpoints implements Checkpoints {
  readonly #options: SpaceCheckpointsOptions
  #files: TemporaryFiles | null = null

  constructor(options: SpaceCheckpointsOptions) {
    this.#options = options
  }

  async list(): Promise<StoredCheckpoint[]> {
    const { database, space } = this.#options
    const { rows } = await database.run(
      `select name, sum(octet_length(body) + 2) + 3 as bytes, min(body) filter (where line = 1) as head
        from checkpoints where space = $1 group by name order by name collate "C"`,
      [space],
    )
    return rows.map(({ name, bytes, head }) => this.#look(name ?? '', head ?? '', Number(bytes)))
  }

  async has(name: string): Promise<boolean> {
    const { database, space } = this.#options
    const result = await database.run(
      'select 1 from checkpoints where space = $1 and name = $2 and line = 1',
      [space, name],
    )
    return result.count > 0
  }

  async save(name: string, state: State, facts: CheckpointFacts): Promise<CheckpointHead> {
    const { space } = this.#options
    const pieces = piecesOf(stateLines(state, facts))
    await this.#whileHeld(async (run) => {
      await run(deletion, [space, name])
      await insertLines(run, 'checkpoints (space, name, line, body)', [space, name], pieces)
    })
    const bytes = Buffer.byteLength([...asArray(pieces.flat())].join(''))
    return this.#headOf(name, pieces[0]?.[0] ?? '', bytes)
  }

  read(name: string): Promise<ReadCheckpoint> {
    const { database, space, empty } = this.#options
    return this.#withFile(name, async (path) => {
      const lines: string[] = []
      await database.reading(async (run) => {
        for await (const line of linesOf(run, 'checkpoints where space = $1 and name = $2', [space, name]))
          lines.push(line)
      })
      writeFileSync(path, [...asArray(lines)].join(''), { mode: 0o600 })
      return readCheckpoint(path, empty)
    })
  }

  async remove(name: string): Promise<void> {
    await this.#whileHeld((run) => run(deletion, [this.#options.space, name]))
  }

  spool(state: State, facts: CheckpointFacts): Promise<TemporaryFile> {
    return this.#folder().checkpoints.spool(state, facts)
  }

  receive(source: AsyncIterable<Uint8Array>, limit?: number): Promise<TemporaryFile> {
    return this.#folder().checkpoints.receive(source, limit)
  }

  readFrom(file: TemporaryFile): Promise<ReadCheckpoint> {
    return this.#folder().checkpoints.readFrom(file)
  }

  /** Removes the temporary files. */
  close(): void {
    if (this.#files !== null) rmSync(this.#files.folder, { recursive: true, force: true })
    this.#files = null
  }

  /**
   * Does nothing unless this node holds the space. The check comes last, because it blocks events. Errors: LostState;
   * as `Run`.
   */
  async #whileHeld(work: (run: RunStatement) => Promise<unknown>): Promise<void> {
    const { database, space, hold, node } = this.#options
    hold.requireHeld()
    const isHeld = await database.transaction(async (run) => {
      await work(run)
      const held = await run('select 1 from spaces where name = $1 and owner = $2 for share', [space, node])
      return held.count > 0
    })
    if (!isHeld) throw hold.lose('another node has taken it over, or it was removed')
  }

  #look(name: string, head: string, bytes: number): StoredCheckpoint {
    try {
      return { name, head: this.#headOf(name, head, bytes) }
    } catch (error) {
      return { name, problem: error as Error }
    }
  }

  #headOf(name: string, line: string, bytes: number): CheckpointHead {
    const source = `the checkpoint ${name}`
    const first = decodeLine<object>(Buffer.from(line))
    return { ...headOf(source, first, (why) => new DamagedLine(source, 1, 0, why)), bytes }
  }

  async #withFile<T>(name: string, work: (path: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(this.#folder().folder, 'read-'))
    try {
      return await work(join(folder, `${name}.jsonl`))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** Made on first use; `mkdtemp` makes it for its owner alone. */
  #folder(): TemporaryFiles {
    if (this.#files !== null) return this.#files
    const { hold, empty } = this.#options
    const folder = mkdtempSync(join(tmpdir(), 'tillbox-space-'))
    const checkpoints = new CheckpointFolder({ state: folder, empty, confirm: () => hold.requireHeld() })
    this.#files = { folder, checkpoints }
    return this.#files
  }
}

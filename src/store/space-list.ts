import { join } from 'node:path'
import * as v from 'valibot'
import { spaceName } from '../contract/sandbox/spaces.ts'
import { replaceChecked } from '../files/checked-json.ts'
import { readCheckedAs } from '../files/checked-schema.ts'
import { hexSecret, newHexSecret } from './own-secret.ts'

/**
 * The spaces of a server besides the first one. Only listed spaces exist: the folder of an unlisted space is ignored. A
 * checked file.
 */

const moment = v.pipe(v.string(), v.isoTimestamp())

const spaceRecord = v.strictObject({
  name: v.pipe(v.string(), v.regex(spaceName)),
  /** Seed of its keys and webhook secrets. */
  secret: hexSecret,
  createdAt: moment,
  /** When the server removes it; null: never. Wall clock. */
  expiresAt: v.nullable(moment),
  /** True while its folder is being removed; the next start completes that. */
  isRemoved: v.optional(v.boolean(), false),
})
/** A space in the list. */
export type SpaceRecord = Readonly<v.InferOutput<typeof spaceRecord>>

const schema = v.strictObject({ spaces: v.array(spaceRecord) })

/** Name of the list in a state folder, a checked file. */
export const spacesFileName = 'spaces.json'

/** The state folder of a space, within the server's. */
export const folderOfSpace = (state: string, name: string): string => join(state, 'spaces', name)

/** The spaces that a state folder lists. Errors: DamagedFile, NewerFormat; an Error of the file system. */
export const readSpaces = (state: string): SpaceRecord[] =>
  readCheckedAs(join(state, spacesFileName), schema)?.spaces ?? []

/** The list of a running server, in memory and on disk. */
export class SpaceRecords {
  readonly #state: string
  readonly #confirm: () => void
  #records: ReadonlyMap<string, SpaceRecord>

  /** `confirm` checks, before each write, that the state folder is still ours. Errors: as `readSpaces`. */
  constructor(state: string, confirm: () => void) {
    this.#state = state
    this.#confirm = confirm
    this.#records = new Map(readSpaces(state).map((record) => [record.name, record]))
  }

  /** Every space, the oldest first, including those being removed. */
  get all(): readonly SpaceRecord[] {
    return [...this.#records.values()]
  }

  /**
   * Adds a space, durably. `createdAt`, `expiresAt`: wall clock, milliseconds. Errors: LostState; an Error of the file
   * system; then it is not added.
   */
  add(name: string, createdAt: number, expiresAt: number | null): SpaceRecord {
    const record = {
      name,
      secret: newHexSecret(),
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      isRemoved: false,
    }
    this.#write(new Map(this.#records).set(name, record))
    return record
  }

  /** From now on, a start deletes what remains of the space. Errors: as `add`. */
  markRemoved(name: string): void {
    const record = this.#records.get(name)
    if (record !== undefined) this.#write(new Map(this.#records).set(name, { ...record, isRemoved: true }))
  }

  /** The space has been deleted completely. Errors: as `add`. */
  forget(name: string): void {
    const next = new Map(this.#records)
    next.delete(name)
    this.#write(next)
  }

  #write(records: ReadonlyMap<string, SpaceRecord>): void {
    this.#confirm()
    replaceChecked(join(this.#state, spacesFileName), { spaces: [...records.values()] })
    this.#records = records
  }
}

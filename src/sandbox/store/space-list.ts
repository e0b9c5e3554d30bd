import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { spaceName } from '../../contract/control/spaces.ts'
import { isoTimestamp } from '../../domain/model/kinds.ts'
import { replaceChecked } from '../../shared/files/checked-json.ts'
import { readCheckedAs } from '../../shared/files/checked-schema.ts'
import { readOr } from '../../shared/read-or.ts'

/**
 * Two small checked files of a server: the secret of its first space, and the other spaces with theirs. Only
 * listed spaces exist: no server opens the folder of another one, though `verify` and `repair` look into it,
 * as a damaged list may lack it.
 */

const hexSecret = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))

const newHexSecret = (): string => randomBytes(32).toString('hex')

const folderSecret = v.strictObject({ secret: hexSecret })

/** File of a state folder with the secret of its first space, in hexadecimal. assumption: keys */
export const folderSecretFileName = 'secret.json'

/**
 * The secret of a state folder, from which keys and webhook secrets are derived; undefined before it is made.
 * Errors: DamagedFile; an Error of the file system.
 */
export const readFolderSecret = (state: string): string | undefined =>
  readCheckedAs(join(state, folderSecretFileName), folderSecret)?.secret

/** The secret of a state folder, made when it is missing: `isNew`. */
export function ensureFolderSecret(state: string): { readonly secret: string; readonly isNew: boolean } {
  const existing = readFolderSecret(state)
  if (existing !== undefined) return { secret: existing, isNew: false }
  const secret = newHexSecret()
  replaceChecked(join(state, folderSecretFileName), { secret })
  return { secret, isNew: true }
}

const spaceRecord = v.strictObject({
  name: v.pipe(v.string(), v.regex(spaceName)),
  /** Seed of its keys and webhook secrets. */
  secret: hexSecret,
  createdAt: isoTimestamp,
  /** When the server removes it; null: never. Wall clock. */
  expiresAt: v.nullable(isoTimestamp),
  /** Id of the token that made it; null for none. */
  madeBy: v.optional(v.nullable(v.string()), null),
  /** True while its folder is being removed; the next start completes that. */
  isRemoved: v.optional(v.boolean(), false),
})
/** A space in the list. */
export type SpaceRecord = Readonly<v.InferOutput<typeof spaceRecord>>

const schema = v.strictObject({ spaces: v.array(spaceRecord) })

/** Name of the list in a state folder. */
export const spacesFileName = 'spaces.json'

/** The state folder of a space, within the server's. */
export const folderOfSpace = (state: string, name: string): string => join(state, 'spaces', name)

/** The spaces that a state folder lists. Errors: DamagedFile, NewerFormat; an Error of the file system. */
export const readSpaces = (state: string): SpaceRecord[] =>
  readCheckedAs(join(state, spacesFileName), schema)?.spaces ?? []

/** Gives each listed space a new secret, and no token's; a list that cannot be read is removed. */
export function renewSpaces(state: string): void {
  const path = join(state, spacesFileName)
  const records = readOr(null, () => readSpaces(state))
  if (records === null) rmSync(path)
  else if (records.length > 0)
    replaceChecked(path, {
      spaces: records.map((each) => ({ ...each, secret: newHexSecret(), madeBy: null })),
    })
  else rmSync(path, { force: true })
}

/** The list of a running server, in memory and on disk. */
export class SpaceRecords {
  #records: readonly SpaceRecord[]

  /** `confirm` checks, before each write, that the state folder is still ours. */
  constructor(
    private readonly state: string,
    private readonly confirm: () => void,
  ) {
    this.#records = readSpaces(state)
  }

  /** Every space, the oldest first, including those being removed. */
  get all(): readonly SpaceRecord[] {
    return this.#records
  }

  /**
   * Adds a space, durably. `createdAt`, `expiresAt`: wall clock, milliseconds. Errors: LostState; an Error of
   * the file system; then it is not added.
   */
  add(name: string, createdAt: number, expiresAt: number | null, madeBy: string | null): SpaceRecord {
    const record = {
      name,
      secret: newHexSecret(),
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      madeBy,
      isRemoved: false,
    }
    this.#write([...this.#records.filter((each) => each.name !== name), record])
    return record
  }

  /** From now on, a start deletes what remains of the space. */
  markRemoved(name: string): void {
    this.#write(this.#records.map((each) => (each.name === name ? { ...each, isRemoved: true } : each)))
  }

  /** The space has been deleted completely. */
  forget(name: string): void {
    this.#write(this.#records.filter((each) => each.name !== name))
  }

  #write(records: readonly SpaceRecord[]): void {
    this.confirm()
    replaceChecked(join(this.state, spacesFileName), { spaces: records })
    this.#records = records
  }
}

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { replaceChecked } from '../files/checked-json.ts'
import { readCheckedAs } from '../files/checked-schema.ts'

/** A secret that keys and webhook secrets are derived from, in hexadecimal digits. */
export const hexSecret = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))

/** A new random secret. */
export const newHexSecret = (): string => randomBytes(32).toString('hex')

const schema = v.strictObject({ secret: hexSecret })

/** Name of the file in a state folder with the secret of its first space, a checked file. assumption: keys */
export const ownSecretFileName = 'secret.json'

/** The secret of a state folder; undefined before it is made. Errors: DamagedFile; an Error of the file system. */
export const readOwnSecret = (state: string): string | undefined =>
  readCheckedAs(join(state, ownSecretFileName), schema)?.secret

/** The secret of a state folder, made when it is missing: `isNew`. Errors: as `readOwnSecret`. */
export function ownSecretOf(state: string): { readonly secret: string; readonly isNew: boolean } {
  const known = readOwnSecret(state)
  if (known !== undefined) return { secret: known, isNew: false }
  const secret = newHexSecret()
  replaceChecked(join(state, ownSecretFileName), { secret })
  return { secret, isNew: true }
}

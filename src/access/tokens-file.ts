import { join } from 'node:path'
import * as v from 'valibot'
import { scopes, tokenName } from '../contract/sandbox/access/token.ts'
import { spaceName } from '../contract/sandbox/spaces/space-name.ts'
import { replaceChecked } from '../files/checked-json.ts'
import { readCheckedAs } from '../files/checked-schema.ts'

const time = v.pipe(v.string(), v.isoTimestamp())

const storedToken = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  name: v.pipe(v.string(), v.regex(tokenName)),
  scope: v.picklist(scopes),
  /** The only space that the token is valid for; null: every space. */
  space: v.nullable(v.pipe(v.string(), v.regex(spaceName))),
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  createdAt: time,
  expiresAt: v.nullable(time),
  lastUsedAt: v.nullable(time),
  /** Since when it is refused; null while it is not revoked. */
  revokedAt: v.nullable(time),
})
/** A stored token, or one that ended within the last 7 days. Times in ISO 8601 by the wall clock. */
export type StoredToken = v.InferOutput<typeof storedToken>

const schema = v.strictObject({ tokens: v.array(storedToken) })

/** Name of the tokens file in a state folder, a checked file. */
export const tokensFileName = 'tokens.json'

/** The tokens of a state folder; none without a file. Errors: DamagedFile; an Error of the file system. */
export const readTokens = (folder: string): readonly StoredToken[] =>
  readCheckedAs(join(folder, tokensFileName), schema)?.tokens ?? []

/** Replaces the tokens; they are durable when this returns. Errors: an Error of the file system. */
export const writeTokens = (folder: string, tokens: readonly StoredToken[]): void =>
  replaceChecked(join(folder, tokensFileName), { tokens })

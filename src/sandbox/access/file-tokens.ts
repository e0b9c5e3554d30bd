import { join } from 'node:path'
import * as v from 'valibot'
import { spaceName } from '../../contract/control/spaces.ts'
import { scopes, tokenName } from '../../contract/control/tokens.ts'
import { reject } from '../../contract/errors.ts'
import { isoTimestamp } from '../../domain/model/kinds.ts'
import { replaceChecked } from '../../shared/files/checked-json.ts'
import { readCheckedAs } from '../../shared/files/checked-schema.ts'
import type { StoredToken, TokenStorage } from './token-registry.ts'

/** Options of the tokens in a state folder. */
export interface FileTokensOptions {
  /** State folder of the server. */
  readonly folder: string
  /** Checks, before each write, that the folder is still ours. */
  readonly confirm: () => void
}

/** Tokens in a checked file of a state folder, which one server writes. */
export function fileTokens({ folder, confirm }: FileTokensOptions): TokenStorage {
  let tokens = readTokens(folder)
  return {
    read: async (hashes) => (hashes === null ? tokens : tokens.filter(({ hash }) => hashes.includes(hash))),
    change: async (change) => {
      const changed = change(tokens)
      try {
        confirm()
        replaceChecked(join(folder, tokensFileName), { tokens: changed })
      } catch (error) {
        reject('SBX_STORE_FAIL', { detail: (error as Error).message, cause: error as Error })
      }
      tokens = changed
      return tokens
    },
  }
}

const storedToken = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  name: v.pipe(v.string(), v.regex(tokenName)),
  scope: v.picklist(scopes),
  space: v.nullable(v.pipe(v.string(), v.regex(spaceName))),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  createdAt: isoTimestamp,
  expiresAt: v.nullable(isoTimestamp),
  lastUsedAt: v.nullable(isoTimestamp),
  revokedAt: v.nullable(isoTimestamp),
})

/** Name of the tokens file in a state folder, a checked file. */
export const tokensFileName = 'tokens.json'

/** The tokens of a state folder; none without a file. Errors: DamagedFile; an Error of the file system. */
export const readTokens = (folder: string): readonly StoredToken[] =>
  readCheckedAs(join(folder, tokensFileName), v.strictObject({ tokens: v.array(storedToken) }))?.tokens ?? []

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../contract/sandbox/access/token.ts'

/**
 * The hash under which a token is stored. A fast hash is enough: a token has 256 random bits, so it cannot be guessed
 * as passwords can. The timing of a look-up reveals at most how a hash begins, and nobody can choose a token by its
 * hash. assumption: token-hash
 */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in constant time: a token that a user chose for `--token` may be weak. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A new token of a scope. */
export const newToken = (scope: Scope): string => `tbx_${scope}_${randomBytes(32).toString('base64url')}`

/** A new token id. */
export const newTokenId = (): string => randomBytes(4).toString('hex')

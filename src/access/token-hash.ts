import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../contract/sandbox/access/token.ts'

/**
 * What is kept of a token. A fast hash is enough: a token has 256 random bits, so nobody finds one by trying, as passwords
 * are found. Looking a hash up takes a time that tells at most how the hash begins, and nobody can choose a token by its
 * hash. assumption: token-hash
 */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares hashes in a time that tells nothing: a token that somebody chose for `--token` may be weaker than ours. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A new token of a scope. */
export const newToken = (scope: Scope): string => `tbx_${scope}_${randomBytes(32).toString('base64url')}`

/** A new id of a token. */
export const newTokenId = (): string => randomBytes(4).toString('hex')

import * as v from 'valibot'
import { amount, list, one, shape, text, textOrNull } from '../../answer-kinds.ts'
import { scopes } from './token.ts'

/** A token as it is listed, without its secret. Times in ISO 8601 by the wall clock. */
const tokenView = {
  id: text,
  name: text,
  scope: one(scopes),
  /** The one space that it is for; null: every space. */
  space: textOrNull,
  createdAt: text,
  /** Null: it does not expire. */
  expiresAt: textOrNull,
  /** Null: never. After a crash the last minute may be missing. */
  lastUsedAt: textOrNull,
  state: one(['valid', 'expired']),
}
const listedToken = shape(tokenView)
export type TokenView = v.InferOutput<typeof listedToken>

/** What `tokens` answers: the oldest first. */
export const tokenList = shape({ tokens: list(listedToken) })
export type TokenList = v.InferOutput<typeof tokenList>

/** What `create-token` answers: the token is told this once. */
export const createdToken = shape({ ...tokenView, token: text })
export type CreatedToken = v.InferOutput<typeof createdToken>

/** A line of the audit log. */
const auditEntry = shape({
  /** Wall clock, ISO 8601. */
  at: text,
  /** Name of the token; local: none was needed; none, unknown: it was refused for that. */
  token: text,
  /** Null without a token. */
  scope: v.nullable(one(scopes)),
  /** Address of the caller. */
  address: text,
  method: text,
  /** Without the query, and without /s/<space>; of a token or space that was made, with its name. */
  path: text,
  /** Name of the control operation, or page; null for a path that does not exist. */
  action: textOrNull,
  space: text,
  /** Code of the answer; "0" is accepted. */
  code: text,
  /** HTTP status of the answer. */
  status: amount,
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

/** What `audit` answers: the newest last. */
export const auditList = shape({ entries: list(auditEntry) })
export type AuditList = v.InferOutput<typeof auditList>

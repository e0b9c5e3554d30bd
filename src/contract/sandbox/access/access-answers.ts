import * as v from 'valibot'
import { amount, list, one, shape, text, textOrNull } from '../../answer-kinds.ts'
import { scopes } from './token.ts'

/** A token as it is listed, without its secret. Times in ISO 8601 by the wall clock. */
const tokenView = {
  id: text,
  name: text,
  scope: one(scopes),
  /** The only space that it is valid for; null: every space. */
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

/** Answer of `tokens`: the oldest first. */
export const tokenList = shape({ tokens: list(listedToken) })
export type TokenList = v.InferOutput<typeof tokenList>

/** Answer of `create-token`, the only one with the token itself. */
export const createdToken = shape({ ...tokenView, token: text })
export type CreatedToken = v.InferOutput<typeof createdToken>

/** The kinds of lines of the audit log: each has its own quota. assumption: audit-log */
export const auditKinds = ['changes', 'refusals'] as const
export type AuditKind = (typeof auditKinds)[number]

/** A line of the audit log. */
const auditEntry = shape({
  /** Wall clock, ISO 8601. */
  at: text,
  /** Name of the token; `local` if none was needed, `none` or `unknown` if the request was refused for that. */
  token: text,
  /** Null without a token. */
  scope: v.nullable(one(scopes)),
  /** Address of the caller. */
  address: text,
  method: text,
  /** Without the query and /s/<space>; with the name of a token or space that the request created. */
  path: text,
  /** Name of the control operation, or page; null for a path that does not exist. */
  action: textOrNull,
  space: text,
  /** Code of the answer; "0" is accepted. */
  code: text,
  /** HTTP status of the answer. */
  status: amount,
  /** Number of equal refused requests, of which this is the latest; absent for a line of one request. */
  count: v.optional(amount),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

/** Answer of `audit`: the newest last. */
export const auditList = shape({ entries: list(auditEntry) })
export type AuditList = v.InferOutput<typeof auditList>

import * as v from 'valibot'
import { amount, described, list, named, one, text, textOrNull } from '../answer-kinds.ts'

/** Form of the token that a sandbox is started with: needs no encoding anywhere. assumption: sandbox-token */
export const tokenPattern = /^[A-Za-z0-9._~-]{16,128}$/

/** Value of `--token` that makes a new token. */
export const generateToken = 'generate'

/** Scopes of tokens: what each may do. assumption: token-scopes */
export const scopes = ['admin', 'spaces', 'space', 'viewer'] as const
export type Scope = (typeof scopes)[number]

/** A token that the sandbox made: 256 random bits after its scope. assumption: sandbox-token */
const madeToken = `tbx_(?:${scopes.join('|')})_[A-Za-z0-9_-]{43}`

/** True for a text that has the form of a token that a sandbox made. */
export const isMadeToken = (text: string): boolean => new RegExp(`^${madeToken}$`).test(text)

/** Finds all tokens in a text that a sandbox made. */
export const madeTokens = new RegExp(madeToken, 'g')

/** Form of token names, and the rule in words. */
export const tokenName = /^[a-zA-Z0-9._-]{1,48}$/
export const tokenNameRule = '1 to 48 letters, digits, dots, dashes or underscores'

/** Name of the token that the sandbox was started with. */
export const startTokenName = 'start'

/** Names in the audit log for requests that needed no token, had none, or had an unknown one. */
export const noTokenNames = { notNeeded: 'local', missing: 'none', unknown: 'unknown' } as const

/** Names that no token can have. */
export const reservedTokenNames: readonly string[] = [startTokenName, ...Object.values(noTokenNames)]

const tokenView = {
  id: text,
  name: text,
  scope: described(one(scopes), 'What it may do'),
  space: described(textOrNull, 'The only space that it is valid for; null: every space'),
  createdAt: text,
  expiresAt: described(textOrNull, 'Null: it does not expire'),
  lastUsedAt: described(textOrNull, 'Null: never. After a crash the last minute may be missing'),
  state: one(['valid', 'expired']),
}
const listedToken = named(
  'TokenView',
  'A token as it is listed, without its secret. Times in ISO 8601 by the wall clock',
  tokenView,
)
export type TokenView = v.InferOutput<typeof listedToken>

export const tokenList = named('TokenList', 'Answer of `tokens`: the oldest first', {
  tokens: list(listedToken),
})
export type TokenList = v.InferOutput<typeof tokenList>

export const createdToken = named(
  'CreatedToken',
  'Answer of `create-token`, the only one with the token itself',
  { ...tokenView, token: text },
)
export type CreatedToken = v.InferOutput<typeof createdToken>

/** The kinds of lines of the audit log: each has its own quota. assumption: audit-log */
export const auditKinds = ['changes', 'refusals'] as const
export type AuditKind = (typeof auditKinds)[number]

const auditEntry = named('AuditEntry', 'A line of the audit log', {
  at: described(text, 'Wall clock, ISO 8601'),
  token: described(
    text,
    'Name of the token; `local` if none was needed, `none` or `unknown` if refused for that',
  ),
  scope: described(v.nullable(one(scopes)), 'Null without a token'),
  address: described(text, 'Address of the caller'),
  method: text,
  path: described(text, 'Without query and /s/<space>; with the name of a token or space that it created'),
  action: described(textOrNull, 'Name of the control operation, or page; null for an unknown path'),
  space: text,
  code: described(text, 'Code of the answer; "0" is accepted'),
  status: described(amount, 'HTTP status of the answer'),
  client: v.optional(
    described(text, 'Name of the MCP client whose tool it was; absent for any other request'),
  ),
  count: v.optional(described(amount, 'How many equal refused requests it stands for; absent for one')),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

export const auditList = named('AuditList', 'Answer of `audit`: the newest last', {
  entries: list(auditEntry),
})
export type AuditList = v.InferOutput<typeof auditList>

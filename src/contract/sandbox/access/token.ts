/** Form of the token that a sandbox is started with: needs no encoding anywhere. assumption: sandbox-token */
export const tokenPattern = /^[A-Za-z0-9._~-]{16,128}$/

/** Value of `--token` that makes a new token. */
export const generateToken = 'generate'

/** Scopes of tokens: what each may do. assumption: token-scopes */
export const scopes = ['admin', 'space', 'viewer'] as const
export type Scope = (typeof scopes)[number]

/** A token that the sandbox made: 256 random bits after its scope. assumption: token-hash */
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

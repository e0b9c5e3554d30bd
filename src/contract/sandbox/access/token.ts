/** A token that a sandbox can be started with: it stands in headers, cookies and URLs as it is. assumption: sandbox-token */
export const tokenPattern = /^[A-Za-z0-9._~-]{16,128}$/

/** What `--token` says to have one made. */
export const generateToken = 'generate'

/** What a token may do. assumption: token-scopes */
export const scopes = ['admin', 'space', 'viewer'] as const
export type Scope = (typeof scopes)[number]

/** A token that the sandbox made: 256 random bits after its scope. assumption: token-hash */
const madeToken = `tbx_(?:${scopes.join('|')})_[A-Za-z0-9_-]{43}`

/** True for a text that has the form of a token that a sandbox made. */
export const isMadeToken = (text: string): boolean => new RegExp(`^${madeToken}$`).test(text)

/** Tokens that a sandbox made, wherever they stand in a text. */
export const madeTokens = new RegExp(madeToken, 'g')

/** Names of tokens, and the rule in words. */
export const tokenName = /^[a-zA-Z0-9._-]{1,48}$/
export const tokenNameRule = '1 to 48 letters, digits, dots, dashes or underscores'

/** Name of the token that the sandbox was started with. */
export const startTokenName = 'start'

/** What the audit log writes in place of a name: a request that needed no token, that had none, or one that nobody knows. */
export const noTokenNames = { notNeeded: 'local', missing: 'none', unknown: 'unknown' } as const

/** Names that no token gets. */
export const reservedTokenNames: readonly string[] = [startTokenName, ...Object.values(noTokenNames)]

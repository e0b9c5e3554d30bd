import { startTokenName, type TokenView } from '../../contract/control/tokens.ts'
import { isSameSecret } from '../../contract/signature/is-same-secret.ts'
import { type AuditLog, CountedAuditLog, FileAuditLog } from './audit-log.ts'
import { type FileTokensOptions, fileTokens } from './file-tokens.ts'
import type { Grant } from './grants.ts'
import { type TokenOptions, TokenRegistry, type TokenStorage, tokenHash } from './token-registry.ts'

/** The token that a server was started with. */
interface StartToken {
  readonly hash: string
  readonly grant: Grant
  readonly view: TokenView
}

/** The tokens of a server, including the token of its start, and its audit log. */
export class Access {
  readonly tokens: TokenRegistry
  readonly audit: AuditLog
  readonly #wall: () => number
  readonly #start: StartToken | null
  #startUsed: string | null = null

  /** `lines`: those of the audit log; `start`: the token of the start of the server; null: none is needed. */
  constructor(tokens: TokenStorage, lines: AuditLog, start: string | null, options: TokenOptions) {
    this.tokens = new TokenRegistry(tokens, options)
    this.audit = new CountedAuditLog(lines)
    this.#wall = options.wall
    this.#start = start === null ? null : startToken(start, options.wall())
  }

  /**
   * True when every request needs a token; otherwise only tokens that are sent count. assumption:
   * sandbox-token
   */
  get isRequired(): boolean {
    return this.#start !== null
  }

  /** What a token grants; undefined for an unknown, revoked or expired one. */
  async find(token: string): Promise<Grant | undefined> {
    if (this.#start !== null && isSameSecret(tokenHash(token), this.#start.hash)) return this.#start.grant
    return this.tokens.find(token)
  }

  used(grant: Grant): void {
    if (grant === this.#start?.grant) this.#startUsed = new Date(this.#wall()).toISOString()
    else this.tokens.used(grant)
  }

  /** Every token, the start token first. */
  async list(): Promise<readonly TokenView[]> {
    const startTokens = this.#start === null ? [] : [{ ...this.#start.view, lastUsedAt: this.#startUsed }]
    return [...startTokens, ...(await this.tokens.list())]
  }

  async close(): Promise<void> {
    await this.tokens.close()
    await this.audit.close()
  }
}

function startToken(token: string, now: number): StartToken {
  const facts = { name: startTokenName, scope: 'admin', space: null } as const
  const times = { createdAt: new Date(now).toISOString(), expiresAt: null, lastUsedAt: null }
  return {
    hash: tokenHash(token),
    grant: { id: startTokenName, ...facts, isOver: false, whenOver: new Set() },
    view: { id: startTokenName, ...facts, ...times, state: 'valid' },
  }
}

/** Opens tokens and audit log of a state folder. `start`: as of `Access`. Errors: DamagedFile. */
export const openAccess = (options: FileTokensOptions & TokenOptions, start: string | null): Access =>
  new Access(fileTokens(options), new FileAuditLog(options), start, options)

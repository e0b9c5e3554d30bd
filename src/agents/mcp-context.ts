import type { SandboxClock } from '../sandbox/engine/identifiers.ts'
import type { SecretHolders } from '../sandbox/request-log/hide-secrets.ts'

/** What the MCP server needs of its sandbox: everything else goes through the sandbox's own interface. */
export interface McpContext extends SecretHolders {
  readonly clock: Pick<SandboxClock, 'wall'>
  readonly options: SecretHolders['options'] & {
    readonly state: string
    readonly spaceName: string
    readonly strict: boolean
  }
}

import { Access } from '../../../access/access.ts'
import type { Database } from '../connection/database.ts'
import { DatabaseAudit } from './database-audit.ts'
import { DatabaseTokens, type DatabaseTokensOptions } from './database-tokens.ts'

/**
 * Tokens and audit log of a database, for all spaces of a node. `startToken`: as of `Access`; it is the node's own. Closing
 * it ends what it opened; the database stays open.
 */
export const databaseAccess = (
  database: Database,
  { wall, report }: Pick<DatabaseTokensOptions, 'wall' | 'report'>,
  startToken: string | null,
): Access =>
  new Access(
    new DatabaseTokens({ database, wall, report }),
    new DatabaseAudit({ database, report }),
    startToken,
    wall,
  )

import { Access } from '../../../access/access.ts'
import type { Database } from '../connection/database.ts'
import { DatabaseAudit } from './database-audit.ts'
import { DatabaseTokens, type DatabaseTokensOptions } from './database-tokens.ts'

/** Tokens and audit log of a database, for all spaces of a node. `startToken`: as in `Access`; each node has its own. */
export const databaseAccess = (
  database: Database,
  { wall, report }: Pick<DatabaseTokensOptions, 'wall' | 'report'>,
  startToken: string | null,
): Access =>
  new Access(
    new DatabaseTokens({ database, wall, report }),
    new DatabaseAudit(database, report),
    startToken,
    wall,
  )

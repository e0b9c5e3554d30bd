import { MendableError } from '../../mendable-error.ts'
import { type DatabaseAddress, UnusableDatabase } from './address.ts'
import type { Run } from './connection.ts'
import { requireSchemaRight, requireTableRights } from './rights.ts'

/** A statement did not happen, for a reason that was not there at the start: a right, or a database that does not write. */
class RefusedStatement extends MendableError {
  static override readonly name = 'RefusedStatement'
}

/** What keeps a database from writing, by SQLSTATE, and what mends it. */
const hindrances: ReadonlyMap<unknown, (shown: string) => readonly [why: string, remedy: string]> = new Map([
  [
    '25006',
    (shown) => [
      `The database ${shown} is read-only`,
      'Name the primary server in the URL; or, as the owner, turn default_transaction_read_only off',
    ],
  ],
  [
    '53100',
    (shown) => [`The disk of the database ${shown} is full`, 'Free space on the disk of the database server'],
  ],
])

/** SQLSTATEs of a missing right: tables of a schema that the user may not use are not found. */
const ofRights: ReadonlySet<unknown> = new Set(['42501', '42P01'])

/** An error of a statement; RefusedStatement, where somebody can mend it. `run`: on a connection without a transaction. */
export async function explainedStatement(
  error: unknown,
  run: Run,
  address: DatabaseAddress,
): Promise<unknown> {
  const { code } = error as { readonly code?: unknown }
  const hindrance = hindrances.get(code)?.(address.shown)
  if (hindrance !== undefined) return new RefusedStatement(...hindrance)
  if (!ofRights.has(code)) return error
  try {
    await requireSchemaRight(run, address, 'USAGE')
    await requireTableRights(run, address)
    return error
  } catch (found) {
    return found instanceof UnusableDatabase ? new RefusedStatement(found.why, found.remedy) : error
  }
}

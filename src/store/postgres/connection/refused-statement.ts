import { MendableError, StoreError } from '../../store-errors.ts'
import { type DatabaseAddress, UnusableDatabase } from './address.ts'
import type { RunStatement } from './connection.ts'
import type { CodedError } from './database-errors.ts'
import { requireSchemaRight, requireTableRights } from './rights.ts'

/** The server refused a statement: its reason, and a remedy if one is known. */
class RefusedStatement extends MendableError {
  override readonly name = 'RefusedStatement'
}

/** The server can never carry out a statement, because of a value in it. */
class UnstorableValue extends StoreError {
  override readonly name = 'UnstorableValue'
  readonly remedy =
    'Change the request: it can never be stored as it is. Requests beside it can be sent again'
}

/** SQLSTATEs of a value that no repetition stores: of its form, or beyond a limit of the server. */
const ofValues = /^(22|54)/

/** Reasons why a database accepts no writes, by SQLSTATE, and their remedies. */
const hindrances: ReadonlyMap<string, (shown: string) => readonly [why: string, remedy: string]> = new Map([
  [
    '25006',
    (shown) => [
      `The database ${shown} is read-only`,
      'Start the sandbox with the URL of the primary server, or turn default_transaction_read_only off',
    ],
  ],
  [
    '53100',
    (shown) => [
      `The disk of the database ${shown} is full`,
      'Free up space on the disk of the database server',
    ],
  ],
])

/** SQLSTATEs of a missing right: tables in a schema that the user may not use are reported as not found. */
const ofRights: ReadonlySet<string> = new Set(['42501', '42P01'])

/**
 * Explains an error of a statement: an UnstorableValue for a value in it; a RefusedStatement if the server caused it;
 * unchanged if the statement does not fit the tables. `run`: on a connection without a transaction.
 */
export async function explainedStatement(
  error: unknown,
  run: RunStatement,
  address: DatabaseAddress,
): Promise<unknown> {
  const { code, severity, message } = error as CodedError
  if (severity === undefined || code === undefined) return error // not from the server
  const hindrance = hindrances.get(code)?.(address.shown)
  if (hindrance !== undefined) return new RefusedStatement(...hindrance)
  if (ofValues.test(code))
    return new UnstorableValue(`the database ${address.shown} cannot store it: ${message}`)
  if (!code.startsWith('42'))
    return new RefusedStatement(
      `A statement failed in the database ${address.shown}: ${message}`,
      'Look for the cause in the log of the database server',
    )
  if (!ofRights.has(code)) return error
  try {
    await requireSchemaRight(run, address, 'USAGE')
    await requireTableRights(run, address)
    return error
  } catch (rightsError) {
    return rightsError instanceof UnusableDatabase
      ? new RefusedStatement(rightsError.why, rightsError.remedy)
      : error
  }
}

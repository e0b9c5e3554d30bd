import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'

/** A statement; with a name it is prepared once for each connection. */
type Statement = string | { readonly name: string; readonly text: string }

/** A value of a statement. A list becomes a PostgreSQL array; JSON is given as text. */
export type StatementValue = string | number | null | readonly number[] | readonly string[]

/**
 * Runs one statement. `Row`: its columns; a bigint is text, and so is JSON that is selected as text.
 * `patience`: milliseconds without an answer after which it is given up. Errors: DatabaseAway when it is
 * unknown whether it took effect; UnusableDatabase, UnstorableValue.
 */
export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values?: readonly StatementValue[],
  patience?: number,
) => Promise<pg.QueryResult<Row>>

/** A database as far as its tables need it. */
export interface OpenedDatabase {
  readonly address: DatabaseAddress
  readonly run: RunStatement
  /** Runs statements in one transaction. */
  transaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T>
}

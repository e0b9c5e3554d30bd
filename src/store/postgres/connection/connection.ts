import { Socket } from 'node:net'
import type pg from 'pg'
import { sleep } from '../../../timers.ts'
import type { DatabaseAddress } from './address.ts'
import { DatabaseAway, explained } from './database-errors.ts'

/** The result of a statement: its rows, each value as text or null, and the number of affected rows. */
export interface QueryResult {
  readonly rows: readonly Readonly<Record<string, string | null>>[]
  readonly count: number
}

/** A value of a statement. A list becomes a PostgreSQL array; JSON is given as text. */
type StatementValue = string | number | null | readonly number[] | readonly string[]

/** A statement; with a name it is prepared once for each connection. */
interface Statement {
  readonly name?: string
  readonly text: string
}

/**
 * Runs one statement. `patience`: milliseconds without an answer after which it is given up. Errors: DatabaseAway when
 * it is unknown whether it took effect; UnusableDatabase, UnstorableValue.
 */
export type RunStatement = (
  statement: string | Statement,
  values?: readonly StatementValue[],
  patience?: number,
) => Promise<QueryResult>

/** Values stay text as the server sent them: their readers know the types. */
const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Options of every connection. `name`: at the server; `settings`: more settings of the session. */
export function clientOptions(address: DatabaseAddress, name: string, settings = ''): pg.ClientConfig {
  const { host, port, user, password, database, schema, statementTimeout, connectTimeout } = address
  return {
    host,
    port,
    user,
    password: () => password || (process.env.PGPASSWORD ?? ''), // no other variable is read
    database,
    ssl: tlsOptions(address),
    application_name: name,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: longestIdle, // ends the transaction of a node that sleeps
    connectionTimeoutMillis: connectTimeout,
    options: `-c search_path=${schema} ${settings}`,
    client_encoding: 'UTF8',
    keepAlive: true,
    types: asText,
  }
}

/** Idle time after which the server ends a transaction. Milliseconds. */
const longestIdle = 2_000

function tlsOptions({ tls, rootCertificate }: DatabaseAddress): pg.ClientConfig['ssl'] {
  if (tls === 'disable') return false
  const ca = rootCertificate === null ? {} : { ca: rootCertificate }
  return { rejectUnauthorized: tls === 'verify-full', ...ca }
}

/** Runs statements on a client. After DatabaseAway its connection cannot be used any more. */
export const runOn =
  (client: pg.ClientBase, address: DatabaseAddress): RunStatement =>
  async (statement, values = [], patience = address.unavailableAfter) => {
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement
    try {
      const query = { text, values: [...values], query_timeout: Math.ceil(patience), ...(name && { name }) }
      const { rows, rowCount } = await client.query(query)
      return { rows, count: rowCount ?? 0 }
    } catch (error) {
      throw explained(error as Error, address)
    }
  }

/** Maximum wait for an orderly close of a connection. Milliseconds. */
export const longestEnd = 1_000

/** One connection to the database, for an owner of its own. */
export interface DatabaseConnection {
  /** Runs statements in order. Errors: as `RunStatement`; after DatabaseAway the connection is closed. */
  readonly run: RunStatement
  /** True until the connection ended. */
  readonly isOpen: boolean
  /** Closes the connection once it is idle; waits only briefly for a server that does not answer. */
  close(): Promise<void>
}

/**
 * Opens a connection. `name`: at the server; `settings`: of the session; `ended`: called once when the connection is
 * closed. Errors: UnusableDatabase, DatabaseAway.
 */
export async function openConnection(
  address: DatabaseAddress,
  name: string,
  settings: string,
  ended: () => void,
): Promise<DatabaseConnection> {
  const { Client } = (await import('pg')).default // loaded only by a node
  const socket = new Socket()
  const client = new Client({ ...clientOptions(address, name, settings), stream: () => socket })
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    socket.destroy() // running statements may or may not take effect
    ended()
  }
  client.on('error', end)
  socket.once('close', end)
  const runNow = runOn(client, address)
  let last: Promise<unknown> = Promise.resolve()
  const run: RunStatement = (...statement) => {
    const done = last
      .then(() => runNow(...statement))
      .catch((error: Error) => {
        if (error instanceof DatabaseAway) end()
        throw error
      })
    last = done.catch(() => undefined) // its caller gets the error
    return done
  }
  try {
    await client.connect()
  } catch (error) {
    end()
    throw explained(error as Error, address)
  }
  return {
    run,
    get isOpen() {
      return isOpen
    },
    close: async () => {
      if (isOpen) await Promise.race([client.end(), sleep(longestEnd)])
      end()
    },
  }
}

import { Socket } from 'node:net'
import type pg from 'pg'
import { clearTimeout, setTimeout } from '../../../timers.ts'
import type { DatabaseAddress } from './address.ts'
import { DatabaseAway, databaseReasonOf, endsConnection, explainedConnect } from './database-errors.ts'

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
 * it is unknown whether it took effect; an Error of the server.
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
  (client: pg.ClientBase, { shown, unavailableAfter }: DatabaseAddress): RunStatement =>
  async (statement, values = [], patience = unavailableAfter) => {
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement
    try {
      const query = { text, values: [...values], query_timeout: Math.ceil(patience), ...(name && { name }) }
      const { rows, rowCount } = await client.query(query)
      return { rows, count: rowCount ?? 0 }
    } catch (error) {
      throw endsConnection(error as Error) ? new DatabaseAway(shown, databaseReasonOf(error as Error)) : error
    }
  }

/** Maximum wait for an orderly close of a connection. Milliseconds. */
const longestEnd = 1_000

/** One connection to the database, for an owner of its own. */
export class DatabaseConnection {
  /** Runs one statement after another. Errors: as `RunStatement`; after DatabaseAway the connection is closed. */
  readonly run: RunStatement
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #ended: () => void
  #isOpen = true

  private constructor(address: DatabaseAddress, client: pg.Client, socket: Socket, ended: () => void) {
    this.#client = client
    this.#socket = socket
    this.#ended = ended
    const run = runOn(client, address)
    let last: Promise<unknown> = Promise.resolve()
    const runNow: RunStatement = async (...statement) => {
      if (!this.#isOpen) throw new DatabaseAway(address.shown, 'the connection was closed')
      try {
        return await run(...statement)
      } catch (error) {
        if (error instanceof DatabaseAway) this.end()
        throw error
      }
    }
    this.run = (...statement) => {
      const done = last.then(() => runNow(...statement))
      last = done.catch(() => undefined) // its caller gets the error
      return done
    }
    client.on('error', () => this.end())
    socket.once('close', () => this.end())
  }

  /**
   * `settings`: more settings of the session; `ended`: called once when the connection is closed. Errors:
   * UnusableDatabase, DatabaseAway.
   */
  static async open(
    address: DatabaseAddress,
    name: string,
    { settings = '', ended = () => {} }: { readonly settings?: string; readonly ended?: () => void } = {},
  ): Promise<DatabaseConnection> {
    const socket = new Socket()
    const { Client } = (await import('pg')).default // loaded only by a node
    const client = new Client({ ...clientOptions(address, name, settings), stream: () => socket })
    const connection = new DatabaseConnection(address, client, socket, ended)
    try {
      await client.connect()
      return connection
    } catch (error) {
      socket.destroy()
      throw explainedConnect(error as Error, address)
    }
  }

  /** True until the connection ended. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Calls `onNotice` with the text of each notice of a channel, until the connection ends. Errors: as `run`. */
  async listen(channel: string, onNotice: (text: string) => void): Promise<void> {
    this.#client.on('notification', ({ payload = '' }) => onNotice(payload))
    await this.run(`listen ${channel}`)
  }

  /** Closes the connection immediately; running statements may or may not take effect. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroy()
    this.#ended()
  }

  /** Closes the connection once it is idle; waits only briefly for a server that does not answer. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.end(), longestEnd)
    try {
      if (this.#isOpen) await this.#client.end()
    } finally {
      clearTimeout(late)
    }
  }
}

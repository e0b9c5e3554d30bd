import { Socket } from 'node:net'
import type pg from 'pg'
import { clearTimeout, setTimeout } from '../../../timers.ts'
import type { DatabaseAddress } from './address.ts'
import { DatabaseAway, databaseReasonOf, endsConnection, explainedConnect } from './database-errors.ts'
import { Patience } from './patience.ts'

/** The result of a statement: its rows, each value as text or null, and the number of affected rows. */
export interface QueryResult {
  readonly rows: readonly Readonly<Record<string, string | null>>[]
  readonly count: number
}

/** A value of a statement. A list becomes a PostgreSQL array; JSON is given as text. */
export type StatementValue = string | number | null | readonly number[] | readonly string[]

/** A statement; with a name it is prepared once for each connection. */
interface Statement {
  readonly name?: string
  readonly text: string
}

/** Runs one statement. Errors: DatabaseAway when it is unknown whether it took effect; an Error of the server. */
export type RunStatement = (
  statement: string | Statement,
  values?: readonly StatementValue[],
  patience?: number,
) => Promise<QueryResult>

/** Values stay text as the server sent them: their readers know the types. */
const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Maximum wait for an orderly close of a connection. Milliseconds. */
const longestEnd = 1_000

/** One connection to the database. */
export class DatabaseConnection {
  readonly #address: DatabaseAddress
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #name: string
  #why: string | null = null

  private constructor(address: DatabaseAddress, name: string, client: pg.Client, socket: Socket) {
    this.#address = address
    this.#name = name
    this.#client = client
    this.#socket = socket
    client.on('error', (error) => this.#end(databaseReasonOf(error)))
    client.on('end', () => this.#end('the connection was closed'))
  }

  /** Errors: UnusableDatabase, DatabaseAway. */
  static async open(address: DatabaseAddress, name: string, patience: Patience): Promise<DatabaseConnection> {
    const socket = new Socket()
    const { Client } = (await import('pg')).default // loaded only by a sandbox with a database
    const client = new Client({ ...clientOptions(address, name), stream: () => socket })
    const connection = new DatabaseConnection(address, name, client, socket)
    const callOff = patience.start(() => socket.destroy(new Error(noAnswer(patience))))
    try {
      await client.connect()
      return connection
    } catch (error) {
      socket.destroy()
      throw explainedConnect(error as Error, address)
    } finally {
      callOff()
    }
  }

  /** True until the connection ended. */
  get isOpen(): boolean {
    return this.#why === null
  }

  /** Runs a statement; without an answer in time it closes the connection. Errors: as `Run`. */
  readonly run: RunStatement = async (
    statement,
    values = [],
    longest = this.#address.statementTimeout + 2_000,
  ) => {
    if (this.#why !== null) throw new DatabaseAway(this.#address.shown, this.#why)
    const patience = new Patience(longest)
    const callOff = patience.start(() => this.end(noAnswer(patience)))
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement
    try {
      const { rows, rowCount } = await this.#client.query({
        text,
        values: [...values],
        ...(name && { name }),
      })
      return { rows, count: rowCount ?? 0 }
    } catch (error) {
      if (!endsConnection(error as Error)) throw error
      this.end(databaseReasonOf(error as Error))
      throw new DatabaseAway(this.#address.shown, this.#why ?? '', this.#name)
    } finally {
      callOff()
    }
  }

  /** Calls `onNotice` with the text of each notice of a channel, until the connection ends. Errors: as `Run`. */
  async listen(channel: string, onNotice: (text: string) => void, patience?: number): Promise<void> {
    this.#client.on('notification', ({ payload = '' }) => onNotice(payload))
    await this.run(`listen ${channel}`, [], patience)
  }

  /** Closes the connection immediately; running statements may or may not take effect. */
  end(why = 'the connection was closed'): void {
    this.#end(why)
    this.#socket.destroy()
  }

  /** Closes the connection once it is idle; waits only briefly for a server that does not answer. */
  async close(): Promise<void> {
    if (this.#why !== null) return
    const late = setTimeout(() => this.end(), longestEnd)
    try {
      await this.#client.end()
    } finally {
      clearTimeout(late)
    }
  }

  #end(why: string): void {
    this.#why ??= why
  }
}

const noAnswer = ({ milliseconds }: Patience): string => `no answer in ${Math.round(milliseconds)} ms`

/** Only PGPASSWORD is read from the environment. */
function clientOptions(address: DatabaseAddress, name: string): pg.ClientConfig {
  const { host, port, user, password, database, schema, statementTimeout } = address
  return {
    host,
    port,
    user,
    password: () => password || (process.env.PGPASSWORD ?? ''),
    database,
    ssl: tlsOptions(address),
    application_name: name,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: statementTimeout, // ends the transaction of a connection that only seems alive
    options: `-c search_path=${schema}`,
    client_encoding: 'UTF8',
    keepAlive: true,
    types: asText,
  }
}

function tlsOptions({ tls, rootCertificate }: DatabaseAddress): pg.ClientConfig['ssl'] {
  if (tls === 'disable') return false
  const ca = rootCertificate === null ? {} : { ca: rootCertificate }
  return { rejectUnauthorized: tls === 'verify-full', ...ca }
}

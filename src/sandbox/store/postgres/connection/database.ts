import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { sleep } from '../../../../shared/timers.ts'
import { type DatabaseAddress, databaseAddress } from './address.ts'
import { DatabaseAway, explained } from './database-errors.ts'
import type { RunStatement } from './statement.ts'
import { makeTables } from './tables.ts'

/** SQL for a time in ISO 8601 with milliseconds, as `Date` writes it. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Idle time after which the server ends a transaction, that of a node that sleeps. Milliseconds. */
const longestIdle = 2_000

/** Maximum wait for an orderly close of a connection. Milliseconds. */
const longestEnd = 1_000

/** Options of every connection. `name`: at the server; `settings`: more settings of the session. */
function clientOptions(address: DatabaseAddress, name: string, settings = ''): pg.ClientConfig {
  const { host, port, user, password, database, schema, sslmode, sslrootcert: ca } = address
  return {
    host,
    port,
    user,
    database,
    password: () => password || (process.env.PGPASSWORD ?? ''), // no other variable is read
    ssl: sslmode !== 'disable' && { rejectUnauthorized: sslmode === 'verify-full', ...(ca && { ca }) },
    application_name: name,
    statement_timeout: address.statement_timeout,
    idle_in_transaction_session_timeout: longestIdle,
    connectionTimeoutMillis: address.connect_timeout,
    options: `-c search_path=${schema} ${settings}`,
    client_encoding: 'UTF8',
    keepAlive: true,
  }
}

/** Runs statements on a client. After DatabaseAway its connection cannot be used any more. */
const runOn =
  (client: pg.ClientBase, address: DatabaseAddress): RunStatement =>
  async (statement, values = [], patience = address.unavailable_after) => {
    const named = typeof statement === 'string' ? { text: statement } : statement
    try {
      const query = { ...named, values: [...values], query_timeout: Math.ceil(patience) }
      return await client.query(query)
    } catch (error) {
      throw explained(error as Error, address)
    }
  }

/** One connection to the database, for an owner of its own. */
export type DatabaseConnection = Awaited<ReturnType<Database['connect']>>

/** A database with its tables, and the connections of a process to it. */
export class Database {
  /** Beginning of the names of this process's connections at the server. */
  readonly name = `tillbox ${randomUUID().slice(0, 8)}`
  /** Called whenever the database does not answer; set by whoever reports it. */
  onAway: (error: DatabaseAway) => void = () => undefined
  /** For look-ups and records. */
  readonly #pool: pg.Pool
  /** Those of the pool that are open. The pool does not close one whose login failed here alone. */
  readonly #sockets = new Set<Socket>()

  private constructor(readonly address: DatabaseAddress) {
    const stream = () => {
      const socket = new Socket().once('close', () => this.#sockets.delete(socket))
      this.#sockets.add(socket)
      return socket
    }
    const options = { ...clientOptions(address, `${this.name}-pool`), stream }
    this.#pool = new pg.Pool({ ...options, max: address.pool, allowExitOnIdle: true })
    this.#pool.on('error', () => undefined) // an idle connection ended: the next statement opens another one
    this.#pool.on('connect', (client) => client.on('error', () => undefined)) // its statement gets the error
  }

  /** Connects, and makes the tables where they are missing. Errors: UnusableDatabase, DatabaseAway. */
  static async open(url: string): Promise<Database> {
    const database = new Database(databaseAddress(url))
    try {
      await makeTables(database)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** Runs one statement. */
  readonly run: RunStatement = (...statement) => this.#withClient((run) => run(...statement))

  /** Runs one statement that may take as long as the server lets it. */
  readonly runLong: RunStatement = (statement, values) => this.run(statement, values, this.#longPatience)

  /** Runs several statements in one transaction, rolled back if `work` resolves to false. */
  transaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.#withClient(async (run) => {
      const patient: RunStatement = (statement, values) => run(statement, values, this.#longPatience)
      await run('begin')
      try {
        const result = await work(patient)
        await patient(result === false ? 'rollback' : 'commit')
        return result
      } catch (error) {
        await run('rollback').catch(() => undefined) // the connection ended, so the server rolls back
        throw error
      }
    })
  }

  /**
   * A connection for an owner, who closes it. `settings`: of its session; `ended`: called once when it is
   * closed. Errors: UnusableDatabase, DatabaseAway.
   */
  async connect(settings: string, ended: () => void) {
    const socket = new Socket()
    const options = clientOptions(this.address, `${this.name}-owner`, settings)
    const client = new pg.Client({ ...options, stream: () => socket })
    let isOpen = true
    const end = () => {
      if (!isOpen) return
      isOpen = false
      socket.destroy() // running statements may or may not take effect
      ended()
    }
    client.on('error', end)
    socket.once('close', end)
    try {
      await client.connect()
    } catch (error) {
      end()
      throw this.#told(explained(error as Error, this.address))
    }
    const runNow = runOn(client, this.address)
    let last: Promise<unknown> = Promise.resolve()
    return {
      /** Runs statements in order. Errors: as `RunStatement`; after DatabaseAway the connection is closed. */
      run: <Row extends pg.QueryResultRow>(...statement: Parameters<RunStatement>) => {
        const done = last
          .then(() => runNow<Row>(...statement))
          .catch((error: Error) => {
            if (error instanceof DatabaseAway) end()
            throw error
          })
        last = done.catch(() => undefined) // its caller gets the error
        return done
      },
      /** True until the connection ended. */
      get isOpen() {
        return isOpen
      },
      /** Closes the connection once it is idle; waits only briefly for a server that does not answer. */
      close: async () => {
        if (isOpen) await Promise.race([client.end(), sleep(longestEnd)])
        end()
      },
    }
  }

  /** Closes every connection but those of owners; waits only briefly for a server that does not answer. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), sleep(longestEnd)])
    for (const socket of this.#sockets) socket.destroy()
  }

  get #longPatience(): number {
    return this.address.statement_timeout + 2_000
  }

  async #withClient<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: Error) => {
      throw this.#told(explained(error, this.address))
    })
    let isAway = false
    try {
      return await work(runOn(client, this.address))
    } catch (error) {
      isAway = error instanceof DatabaseAway
      throw this.#told(error)
    } finally {
      client.release(isAway)
    }
  }

  /** The error, of which whoever reports that the database is away is told. */
  #told<E>(error: E): E {
    if (error instanceof DatabaseAway) this.onAway(error)
    return error
  }
}

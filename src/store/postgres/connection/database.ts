import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { sleep } from '../../../timers.ts'
import { type DatabaseAddress, databaseAddress } from './address.ts'
import {
  clientOptions,
  type DatabaseConnection,
  longestEnd,
  openConnection,
  type RunStatement,
  runOn,
} from './connection.ts'
import { DatabaseAway, explained } from './database-errors.ts'
import { makeTables } from './tables.ts'

/** A database with its tables, and the connections of a process for look-ups and records. */
export class Database {
  readonly address: DatabaseAddress
  /** Beginning of the names of this process's connections at the server. */
  readonly name: string
  /** Called whenever the database does not answer; set by whoever reports it. */
  onAway: (error: DatabaseAway) => void = () => undefined
  readonly #pool: pg.Pool

  private constructor(address: DatabaseAddress, name: string, pool: pg.Pool) {
    this.address = address
    this.name = name
    this.#pool = pool
    pool.on('error', () => undefined) // an idle connection ended: the next statement opens another one
    pool.on('connect', (client) => client.on('error', () => undefined)) // its statement gets the error
  }

  /** Connects, and makes the tables where they are missing. Errors: UnusableDatabase, DatabaseAway. */
  static async open(url: string): Promise<Database> {
    const address = databaseAddress(url)
    const name = `tillbox ${randomUUID().slice(0, 8)}`
    const { Pool } = (await import('pg')).default // loaded only by a node
    const database = new Database(
      address,
      name,
      new Pool({ ...clientOptions(address, `${name}-pool`), max: address.pool, allowExitOnIdle: true }),
    )
    try {
      await makeTables(database)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** Runs one statement. Errors: as `RunStatement`. */
  readonly run: RunStatement = (...statement) => this.#with((run) => run(...statement))

  /** Runs several statements in one transaction, rolled back if `work` resolves to false. Errors: as `run`. */
  transaction<T>(work: (run: RunStatement) => Promise<T>, [begin, end] = ['begin', 'commit']): Promise<T> {
    return this.#with(async (run) => {
      const patient: RunStatement = (statement, values) =>
        run(statement, values, this.address.statementTimeout + 2_000)
      await run(begin)
      try {
        const result = await work(patient)
        await patient(result === false ? 'rollback' : end)
        return result
      } catch (error) {
        await run('rollback').catch(() => undefined) // the connection ended, so the server rolls back
        throw error
      }
    })
  }

  /** Runs several queries on one consistent snapshot. Errors: as `run`. */
  reading<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.transaction(work, ['begin isolation level repeatable read read only', 'rollback'])
  }

  /** The session of an owner, who closes it. `settings`, `ended`: as of `openConnection`. */
  connect(settings: string, ended: () => void): Promise<DatabaseConnection> {
    return this.#watched(openConnection(this.address, `${this.name}-owner`, settings, ended))
  }

  /** Closes every connection; waits only briefly for a server that does not answer. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), sleep(longestEnd)])
  }

  #watched<T>(done: Promise<T>): Promise<T> {
    return done.catch((error: Error) => {
      if (error instanceof DatabaseAway) this.onAway(error)
      throw error
    })
  }

  #with<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.#watched(this.#withClient(work))
  }

  async #withClient<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: Error) => {
      throw explained(error, this.address)
    })
    let isAway = false
    try {
      return await work(runOn(client, this.address))
    } catch (error) {
      isAway = error instanceof DatabaseAway
      throw error
    } finally {
      client.release(isAway)
    }
  }
}

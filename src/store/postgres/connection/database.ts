import { type DatabaseAddress, databaseAddress } from './address.ts'
import type { RunStatement } from './connection.ts'
import { ListeningConnection } from './listening-connection.ts'
import { migrate } from './migrations.ts'
import { Pool } from './pool.ts'

/** A database with its tables. A process has one, whose connections are shared by its spaces. */
export class Database {
  readonly address: DatabaseAddress
  readonly #pool: Pool
  /** One more connection, for statements that must not wait for others. */
  readonly #reserve: Pool

  private constructor(address: DatabaseAddress, pool: Pool) {
    this.address = address
    this.#pool = pool
    this.#reserve = new Pool({ ...address, pool: 1 })
  }

  /** Connects, and makes the tables where they are missing. Errors: UnusableDatabase, DatabaseAway. */
  static async open(url: string): Promise<Database> {
    const address = databaseAddress(url)
    const pool = new Pool(address)
    try {
      await migrate(pool, address)
      return new Database(address, pool)
    } catch (error) {
      await pool.close()
      throw error
    }
  }

  /** Runs one statement. Errors: as `Run`; UnusableDatabase. */
  get run(): RunStatement {
    return this.#pool.run
  }

  /** Runs a statement on a connection reserved for leases. Errors: as `run`. */
  get runApart(): RunStatement {
    return this.#reserve.run
  }

  /** Runs several statements in one transaction. Errors: as `run`. */
  transaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.#pool.transaction(work)
  }

  /** Runs several queries on one consistent snapshot. Errors: as `run`. */
  reading<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.#pool.reading(work)
  }

  /** An additional connection that listens on a channel; the caller closes it. */
  listening(channel: string, onNotice: () => void): ListeningConnection {
    return new ListeningConnection({
      address: this.address,
      name: `${this.#pool.name}-${channel}`,
      channel,
      onNotice,
    })
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#reserve.close()])
  }
}

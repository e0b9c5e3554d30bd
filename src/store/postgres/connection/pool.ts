import { randomUUID } from 'node:crypto'
import type { DatabaseAddress } from './address.ts'
import { DatabaseConnection, type RunStatement } from './connection.ts'
import { DatabaseAway } from './database-errors.ts'
import { Patience } from './patience.ts'
import { explainedStatement } from './refused-statement.ts'

/**
 * Idle time after which the server ends a transaction: shorter than the lease, in case the node sleeps. Milliseconds.
 */
const longestIdle = 2_000

const beginWriting = `begin; set local idle_in_transaction_session_timeout = ${longestIdle}`

/** Connections that are kept for the next statement, up to the maximum in the address. */
export class Pool {
  readonly #address: DatabaseAddress
  readonly #id = randomUUID().slice(0, 8)
  #idle: DatabaseConnection[] = []
  #open = 0
  #count = 0
  #closed = false
  /** Calls waiting for a connection, in order. */
  readonly #waiting = new Set<() => void>()

  constructor(address: DatabaseAddress) {
    this.#address = address
  }

  /** Prefix of the names of this pool's connections at the server. */
  get name(): string {
    return `tillbox ${this.#id}`
  }

  /**
   * Runs one statement on a free connection. `patience`: total milliseconds, a quarter of which is reserved for the
   * statement, because a statement that is given up immediately after sending may still take effect. Errors: as `Run`;
   * UnusableDatabase.
   */
  readonly run: RunStatement = (statement, values, patience) => {
    if (patience === undefined) return this.with(({ run }) => run(statement, values))
    const taking = new Patience((patience * 3) / 4)
    return this.with(({ run }) => run(statement, values, taking.left + patience / 4), taking)
  }

  /**
   * Reserves a connection. `patience`: time limit until one is free. Errors: those of `work`; RefusedStatement,
   * UnusableDatabase, DatabaseAway.
   */
  async with<T>(
    work: (connection: DatabaseConnection) => Promise<T>,
    patience = new Patience(this.#address.connectTimeout),
  ): Promise<T> {
    const connection = await this.#take(patience)
    try {
      return await work(connection)
    } catch (error) {
      throw await explainedStatement(error, connection.run, this.#address)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Runs several statements in one transaction, rolled back if `work` resolves to false. Errors: as `with`. */
  transaction<T>(
    work: (run: RunStatement) => Promise<T>,
    [begin, end] = [beginWriting, 'commit'],
  ): Promise<T> {
    return this.with(async ({ run }) => {
      await run(begin)
      try {
        const result = await work(run)
        await run(result === false ? 'rollback' : end)
        return result
      } catch (error) {
        await run('rollback').catch(() => undefined) // the connection ended, so the server rolls back
        throw error
      }
    })
  }

  /** Runs several queries on one consistent snapshot. Errors: as `with`. */
  reading<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.transaction(work, ['begin isolation level repeatable read read only', 'rollback'])
  }

  /** Closes idle connections; others are closed when they are returned. */
  async close(): Promise<void> {
    this.#closed = true
    const idle = this.#idle
    this.#idle = []
    await Promise.all(idle.map((connection) => connection.close()))
  }

  async #take(patience: Patience): Promise<DatabaseConnection> {
    if (this.#closed) throw new DatabaseAway(this.#address.shown, 'it was closed')
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop())
      if (connection.isOpen) return connection
      else this.#open -= 1
    if (this.#open >= this.#address.pool) {
      await this.#waitForConnection(patience)
      return this.#take(patience)
    }
    this.#open += 1
    this.#count += 1
    try {
      return await DatabaseConnection.open(this.#address, `${this.name}-${this.#count}`, patience)
    } catch (error) {
      this.#open -= 1
      this.#next()
      throw error
    }
  }

  #giveBack(connection: DatabaseConnection): void {
    if (connection.isOpen && !this.#closed) this.#idle.push(connection)
    else {
      this.#open -= 1
      connection.close().catch(() => connection.end())
    }
    this.#next()
  }

  /** Resolves when a connection may be free. Errors: DatabaseAway after the time limit. */
  #waitForConnection(patience: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        callOff()
        resolve()
      }
      const callOff = patience.start(() => {
        this.#waiting.delete(take)
        const why = `no connection was free in ${Math.round(patience.milliseconds)} ms`
        reject(new DatabaseAway(this.#address.shown, why))
      })
      this.#waiting.add(take)
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) return
    this.#waiting.delete(first)
    first()
  }
}

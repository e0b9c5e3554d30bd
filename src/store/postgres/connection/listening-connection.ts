import type { DatabaseAddress } from './address.ts'
import { DatabaseConnection, type RunStatement } from './connection.ts'
import { DatabaseAway } from './database-errors.ts'
import { Patience } from './patience.ts'

interface ListeningOptions {
  readonly address: DatabaseAddress
  /** Name of the connection at the server. */
  readonly name: string
  readonly channel: string
  /** Called for each notice sent within the same schema. */
  readonly onNotice: () => void
}

/** An SQL expression that notifies the listeners of a channel once the statement is committed. */
export const noticeOn = (channel: string): string => `pg_notify('${channel}', current_schema())`

/**
 * A connection for one owner's statements that also receives the notices of a channel. A statement opens it, and after
 * a loss the next statement does. Notices in between are missed, so a notice is only a hint to read earlier.
 */
export class ListeningConnection {
  readonly #options: ListeningOptions
  #connection: Promise<DatabaseConnection> | null = null
  #isClosed = false

  constructor(options: ListeningOptions) {
    this.#options = options
  }

  /** Runs a statement within `longest` milliseconds, opening included. Errors: as `Run`; UnusableDatabase. */
  async run(statement: Parameters<RunStatement>[0], longest: number): ReturnType<RunStatement> {
    const patience = new Patience(longest)
    const connection = await this.#opened(patience)
    return connection.run(statement, [], Math.max(1, patience.left))
  }

  /** Closes the connection immediately. */
  async close(): Promise<void> {
    this.#isClosed = true
    const connection = await this.#connection?.catch(() => undefined) // it was not opened
    connection?.end()
  }

  async #opened(patience: Patience): Promise<DatabaseConnection> {
    if (this.#isClosed) throw new DatabaseAway(this.#options.address.shown, 'it was closed')
    const last = this.#connection
    const connection = await last?.catch(() => undefined) // its caller got the error
    if (connection?.isOpen) return connection
    if (this.#connection === last) this.#connection = this.#open(patience)
    return this.#connection as Promise<DatabaseConnection>
  }

  async #open(patience: Patience): Promise<DatabaseConnection> {
    const { address, name, channel, onNotice } = this.#options
    const connection = await DatabaseConnection.open(address, name, patience)
    try {
      const tell = (schema: string) => {
        if (schema === address.schema) onNotice()
      }
      await connection.listen(channel, tell, patience.left)
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }
}

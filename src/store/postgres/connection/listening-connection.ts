import type { DatabaseConnection, QueryResult, RunStatement } from './connection.ts'
import type { Database } from './database.ts'
import { DatabaseAway } from './database-errors.ts'

/** An SQL expression that notifies the listeners of a channel once the statement is committed. */
export const noticeOn = (channel: string): string => `pg_notify('${channel}', current_schema())`

/**
 * A connection for one owner's statements that also receives the notices of a channel. A statement opens it, and after
 * a loss the next statement does. Notices in between are missed, so a notice is only a hint to read earlier.
 */
export class ListeningConnection {
  readonly #database: Pick<Database, 'address' | 'connect'>
  readonly #channel: string
  readonly #onNotice: () => void
  #connection: Promise<DatabaseConnection> | null = null
  #isClosed = false

  /** `onNotice`: called for each notice sent within the same schema. */
  constructor(database: Pick<Database, 'address' | 'connect'>, channel: string, onNotice: () => void) {
    this.#database = database
    this.#channel = channel
    this.#onNotice = onNotice
  }

  /** Runs a statement. `patience`: milliseconds. Errors: as `RunStatement`; UnusableDatabase. */
  async run(statement: Parameters<RunStatement>[0], patience: number): Promise<QueryResult> {
    if (this.#isClosed) throw new DatabaseAway(this.#database.address.shown, 'it was closed')
    this.#connection ??= this.#open()
    const connection = await this.#connection
    return connection.run(statement, [], patience)
  }

  /** Closes the connection immediately. */
  async close(): Promise<void> {
    this.#isClosed = true
    const connection = await this.#connection?.catch(() => undefined) // it was not opened
    connection?.end()
  }

  #open(): Promise<DatabaseConnection> {
    const { address } = this.#database
    const forget = () => {
      if (this.#connection === opening) this.#connection = null
    }
    const opening = this.#database.connect(this.#channel, { ended: forget }).then(async (connection) => {
      await connection.listen(this.#channel, (schema) => {
        if (schema === address.schema) this.#onNotice()
      })
      return connection
    })
    opening.catch(forget) // the caller gets the error
    return opening
  }
}

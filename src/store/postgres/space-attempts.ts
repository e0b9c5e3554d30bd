import { eachAttempt } from '../../domain/model/outbox.ts'
import type { AttemptRecord, NumberedAttempt } from '../storage.ts'
import type { QueryResult } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'
import { RecordLog } from './record-log.ts'

interface SpaceAttemptsOptions {
  readonly database: Database
  readonly space: HeldSpace
  readonly report: (error: Error) => void
}

/** Fewest attempts that are kept. assumption: attempt-log */
const minAttempts = 10_000

/** Most attempts that `latest` returns. */
const mostLatest = 200

/** The last attempts of a space. It is for display only: attempts that cannot be written are reported and dropped. */
export class SpaceAttempts<T extends NumberedAttempt> implements AttemptRecord<T> {
  readonly #options: SpaceAttemptsOptions
  readonly #log: RecordLog<T>

  constructor(options: SpaceAttemptsOptions) {
    this.#options = options
    this.#log = new RecordLog({
      write: (attempts) => this.#write(attempts),
      trim: () =>
        this.#remove(
          `and id <= (
            select id from attempts where space = $1 order by id desc offset ${minAttempts} limit 1)`,
        ),
      waits: false,
      report: options.report,
    })
  }

  add(attempt: T): void {
    for (const each of eachAttempt(attempt)) this.#log.add(each)
  }

  of(merchantId: string, numbers: ReadonlySet<number>): Promise<T[]> {
    return this.#select('and merchant_id = $2 and number = any($3::bigint[]) order by id', [
      merchantId,
      [...numbers],
    ])
  }

  async *all(): AsyncGenerator<T> {
    yield* (await this.#select(`order by id desc limit ${minAttempts}`)).reverse()
  }

  async latest(): Promise<readonly T[]> {
    return (await this.#select(`order by id desc limit ${mostLatest}`)).reverse()
  }

  forget(): Promise<void> {
    return this.#log.after(() => this.#remove(''))
  }

  written(): Promise<void> {
    return this.#log.written()
  }

  async #select(rest: string, values: readonly (string | number[])[] = []): Promise<T[]> {
    await this.written()
    const { rows } = await this.#run(`select body from attempts where space = $1 ${rest}`, values)
    return rows.map(({ body }) => JSON.parse(body ?? '') as T)
  }

  #write(attempts: readonly T[]): Promise<QueryResult> {
    const merchants = JSON.stringify(attempts.map(({ merchantId }) => merchantId))
    return this.#run(
      `insert into attempts (space, merchant_id, number, body)
        select spaces.name, e.merchant, e.number, e.body from spaces, rows from (
          json_array_elements_text($2::json), unnest($3::bigint[]), json_array_elements($4::json)
        ) with ordinality as e(merchant, number, body, ordinal)
        where spaces.name = $1 and owner = $5 order by e.ordinal`,
      [merchants, attempts.map(({ number }) => number), JSON.stringify(attempts), this.#owner],
    )
  }

  /** A late statement must not remove the rows of another node that has taken the space. */
  #remove(which: string): Promise<QueryResult> {
    return this.#run(
      `delete from attempts where space in (select name from spaces where name = $1 and owner = $2) ${which}`,
      [this.#owner],
    )
  }

  #run(text: string, values: readonly (string | number[])[] = []): Promise<QueryResult> {
    const { database, space } = this.#options
    return database.run(text, [space.facts.name, ...values])
  }

  get #owner(): string {
    return this.#options.space.facts.owner
  }
}

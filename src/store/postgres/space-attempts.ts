import type pg from 'pg'
import { eachAttempt } from '../../domain/model/outbox.ts'
import type { AttemptRecord, NumberedAttempt } from '../storage.ts'
import type { StatementValue } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'
import { RecordLog } from './record-log.ts'

/** Fewest attempts that are kept. assumption: attempt-log */
const minAttempts = 10_000

/** Most attempts that `latest` returns. */
const mostLatest = 200

/** Condition of a change: a late one must not touch rows of another node that has taken the space. */
const isOurs = 'spaces.name = $1 and owner = $2'

/** The last attempts of a space. It is for display only: attempts that cannot be written are reported and dropped. */
export class SpaceAttempts<T extends NumberedAttempt> implements AttemptRecord<T> {
  readonly #space: HeldSpace
  readonly #report: (error: Error) => void
  readonly #log: RecordLog<T>

  constructor(space: HeldSpace, report: (error: Error) => void) {
    this.#space = space
    this.#report = report
    const oldest = `select id from attempts where space = $1 order by id desc offset ${minAttempts} limit 1`
    this.#log = new RecordLog({
      write: (attempts) => this.#write(attempts).catch(report),
      trim: () => this.#remove(`and id <= (${oldest})`),
      report,
    })
  }

  add(attempt: T): void {
    for (const each of eachAttempt(attempt)) this.#log.add(each)
  }

  of(merchantId: string, numbers: ReadonlySet<number>): Promise<T[]> {
    const rest = 'and merchant_id = $2 and number = any($3::bigint[]) order by id'
    return this.#select(rest, [merchantId, [...numbers]])
  }

  async *all(): AsyncGenerator<T> {
    yield* (await this.#select(`order by id desc limit ${minAttempts}`)).reverse()
  }

  async latest(): Promise<readonly T[]> {
    return (await this.#select(`order by id desc limit ${mostLatest}`)).reverse()
  }

  async forget(): Promise<void> {
    await this.written()
    await this.#remove('').catch(this.#report)
  }

  written(): Promise<void> {
    return this.#log.written()
  }

  async #select(rest: string, values: readonly StatementValue[] = []): Promise<T[]> {
    await this.written()
    const { database, name } = this.#space.facts
    const text = `select body from attempts where space = $1 ${rest}`
    const { rows } = await database.run<{ body: T }>(text, [name, ...values])
    return rows.map(({ body }) => body)
  }

  #write(attempts: readonly T[]): Promise<unknown> {
    return this.#change(
      `insert into attempts (space, merchant_id, number, body)
        select spaces.name, e.merchant, e.number, e.body from spaces, rows from (
          json_array_elements_text($3::json), unnest($4::bigint[]), json_array_elements($5::json)
        ) with ordinality as e(merchant, number, body, ordinal)
        where ${isOurs} order by e.ordinal`,
      [
        JSON.stringify(attempts.map(({ merchantId }) => merchantId)),
        attempts.map(({ number }) => number),
        JSON.stringify(attempts),
      ],
    )
  }

  #remove(which: string): Promise<unknown> {
    return this.#change(
      `delete from attempts where space in (select name from spaces where ${isOurs}) ${which}`,
    )
  }

  #change(text: string, values: readonly StatementValue[] = []): Promise<pg.QueryResult> {
    const { database, name, owner } = this.#space.facts
    return database.run(text, [name, owner, ...values])
  }
}

import { RecordLog } from '../../../shared/files/record-log.ts'
import type { AttemptRecord, LoggedAttempt } from '../storage.ts'
import { recordWait } from './connection/database-errors.ts'
import type { StatementValue } from './connection/statement.ts'
import type { HeldSpace } from './held-space.ts'

/** Fewest attempts that are kept. assumption: attempt-log */
const minAttempts = 10_000

/** Condition of a change: a late one must not touch rows of another node that has taken the space. */
const isOurs = 'spaces.name = $1 and owner = $2'

const insertion = `insert into attempts (space, merchant_id, number, body)
  select spaces.name, e.merchant, e.number, e.body from spaces, rows from (
    json_array_elements_text($3::json), unnest($4::bigint[]), json_array_elements($5::json)
  ) with ordinality as e(merchant, number, body, ordinal)
  where ${isOurs} order by e.ordinal`

const selection = `select body from attempts
  where space = $1 and merchant_id = $2 and number = any($3::bigint[]) order by id`

const deletion = `delete from attempts where space in (select name from spaces where ${isOurs})`

const oldest = `select id from attempts where space = $1 order by id desc offset ${minAttempts} limit 1`

/** The last attempts of a space, for display only: those that cannot be written are dropped. */
export function spaceAttempts(
  { facts: { database, name, owner } }: HeldSpace,
  report: (error: Error) => void,
): AttemptRecord {
  const change = (text: string, values: readonly StatementValue[] = []) =>
    database.run(text, [name, owner, ...values]).catch(report)
  const log = new RecordLog<LoggedAttempt>({
    write: (attempts) =>
      change(insertion, [
        JSON.stringify(attempts.map(({ merchantId }) => merchantId)),
        attempts.map(({ number }) => number),
        JSON.stringify(attempts),
      ]),
    trim: () => change(`${deletion} and id <= (${oldest})`),
    report,
    ...recordWait,
  })
  return {
    add: (attempt) => log.add(attempt),
    async of(merchantId, numbers) {
      await log.written()
      const { rows } = await database.run<{ body: LoggedAttempt }>(selection, [
        name,
        merchantId,
        [...numbers],
      ])
      return rows.map(({ body }) => body)
    },
    async forget() {
      await log.written()
      await change(deletion)
    },
    written: () => log.written(),
  }
}

import { Refusal, reject } from '../../../contract/errors.ts'
import { elapsedTime, sleep } from '../../../timers.ts'
import type { Database } from '../connection/database.ts'
import { DatabaseAway } from '../connection/database-errors.ts'

/** Pause between two attempts to reach the database. Milliseconds. */
const pause = 50

const refusal = {
  message: 'The sandbox could not use its database, so the request was not accepted',
  remedy: 'Send the request again, in a second',
} as const

/**
 * For authenticated callers, who may see where the database is. Errors: a refusal unchanged, otherwise SBX_STORE_FAIL
 * with the error of the database.
 */
function refuseDatabase(error: Error): never {
  if (error instanceof Refusal) throw error
  return reject('SBX_STORE_FAIL', { ...refusal, detail: error.message })
}

/** For callers that are not authenticated yet. Errors: SBX_STORE_FAIL, without detail. */
export const refuseUnknown = (): never =>
  reject('SBX_STORE_FAIL', { ...refusal, detail: 'the database that has the tokens does not answer' })

/**
 * Repeats idempotent work while the database does not answer. `patience`: milliseconds for an attempt. Errors: as
 * `refuseDatabase`.
 */
export async function retryOrRefuse<T>(
  { address }: Pick<Database, 'address'>,
  work: (patience: number) => Promise<T>,
): Promise<T> {
  const until = elapsedTime() + address.unavailableAfter
  for (;;) {
    try {
      // The other half of the time is for another attempt.
      return await work(Math.max(1, Math.round((until - elapsedTime()) / 2)))
    } catch (error) {
      if (!(error instanceof DatabaseAway) || elapsedTime() + pause >= until)
        return refuseDatabase(error as Error)
    }
    await sleep(pause)
  }
}

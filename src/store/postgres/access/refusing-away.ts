import { reject } from '../../../contract/errors.ts'

/**
 * Awaits what the database is asked for. `detail`: said in place of its error, to callers that are not authenticated yet.
 * Errors: SBX_STORE_FAIL.
 */
export async function refusingAway<T>(asked: Promise<T>, detail?: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    return reject('SBX_STORE_FAIL', {
      message: 'The sandbox could not use its database, so the request was not accepted',
      detail: detail ?? (error as Error).message,
      remedy: 'Send the request again, in a second',
    })
  }
}

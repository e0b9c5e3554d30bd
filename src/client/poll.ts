import type { TransactionRecord } from '../contract/records.ts'
import { isFinal, type Status, statusOf } from '../contract/statuses.ts'
import { elapsedTime, sleep } from '../timers.ts'
import { call, type Target } from './client.ts'

/**
 * Polls until `look` finds something; resolves to undefined after the time limit. `look` gets the time left. `pauses`:
 * the first, and the longest. Times in milliseconds. Errors: those of `look`.
 */
export async function poll<T>(
  look: (left: number) => Promise<T | undefined>,
  timeout: number,
  [firstPause, longestPause]: readonly [number, number],
): Promise<T | undefined> {
  const end = elapsedTime() + timeout
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const found = await look(end - elapsedTime())
    const left = end - elapsedTime()
    if (found !== undefined || left <= 0) return found
    await sleep(Math.min(pause, left))
  }
}

/**
 * Queries until the status is final or the time is over, retrying failed queries. Resolves to the last record, or
 * undefined when no query was answered. Times in milliseconds.
 */
export async function waitForFinal(
  target: Target,
  query: Readonly<Record<string, string>>,
  waitMs: number,
  watch: (status: Status | undefined) => void,
): Promise<TransactionRecord | undefined> {
  let record: TransactionRecord | undefined
  const look = async (left: number) => {
    const timeout = Math.max(left, 1000)
    record = await call<TransactionRecord>(target, 'query', query, { timeout }).catch(() => record)
    const status = record && statusOf(record.transactionStatus)
    watch(status)
    return status !== undefined && isFinal(status) ? record : undefined
  }
  await poll(look, waitMs, [20, 1000])
  return record
}

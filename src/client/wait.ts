import type { TransactionRecord } from '../contract/records.ts'
import { isFinal, type Status, statusOf } from '../contract/statuses.ts'
import { call, type Target } from './client.ts'

/**
 * Queries until the status is final or the time is over. Returns the last record, or undefined when no query was
 * answered; a query that fails is tried again until then. Times in milliseconds.
 */
export async function waitForFinal(
  target: Target,
  query: Readonly<Record<string, string>>,
  waitMs: number,
  watch: (status: Status | undefined) => void,
): Promise<TransactionRecord | undefined> {
  const end = performance.now() + waitMs
  let record: TransactionRecord | undefined
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1000)) {
    const timeout = Math.max(end - performance.now(), 1000)
    record = await call<TransactionRecord>(target, 'query', query, { timeout }).catch(() => record)
    const status = record && statusOf(record.transactionStatus)
    watch(status)
    const left = end - performance.now()
    if ((status !== undefined && isFinal(status)) || left <= 0) return record
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)))
  }
}

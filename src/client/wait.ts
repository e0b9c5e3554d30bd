import type { TransactionRecord } from '../api/records.ts'
import { isFinal, type Status, statusOf } from '../api/statuses.ts'
import { call, type Target } from './client.ts'

/** Queries until the status is final or the time is over, and returns the last record. Times in milliseconds. */
export async function waitForFinal(
  target: Target,
  query: Readonly<Record<string, string>>,
  waitMs: number,
  watch: (status: Status | undefined) => void,
): Promise<TransactionRecord> {
  const end = performance.now() + waitMs
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1000)) {
    const record = await call<TransactionRecord>(target, 'query', query)
    const status = statusOf(record.transactionStatus)
    watch(status)
    const left = end - performance.now()
    if ((status !== undefined && isFinal(status)) || left <= 0) return record
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)))
  }
}

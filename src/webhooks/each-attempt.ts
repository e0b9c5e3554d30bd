import { allNumbers } from '../domain/model/outbox.ts'
import type { NumberedAttempt } from '../store/storage.ts'

/** Splits a shared attempt into one for each of its deliveries. */
export const eachAttempt = <T extends NumberedAttempt>(attempt: T): T[] =>
  attempt.others === undefined
    ? [attempt]
    : allNumbers(attempt).map((number) => ({ ...attempt, number, others: undefined }))

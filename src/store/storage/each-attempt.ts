import { allNumbers } from '../../domain/model/outbox.ts'
import type { NumberedAttempt } from './storage.ts'

/** The attempt of each delivery that had it. */
export const eachAttempt = <T extends NumberedAttempt>(attempt: T): T[] =>
  attempt.others === undefined
    ? [attempt]
    : allNumbers(attempt).map((number) => ({ ...attempt, number, others: undefined }))

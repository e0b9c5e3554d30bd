import type { NumberedAttempt } from './storage.ts'

/** The attempt of each delivery that had it. */
export const eachAttempt = <T extends NumberedAttempt>(attempt: T): T[] =>
  attempt.others === undefined
    ? [attempt]
    : [attempt.number, ...attempt.others].map((number) => ({ ...attempt, number, others: undefined }))

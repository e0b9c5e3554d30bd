import { isFinal, type Status } from '../../contract/statuses.ts'

/** Exit codes. One table for the commands, their help and the README. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  unsuccessful: 4,
  notFinal: 5,
} as const

/** Meaning of each exit code, in words. */
export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done (or accepted, with --no-wait)',
  1: 'refused by the service',
  2: 'wrong usage: a wrong value, or a question answered with no',
  3: 'no usable answer in time; the request may have been carried out',
  4: 'final, but declined or closed; or done in part',
  5: 'not final when the wait ended',
}

/** The exit code for a status of a transaction; undefined: unknown. */
export function exitCodeOf(status: Status | undefined): number {
  if (status === undefined || !isFinal(status)) return exitCodes.notFinal
  return status === 'SUCCESS' ? exitCodes.done : exitCodes.unsuccessful
}

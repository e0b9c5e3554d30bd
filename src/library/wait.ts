import { poll } from '../client/poll.ts'
import { NamedError } from '../named-error.ts'

/** A wait failed: its condition was not met in time, or can no longer be met. */
export class WaitFailed extends NamedError {
  static override readonly name = 'WaitFailed'
}

/** How long to wait. */
export interface WaitOptions {
  /** Milliseconds of real time; left out: 4,000. */
  readonly timeout?: number | undefined
}

/**
 * Default time limit of a wait: shorter than the 5,000 ms of a test in vitest and jest, which would hide WaitFailed.
 */
export const usualWait = 4_000

/**
 * Polls until `look` resolves to a value other than undefined; `why` explains a timeout. Errors: WaitFailed; those of
 * `look`.
 */
export async function until<T>(
  look: () => Promise<T | undefined>,
  why: () => string | Promise<string>,
  { timeout = usualWait }: WaitOptions = {},
): Promise<T> {
  const found = await poll(look, timeout, [5, 100])
  if (found === undefined) throw new WaitFailed(waitedText(await why(), timeout))
  return found
}

/** Message of a wait that timed out. A text of several lines gets another line. */
export const waitedText = (why: string, timeout: number): string =>
  `${why}${why.includes('\n') ? '\n' : ' '}(waited ${timeout} ms)`

import { poll } from '../../client/client.ts'
import { type Duration, refuseUnknownNames, requireMilliseconds } from './options.ts'

/** A wait failed: its condition was not met in time, or can no longer be met. */
export class WaitFailed extends Error {
  override readonly name = 'WaitFailed'
}

/** How long to wait. */
export interface WaitOptions {
  /** Real time: milliseconds, or a text such as `2s`; absent: 4,000. */
  readonly timeout?: Duration | undefined
}

/** Default time limit of a wait: below the 5,000 ms of a test, whose own limit would hide WaitFailed. */
export const usualWait = 4_000

/** The time limit in milliseconds. Errors: InvalidOption. */
export function timeLimitMs({ timeout = usualWait, ...others }: WaitOptions = {}): number {
  refuseUnknownNames(others, ['timeout'], 'an option of a wait')
  return requireMilliseconds(timeout, 'timeout')
}

/**
 * Polls until `look` resolves to a value other than undefined; `why` explains a timeout. Errors: WaitFailed;
 * InvalidOption; those of `look`.
 */
export async function until<T>(
  look: () => Promise<T | undefined>,
  why: () => string | Promise<string>,
  options?: WaitOptions,
): Promise<T> {
  const timeout = timeLimitMs(options)
  const found = await foundWithin(timeout, look)
  if (found === undefined) throw new WaitFailed(waitedText(await why(), timeout))
  return found
}

/** Polls until `look` resolves to something, for at most so many milliseconds. Errors: those of `look`. */
export const foundWithin = <T>(timeout: number, look: () => Promise<T | undefined>): Promise<T | undefined> =>
  poll(look, timeout, [5, 100])

/** Message of a wait that timed out. After a text of several lines it has a line of its own. */
export const waitedText = (why: string, timeout: number): string =>
  `${why}${why.includes('\n') ? '\n' : ' '}(waited ${timeout} ms)`

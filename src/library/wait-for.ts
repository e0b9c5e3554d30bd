import { poll } from '../client/client.ts'

/** A wait failed: its condition was not met in time, or can no longer be met. */
export class WaitFailed extends Error {
  override readonly name = 'WaitFailed'
}

/** How long to wait. */
export interface WaitOptions {
  /** Milliseconds of real time; absent: 4,000. */
  readonly timeout?: number | undefined
}

/** Default time limit of a wait: below the 5,000 ms of a test in vitest and jest, which would hide WaitFailed. */
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

/** Message of a wait that timed out. After a text of several lines it has a line of its own. */
export const waitedText = (why: string, timeout: number): string =>
  `${why}${why.includes('\n') ? '\n' : ' '}(waited ${timeout} ms)`

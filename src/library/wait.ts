import { poll } from '../client/wait.ts'
import { NamedError } from '../named-error.ts'

/** What was waited for did not come about in time, or cannot any more. */
export class WaitFailed extends NamedError {
  static override readonly name = 'WaitFailed'
}

/** How long to wait. */
export interface WaitOptions {
  /** Milliseconds of real time; left out: 4,000. */
  readonly timeout?: number | undefined
}

/** How long is waited when nobody says otherwise: shorter than the 5,000 ms of a test in vitest and jest, which would hide WaitFailed. */
export const usualWait = 4_000

/**
 * Looks again and again until something is found. `look` resolves to it, or to undefined; `why` tells what is the matter
 * once the time is over. Errors: WaitFailed; those of `look`.
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

/** What a wait says that ended too late. A text of several lines gets another one. */
export const waitedText = (why: string, timeout: number): string =>
  `${why}${why.includes('\n') ? '\n' : ' '}(waited ${timeout} ms)`

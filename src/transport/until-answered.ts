import { sleep } from '../timers.ts'

/** Pauses between attempts while the receiver does not answer: the first, and the one after another. Milliseconds. */
export const firstPause = 250
export const pauseAfter = (pause: number): number => Math.min(pause * 2, 5_000)

/** Tells that a receiver is unreachable, for the reason `gone`, or with null that it answers again. */
export const presenceText = (receiver: string, gone: string | null): string =>
  gone === null
    ? `${receiver} answers again`
    : `${receiver}: ${gone}; notifications wait, and follow in order`

/**
 * Repeats an attempt until the receiver answers; reports when it stops answering and when it answers again. Also
 * returns after `signal`, or when an attempt had nothing to send.
 */
export function untilAnswered(receiver: string, signal: AbortSignal, report: (message: string) => void) {
  let isGone = false
  return async <T extends { status: number | null; error: string | null } | undefined>(
    attempt: () => Promise<T>,
  ): Promise<T> => {
    for (let pause = firstPause; ; pause = pauseAfter(pause)) {
      const result = await attempt()
      if (result === undefined || signal.aborted) return result
      const wasGone = isGone
      isGone = result.status === null
      if (wasGone !== isGone) report(presenceText(receiver, isGone ? String(result.error) : null))
      if (!isGone) return result
      await sleep(pause, signal)
    }
  }
}

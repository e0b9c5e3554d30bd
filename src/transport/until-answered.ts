import { sleep } from '../timers.ts'

/** Pauses between attempts while nobody answers: the first, and the one after another. Milliseconds. */
export const firstPause = 250
export const pauseAfter = (pause: number): number => Math.min(pause * 2, 5_000)

/** Says that a receiver is gone, with the reason, or that it is back: null. */
export const presenceText = (receiver: string, gone: string | null): string =>
  gone === null
    ? `${receiver} answers again`
    : `${receiver}: ${gone}; notifications wait, and follow in order`

/**
 * Repeats attempts to reach a receiver until it answers; reports when it is gone and back. An attempt without an answer
 * comes back once `signal` says so; one that had nothing to send, at once.
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

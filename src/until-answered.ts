import { sleep } from './timers.ts'

/** Pauses between attempts while nobody answers: the first, and the longest. Milliseconds. */
const [minPause, maxPause] = [250, 5_000]

/**
 * Repeats attempts to reach a receiver until it answers; reports when it is gone and back. An attempt without an answer
 * comes back once `signal` says so; one that had nothing to send, at once.
 */
export function untilAnswered(receiver: string, signal: AbortSignal, report: (message: string) => void) {
  let isGone = false
  return async <T extends { status: number | null; error: string | null } | undefined>(
    attempt: () => Promise<T>,
  ): Promise<T> => {
    for (let pause = minPause; ; pause = Math.min(pause * 2, maxPause)) {
      const result = await attempt()
      if (result === undefined || signal.aborted) return result
      const wasGone = isGone
      isGone = result.status === null
      if (wasGone && !isGone) report(`${receiver} answers again`)
      if (!wasGone && isGone) report(`${receiver}: ${result.error}; notifications wait, and follow in order`)
      if (!isGone) return result
      await sleep(pause, signal)
    }
  }
}

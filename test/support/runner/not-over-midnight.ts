import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, vi } from 'vitest'

/**
 * In every test file: a test that would run over midnight UTC begins after it. A void, for one, is refused on the day after
 * its sale.
 */

const day = 86_400_000

/** Longer than a test takes that deals with days by the real clock. */
const margin = 30_000

beforeEach(async () => {
  const left = day - (Date.now() % day)
  if (left < margin && !vi.isFakeTimers()) await sleep(left)
})

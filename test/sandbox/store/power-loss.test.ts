import { beforeEach, expect, test } from 'vitest'
import { useTestDisk } from '../../support/store/disk.ts'
import { loseForwarding } from '../../support/store/forward-loss.ts'
import { losePower } from '../../support/store/power-loss.ts'

beforeEach(useTestDisk)

test('a power loss at some points of a short run takes nothing that was acknowledged', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await losePower({ seed, operations: 25, losses: 50, variants: 2 })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  expect(figures['power losses']).toBeGreaterThan(20)
})

test('a power loss during --forward-to loses no notification: each arrives before it or after the next start', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await loseForwarding({ seed, operations: 25, losses: 25, variants: 2 })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  expect(figures['notifications due']).toBeGreaterThan(0)
})

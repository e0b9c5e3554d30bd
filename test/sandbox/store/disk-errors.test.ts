import { beforeEach, expect, test } from 'vitest'
import { useTestDisk } from '../../support/store/disk.ts'
import { failEveryCall } from '../../support/store/disk-errors.ts'

beforeEach(useTestDisk)

test('a disk error at some calls of a short run loses nothing that was acknowledged', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await failEveryCall({ seed, operations: 20, runs: 10 })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  expect(figures['calls that failed']).toBeGreaterThan(2) // those with EIO early in the run always do
})

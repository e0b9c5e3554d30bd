import { expect, test, vi } from 'vitest'
import { failEveryCall } from '../support/disk-errors.ts'

vi.mock('node:fs', async (original) => (await import('../support/disk.ts')).watched(await original()))
vi.mock('node:fs/promises', async () => (await import('../support/disk.ts')).watchedPromises())
vi.mock('../../src/store/file/fold-in-worker.ts', async () => {
  const { inProcess } = await import('../support/fold-in-process.ts')
  return inProcess
})

test('a disk error at some calls of a short run loses nothing that was acknowledged', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await failEveryCall({ seed, operations: 20, runs: 10 })
  expect(problems, `TILLBOX_SEED=${seed}`).toEqual([])
  expect(figures['calls that failed']).toBeGreaterThan(2) // those with EIO early in the run always do
})

import { expect, test, vi } from 'vitest'
import { failEveryCall } from '../support/disk-errors.ts'
import { printFigures } from '../support/figures.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/random.ts'

// TILLBOX_OPERATIONS  operations of each of the three parts of a run; 40
// TILLBOX_ERRORS      runs at most, each with an error at another call or of another kind; 3,000
// TILLBOX_SEED        the seed of a run before

vi.mock('node:fs', async (original) => (await import('../support/disk.ts')).watched(await original()))
vi.mock('node:fs/promises', async () => (await import('../support/disk.ts')).watchedPromises())
vi.mock('../../src/store/file/fold-in-worker.ts', async () => {
  const { inProcess } = await import('../support/fold-in-process.ts')
  return inProcess
})

test('a disk error at any call loses nothing that was acknowledged, and is over when the disk works again', async () => {
  const seed = seedFromEnvironment()
  const most = fromEnvironment('TILLBOX_OPERATIONS', 40)
  const runs = fromEnvironment('TILLBOX_ERRORS', 3_000)
  const { figures, problems } = await failEveryCall({ seed, operations: most, runs })
  printFigures('disk errors', { ...figures, problems: problems.length, seed })
  expect(problems).toEqual([])
})

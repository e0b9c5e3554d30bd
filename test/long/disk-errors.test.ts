import { beforeEach, expect, test } from 'vitest'
import { printFigures } from '../support/load/figures.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/load/random.ts'
import { useTestDisk } from '../support/store/disk.ts'
import { failEveryCall } from '../support/store/disk-errors.ts'

// TILLBOX_OPERATIONS  operations of each of the three parts of a run; 40
// TILLBOX_ERRORS      runs at most, each with an error at another call or of another kind; 3,000
// TILLBOX_SEED        the seed of a run before

beforeEach(useTestDisk)

test('a disk error at any call loses nothing that was acknowledged, and is over when the disk works again', async () => {
  const seed = seedFromEnvironment()
  const most = fromEnvironment('TILLBOX_OPERATIONS', 40)
  const runs = fromEnvironment('TILLBOX_ERRORS', 3_000)
  const { figures, problems } = await failEveryCall({ seed, operations: most, runs })
  printFigures('disk errors', { ...figures, problems: problems.length, seed })
  expect(problems).toEqual([])
})

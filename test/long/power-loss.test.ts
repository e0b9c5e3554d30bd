import { beforeEach, expect, test } from 'vitest'
import { addFigures, type Findings, printFigures } from '../support/load/figures.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../support/load/random.ts'
import { useTestDisk } from '../support/store/disk.ts'
import { loseForwarding } from '../support/store/forward-loss.ts'
import { losePower, type PowerLossOptions } from '../support/store/power-loss.ts'

// TILLBOX_RUNS        runs, each with a seed of its own; 20, and 5 with --forward-to
// TILLBOX_OPERATIONS  operations of each of the parts of a run; 60, and 40
// TILLBOX_LOSSES      power losses of each run, about so many; 1,500, and 400
// TILLBOX_SEED        the seed of a run before
// TILLBOX_KEEP        folder for the state folders that failed

beforeEach(useTestDisk)

async function inManyRuns(
  title: string,
  runs: number,
  lose: (options: PowerLossOptions) => Promise<Findings>,
  usual: Pick<PowerLossOptions, 'operations' | 'losses'>,
): Promise<void> {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const [figures, problems] = [{} as Record<string, number>, [] as string[]]
  for (let run = 0; run < fromEnvironment('TILLBOX_RUNS', runs); run++) {
    const result = await lose({
      seed: run === 0 ? seed : random.whole(2 ** 31),
      operations: fromEnvironment('TILLBOX_OPERATIONS', usual.operations),
      losses: fromEnvironment('TILLBOX_LOSSES', usual.losses),
      variants: 4,
      keep: process.env.TILLBOX_KEEP,
    })
    addFigures(figures, { runs: 1, ...result.figures })
    problems.push(...result.problems)
  }
  printFigures(title, { ...figures, problems: problems.length, seed })
  expect(problems).toEqual([])
}

test('a power loss after any change of the disk takes nothing that was acknowledged', () =>
  inManyRuns('power loss', 20, losePower, { operations: 60, losses: 1_500 }))

test('a power loss during --forward-to loses no notification: each arrives before it or after the next start', () =>
  inManyRuns('power loss with --forward-to', 5, loseForwarding, { operations: 40, losses: 400 }))

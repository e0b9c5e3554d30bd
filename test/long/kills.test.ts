import { expect, test } from 'vitest'
import { printFigures } from '../support/figures.ts'
import { killMany } from '../support/kills.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/random.ts'

// TILLBOX_ROUNDS  kills; 1,000
// TILLBOX_LANES   sandboxes side by side; 2
// TILLBOX_SEED    the seed of a run before; the moments of the kills are those of this machine all the same
// TILLBOX_KEEP    folder for a copy of the state of what failed

test('after every kill -9, in every phase, everything acknowledged is there and is told', async () => {
  const seed = seedFromEnvironment()
  const rounds = fromEnvironment('TILLBOX_ROUNDS', 1_000)
  const lanes = fromEnvironment('TILLBOX_LANES', 2)
  const { figures, problems } = await killMany({ rounds, lanes, seed, keep: process.env.TILLBOX_KEEP })
  printFigures('kill -9', { ...figures, problems: problems.length, seed })
  expect(problems).toEqual([])
})

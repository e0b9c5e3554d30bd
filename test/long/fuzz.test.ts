import { expect, test } from 'vitest'
import { printFigures } from '../support/figures.ts'
import { fuzz } from '../support/fuzz.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/random.ts'

// TILLBOX_REQUESTS  requests; 1,000,000
// TILLBOX_LANES     connections at the same time; 48
// TILLBOX_SEED      the seed of a run before: the requests are the same, the order in which they arrive is not

test('whatever is sent: the sandbox lives, answers with known codes, and a restart finds what was there', async () => {
  const seed = seedFromEnvironment()
  const requests = fromEnvironment('TILLBOX_REQUESTS', 1_000_000)
  const begun = performance.now()
  const { figures, problems } = await fuzz({ requests, lanes: fromEnvironment('TILLBOX_LANES', 48), seed })
  const perSecond = Math.round((1000 * (figures.requests ?? 0)) / (performance.now() - begun))
  printFigures('fuzz', { ...figures, 'requests a second': perSecond, problems: problems.length, seed })
  expect(problems).toEqual([])
})

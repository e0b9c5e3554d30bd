import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printFigures } from '../support/load/figures.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/load/random.ts'
import { type OpenStore, storesFromEnvironment } from '../support/load/sandbox-storage.ts'
import { fuzz } from '../support/openapi/fuzz.ts'

// TILLBOX_STORES    files, postgres, or files,postgres, one after the other; left out, both
// TILLBOX_REQUESTS  requests over each of them; 1,000,000
// TILLBOX_LANES     connections at the same time; 48
// TILLBOX_SEED      the seed of a run before: the requests are the same, the order in which they arrive is not

describe.each(storesFromEnvironment())('a sandbox over $name', ({ name, isSkipped, open }) => {
  let store: OpenStore
  beforeAll(async () => {
    if (!isSkipped) store = await open()
  })
  afterAll(() => store?.close())

  test.skipIf(isSkipped)(
    'whatever is sent, the sandbox lives, answers with known codes, and a restart finds what was there',
    async () => {
      const seed = seedFromEnvironment()
      const requests = fromEnvironment('TILLBOX_REQUESTS', 1_000_000)
      const lanes = fromEnvironment('TILLBOX_LANES', 48)
      const begun = performance.now()
      const { figures, problems } = await fuzz({ requests, lanes, seed, storage: store.makeStorage() })
      const perSecond = Math.round((1000 * (figures.requests ?? 0)) / (performance.now() - begun))
      printFigures(`fuzz over ${name}`, {
        ...figures,
        'requests a second': perSecond,
        problems: problems.length,
        seed,
      })
      expect(problems).toEqual([])
    },
  )
})

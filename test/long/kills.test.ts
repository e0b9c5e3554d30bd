import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printFigures } from '../support/load/figures.ts'
import { killMany } from '../support/load/kills.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/load/random.ts'
import { type OpenStore, storesFromEnvironment } from '../support/load/sandbox-storage.ts'

// TILLBOX_STORES  files, postgres, or files,postgres, one after the other; left out, both
// TILLBOX_ROUNDS  kills over each of them; 1,000
// TILLBOX_LANES   sandboxes side by side; 2
// TILLBOX_SEED    the seed of a run before; the moments of the kills are those of this machine all the same
// TILLBOX_KEEP    folder for a copy of what failed: the state folder, or the schema as SQL

describe.each(storesFromEnvironment())('a sandbox over $name', ({ name, isSkipped, lanes, open }) => {
  let store: OpenStore
  beforeAll(async () => {
    if (!isSkipped) store = await open()
  })
  afterAll(() => store?.close())

  test.skipIf(isSkipped)(
    'after every kill -9, in every phase, everything acknowledged is there and every notification arrives',
    async () => {
      const seed = seedFromEnvironment()
      const { figures, problems } = await killMany({
        rounds: fromEnvironment('TILLBOX_ROUNDS', 1_000),
        lanes: fromEnvironment('TILLBOX_LANES', lanes),
        seed,
        makeStorage: store.makeStorage,
        keep: process.env.TILLBOX_KEEP,
      })
      printFigures(`kill -9 over ${name}`, { ...figures, problems: problems.length, seed })
      expect(problems).toEqual([])
    },
  )
})

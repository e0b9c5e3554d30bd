import { expect, test } from 'vitest'
import { killMany } from '../support/load/kills.ts'
import { makeFolderStorage } from '../support/load/sandbox-storage.ts'

test('kill -9 under load, at the start, in compaction, stop and reset loses nothing acknowledged', async () => {
  let acknowledged = 0
  for (let run = 0; run < 5 && acknowledged <= 15; run++) {
    // A busy machine does less in the time that is left to it, and is given more.
    const seed = (Date.now() + run) % 2 ** 31
    const options = { rounds: 6, lanes: 2, seed, makeStorage: makeFolderStorage }
    const { figures, problems } = await killMany(options)
    expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
    expect(figures.kills).toBe(6)
    acknowledged += figures['operations acknowledged'] ?? 0
  }
  expect(acknowledged).toBeGreaterThan(15)
})

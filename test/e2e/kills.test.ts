import { expect, test } from 'vitest'
import { killMany } from '../support/kills.ts'

test('a few kills -9 under load, at the start, in compaction, stop and reset: nothing acknowledged is lost', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await killMany({ rounds: 6, lanes: 2, seed })
  expect(problems, `TILLBOX_SEED=${seed}`).toEqual([])
  expect(figures.kills).toBe(6)
  expect(figures['operations acknowledged']).toBeGreaterThan(50)
})

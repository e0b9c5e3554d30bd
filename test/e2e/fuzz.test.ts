import { expect, test } from 'vitest'
import { makeFolderStorage } from '../support/load/sandbox-storage.ts'
import { fuzz } from '../support/openapi/fuzz.ts'

test('hundreds of odd requests over real sockets get known codes and no stack, and a restart keeps the state', async () => {
  const seed = Date.now() % 2 ** 31
  const { figures, problems } = await fuzz({ requests: 300, lanes: 16, seed, storage: makeFolderStorage() })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  expect(figures.accepted).toBeGreaterThan(5)
})

import { expect, test } from 'vitest'
import { createIdentifiers } from '../../../src/sandbox/engine/identifiers.ts'
import { newId } from '../../support/service/new-id.ts'
import { openService, openSold, sale, temporaryFolder, WallClock } from '../../support/service/service.ts'

/** A state folder with transactions of these ids. */
async function stored(wall: () => number, ids: readonly string[]): Promise<string> {
  const folder = temporaryFolder()
  const { sandbox, call, close } = await openService({ state: folder, wall })
  await call('sale', sale(1000))
  const ledgers = [...sandbox.engine.state.ledgers.values()]
  const [made] = ledgers.flatMap(({ transactions }) => [...transactions])
  const state = sandbox.emptyState()
  const ledger = [...state.ledgers.values()][0]
  if (made === undefined || ledger === undefined) throw new Error('there is no sale, or no merchant')
  for (const id of ids)
    ledger.transactions.add({ ...structuredClone(made), id, transactionRequestId: newId() })
  await sandbox.engine.reset(() => state)
  await close()
  return folder
}

test.each([
  ['the last', ['5000000000000000', '5000000000000007']],
  ['the first', ['5000000000000007', '5000000000000000']],
  ['one with more digits', ['999999999999999', '5000000000000007', '999999999999998']],
])('new ids go on from the greatest that is stored, although the clock is behind: %s', async (_, ids) => {
  const wall = new WallClock(Date.UTC(2026, 10, 20, 12)).read
  const { data } = await openSold(sale(1000), { state: await stored(wall, ids), wall })
  expect(data.transactionId).toBe('5000000000000008')
})

test('new ids go on from the greatest of a state that takes the place of another, although the clock is behind', async () => {
  const wall = new WallClock(Date.UTC(2026, 10, 20, 12)).read
  const ahead = await openService({ state: await stored(wall, ['5000000000000007']), wall })
  const { call, sandbox } = await openService({ wall })
  await sandbox.engine.reset(() => ahead.sandbox.engine.state)
  expect((await call('sale', sale(1000))).data.transactionId).toBe('5000000000000008')
})

test('payments of the same moment in several spaces have ids of their own, and so have their notifications', async () => {
  const spaces = Array.from({ length: 10 }, () => createIdentifiers(() => Date.UTC(2026, 10, 20, 12)))
  expect(new Set(spaces.map(({ transactionId }) => transactionId())).size).toBeGreaterThan(1)
})

import { expect, test } from 'vitest'
import { openDashboard } from '../support/pages/dashboard.ts'

test('transactions that are new or decided since a mark are counted, and none for a mark of another state', async () => {
  const { get, sell, control } = await openDashboard()
  const ask = async (since = '') => JSON.parse((await get(`/unread?since=${since}`)).text)
  await sell(1000)
  await sell(1250, { terminalSn: 'TBX-ATTENDED-001' })
  const { count, mark } = await ask()
  expect([count, mark]).toEqual([0, '2-1'])
  await sell(1000)
  expect(await ask(mark)).toEqual({ count: 1, mark: '3-1' })
  await control('POST', 'terminals/TBX-ATTENDED-001/present', { card: 'visa-contactless' })
  expect((await ask(mark)).count).toBe(2)
  await sell(1250, { terminalSn: 'TBX-ATTENDED-001' })
  expect((await ask(mark)).count).toBe(3)
  expect((await ask('half a mark')).count).toBe(0)
  await control('POST', 'reset')
  expect(await ask(mark)).toEqual({ count: 0, mark: '0-0' })
})

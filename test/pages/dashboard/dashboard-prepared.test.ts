import { expect, test, vi } from 'vitest'
import { followStream, openDashboard } from '../../support/pages/dashboard.ts'

const paths = [
  '/',
  '/?status=declined',
  '/webhooks',
  '/batches',
  '/reset',
  '/start',
  '/palette?q=order',
  '/unread?since=0-0',
  '/transactions.csv',
]

test('a page waits until the figures were counted, in several turns of the event loop', async () => {
  const { get, sell, sandbox } = await openDashboard()
  await sell(1000)
  for (const path of paths) {
    const prepare = vi.spyOn(sandbox.statistics, 'prepare')
    expect([path, (await get(path)).status]).toEqual([path, 200])
    expect([path, prepare.mock.calls.length > 0]).toEqual([path, true])
    prepare.mockRestore()
  }
})

test('the stream of a page also waits for figures that were forgotten meanwhile', async () => {
  const { url, sandbox, sell } = await openDashboard()
  const { until } = await followStream(`${url}/live`)
  await until(() => true)
  sandbox.statistics.forget()
  const prepare = vi.spyOn(sandbox.statistics, 'prepare')
  const next = await sell(2000)
  await until((push) => push.includes(`row-${next}`))
  expect(prepare).toHaveBeenCalled()
})

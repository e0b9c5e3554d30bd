import { expect, test } from 'vitest'
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

/** A dashboard with one sale; `seen` tells whether anything was counted at once, as it is where nothing was prepared. */
async function openWatched() {
  const dashboard = await openDashboard()
  const sold = await dashboard.sell(1000)
  const { statistics } = dashboard.sandbox
  const prepare = statistics.prepare.bind(statistics)
  const seen = { isPrepared: false, countedAtOnce: false }
  Object.defineProperties(statistics, {
    prepare: {
      value: async () => {
        await prepare()
        seen.isPrepared = true
      },
    },
    current: {
      get() {
        seen.countedAtOnce ||= !seen.isPrepared
        return Reflect.get(Object.getPrototypeOf(statistics), 'current', statistics)
      },
    },
  })
  return { ...dashboard, sold, seen }
}

test.each(paths)(
  '%s waits for the figures, which are counted in several turns of the event loop',
  async (path) => {
    const { get, seen } = await openWatched()
    expect((await get(path)).status).toBe(200)
    expect(seen).toEqual({ isPrepared: true, countedAtOnce: false })
  },
)

test('the stream of a page also waits for figures that were forgotten meanwhile', async () => {
  const { url, sandbox, sell, sold, seen } = await openWatched()
  const { until } = await followStream(`${url}/live`)
  await until((push) => push.includes(`row-${sold}`))
  sandbox.statistics.forget()
  seen.isPrepared = false
  const next = await sell(2000)
  await until((push) => push.includes(`row-${next}`))
  expect(seen).toEqual({ isPrepared: true, countedAtOnce: false })
})

import { describe, expect, test } from 'vitest'
import { type Dashboard, followStream, openDashboard } from '../../support/pages/dashboard.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const attended = { terminalSn: 'TBX-ATTENDED-001' }

const tap = ({ control }: Dashboard) =>
  control('POST', 'terminals/TBX-ATTENDED-001/present', { card: 'visa-contactless' })

/** Which of the steps a page shows as done; null where it shows none of them. */
function doneOn(html: string): number[] | null {
  if (!html.includes('id="start-title"')) return null
  return [...html.matchAll(/start-step-done" data-step="(\d)"/g)].map(([, number]) => Number(number))
}

const stepsDone = async ({ get }: Dashboard, path = '/') => doneOn((await get(path)).text)

describe('the first steps', () => {
  test('the first steps show commands with the URL and the attended terminal of this sandbox', async () => {
    const { get, url, read } = await openDashboard()
    const words = await read('/')
    expect(words).toContain('0 of 3 done')
    for (const command of [
      `tillbox sale --amount 10.00 --base-url ${url}`,
      `tillbox sale --amount 12.50 --terminal TBX-ATTENDED-001 --base-url ${url}`,
      `tillbox listen localhost:3000/webhooks --base-url ${url}`,
    ])
      expect(words).toContain(`Copy ${command}`)
    expect((await get('/')).text).toMatch(/href="\/terminal\/TBX-ATTENDED-001"/)
  })

  test('the first steps are ticked on the open page, and leave the home page once all are done', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard()
    const { url, sell } = dashboard
    const home = await followStream(`${url}/live`)
    const { until } = await followStream(`${url}/start/live`)
    await until((push) => push.includes('0 of 3 done'))
    expect(await stepsDone(dashboard)).toEqual([])
    expect(await stepsDone(dashboard, '/?q=nothing')).toBeNull()
    await sell(1000)
    await until((push) => push.includes('1 of 3 done') && doneOn(push)?.join() === '1')
    expect(await stepsDone(dashboard)).toEqual([1])
    const waiting = await sell(1250, attended)
    await tap(dashboard)
    const tapped = await until((push) => push.includes('2 of 3 done'))
    expect(doneOn(tapped)).toEqual([1, 2])
    expect(tapped).toContain(`href="/transactions/${waiting}"`)
    await sell(1000, { notifyUrl: receiver.url })
    await until((push) => push.includes('3 of 3 done'))
    await home.until((push) => /<div id="start" hx-swap-oob="innerHTML"><\/div>/.test(push))
    expect(await stepsDone(dashboard)).toBeNull()
  })

  test('the first steps leave the home page after ten transactions', async () => {
    const dashboard = await openDashboard()
    await dashboard.sellMany(10)
    expect(await stepsDone(dashboard)).toEqual([1])
    await dashboard.sell(1000)
    expect(await stepsDone(dashboard)).toBeNull()
    expect(await stepsDone(dashboard, '/start')).toEqual([1])
  })

  test('the first steps ask for an attended terminal if there is none', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('PATCH', 'terminals/TBX-ATTENDED-001', { mode: 'auto' })
    expect(await dashboard.read('/start')).toContain('tillbox terminal add DESK-1 --mode attended')
  })
})

import { describe, expect, test } from 'vitest'
import { type Dashboard, followStream, openDashboard, visibleText } from '../../support/pages/dashboard.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const attended = { terminalSn: 'TBX-ATTENDED-001' }

const tap = ({ control }: Dashboard) =>
  control('POST', 'terminals/TBX-ATTENDED-001/present', { card: 'visa-contactless' })

/** Which of the steps a page shows as done; null where it shows none of them, also where it has them in one line. */
function doneOn(html: string): number[] | null {
  if (!html.includes('id="start-title"')) return null
  return [...html.matchAll(/start-step-done" data-step="(\d)"/g)].map(([, number]) => Number(number))
}

const stepsDone = async ({ get }: Dashboard, path = '/', headers = {}) =>
  doneOn((await get(path, headers)).text)

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

  test('the first steps are ticked on the open page, and in one line on the home page until all are done', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard()
    const { url, sell } = dashboard
    const home = await followStream(`${url}/live`)
    const { until } = await followStream(`${url}/start/live`)
    await until((push) => push.includes('0 of 3 done'))
    await sell(1000)
    await until((push) => push.includes('1 of 3 done') && doneOn(push)?.join() === '1')
    await home.until((push) => visibleText(push).includes('First steps 1 of 3 done Next: Tap a card Hide'))
    const waiting = await sell(1250, attended)
    await until((push) => push.includes('waits at TBX-ATTENDED-001'))
    await tap(dashboard)
    const tapped = await until((push) => push.includes('2 of 3 done'))
    expect(doneOn(tapped)).toEqual([1, 2])
    expect(tapped).toContain(`href="/transactions/${waiting}"`)
    await sell(1000, { notifyUrl: receiver.url })
    await home.until((push) => /<div id="start" hx-swap-oob="innerHTML"><\/div>/.test(push))
    expect(await stepsDone(dashboard)).toBeNull()
    expect(await stepsDone(dashboard, '/start')).toEqual([1, 2, 3])
  })

  test('the step of the tap is ticked by a person, whatever the mode of the terminal was before or is now', async () => {
    const dashboard = await openDashboard()
    const { control, sell } = dashboard
    const setMode = (mode: string) => control('PATCH', 'terminals/TBX-ATTENDED-001', { mode })
    await setMode('auto')
    await sell(1000, attended)
    await setMode('attended')
    expect(await stepsDone(dashboard, '/start')).toEqual([1])
    await sell(1000, attended)
    await tap(dashboard)
    await setMode('auto')
    expect(await stepsDone(dashboard, '/start')).toEqual([1, 2])
  })

  test('the first steps say that a server did not accept a webhook', async () => {
    const receiver = await openReceiver(500)
    const dashboard = await openDashboard({ retries: [] })
    await dashboard.sell(1000, { notifyUrl: receiver.url })
    await receiver.got(1)
    const { until } = await followStream(`${dashboard.url}/start/live`)
    await until((push) => push.includes('your server has to answer 200'))
    expect(await stepsDone(dashboard, '/start')).toEqual([1])
  })

  test('the first steps leave the home page after ten transactions, and are not on a filtered page', async () => {
    const dashboard = await openDashboard()
    expect(await stepsDone(dashboard, '/?q=nothing')).toBeNull()
    const hasLine = async () => (await dashboard.get('/')).text.includes('aria-label="First steps"')
    await dashboard.sellMany(10)
    expect(await hasLine()).toBe(true)
    await dashboard.sell(1000)
    expect(await hasLine()).toBe(false)
    expect(await stepsDone(dashboard, '/start')).toEqual([1])
  })

  test('the first steps can be hidden and shown again, and the empty list leads to hidden ones', async () => {
    const dashboard = await openDashboard()
    const { get, post, read } = dashboard
    const hidden = await post('/start/hide')
    expect([hidden.status, hidden.headers.location]).toEqual([303, expect.stringMatching(/^\/\?notice=/)])
    const set = String(hidden.headers['set-cookie'])
    expect(set).toMatch(/^tillbox_start=hidden; .*HttpOnly.*SameSite=Strict/)
    const headers = { Cookie: 'tillbox_start=hidden' }
    expect(await stepsDone(dashboard, '/', headers)).toBeNull()
    expect(await read('/', headers)).toContain('Or follow the first steps')
    expect((await get('/', headers)).text).toMatch(/sse-connect="\/live\?[^"]*start=off"/)
    expect(await stepsDone(dashboard, '/start', headers)).toEqual([])
    expect((await get('/start', headers)).text).toContain('action="/start/show"')
    expect(String((await post('/start/show')).headers['set-cookie'])).toMatch(/^tillbox_start=; Max-Age=0/)
  })

  test('the first steps ask for an attended terminal if there is none', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('PATCH', 'terminals/TBX-ATTENDED-001', { mode: 'auto' })
    expect(await dashboard.read('/start')).toContain('tillbox terminal add DESK-1 --mode attended')
  })
})

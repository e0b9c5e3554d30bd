import { describe, expect, test, vi } from 'vitest'
import { type Dashboard, followStream, openDashboard, visibleText } from '../support/pages/dashboard.ts'

const minute = 60_000

/** What the page says to which a form led. */
async function submit(
  { get, post, url }: Dashboard,
  path: string,
  form: Readonly<Record<string, string>> = {},
  from = '/webhooks',
): Promise<{ readonly to: string; readonly text: string; readonly words: string }> {
  const { status, headers } = await post(path, form, { Referer: `${url}${from}` })
  expect(status).toBe(303)
  const { text } = await get(headers.location ?? '')
  return { to: new URL(headers.location ?? '', url).pathname, text, words: visibleText(text) }
}

const clockOf = ({ data }: Dashboard) => data('clock')

const snapshotsOf = async ({ data }: Dashboard): Promise<string[]> =>
  (await data('snapshots')).snapshots.map(({ name }: { readonly name: string }) => name)

describe('the clock in the masthead', () => {
  test('the clock shows real time, its offset or its frozen time, with the date in its title', async () => {
    const dashboard = await openDashboard()
    const { get, control } = dashboard
    const fact = async (path = '/') => /id="fact-clock">(.*?)<\/span>/s.exec((await get(path)).text)?.[1]
    expect(await fact()).toMatch(/>real time$/)
    await control('POST', 'clock', { action: 'advance', milliseconds: 26 * 60 * minute })
    for (const path of ['/', '/docs', '/terminals', '/terminal/TBX-SLOW-001'])
      expect(await fact(path)).toMatch(/fact-unusual.*>\+1 d 2 h$/)
    await control('POST', 'clock', { action: 'freeze' })
    await control('POST', 'clock', { action: 'set', time: '2026-11-20T17:10:00Z' })
    expect(await fact()).toMatch(/title="2026-11-20 17:10:00 UTC">17:10:00 UTC · frozen$/)
    await control('POST', 'clock', { action: 'reset' })
    await control('POST', 'clock', { action: 'set', time: new Date(Date.now() - 90 * minute).toISOString() })
    expect(await fact()).toMatch(/>−1 h 30 min$/)
  })

  test('buttons freeze, set, move and reset the clock, and the reader stays on the page', async () => {
    const dashboard = await openDashboard()
    const { to, words } = await submit(dashboard, '/clock', { order: 'freeze' }, '/webhooks?state=failed')
    expect(to).toBe('/webhooks')
    expect(words).toMatch(/The sandbox clock stands at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./)
    await submit(dashboard, '/clock', { order: 'set', time: '2026-11-20T17:10' })
    expect(await clockOf(dashboard)).toMatchObject({ now: '2026-11-20T17:10:00.000Z', frozen: true })
    await submit(dashboard, '/clock', { order: '1m' })
    await submit(dashboard, '/clock', { order: '1h' })
    await submit(dashboard, '/clock', { order: '1d' })
    expect((await clockOf(dashboard)).now).toBe('2026-11-21T18:11:00.000Z')
    expect((await submit(dashboard, '/clock', { order: 'resume' })).words).toContain('runs from 2026-11-21')
    expect((await clockOf(dashboard)).frozen).toBe(false)
    expect((await submit(dashboard, '/clock', { order: 'reset' })).words).toContain('back to real time')
  })

  test('buttons set the speed of the clock', async () => {
    const dashboard = await openDashboard()
    const { words } = await submit(dashboard, '/clock', { order: '60x' })
    expect(words).toMatch(/The sandbox clock runs from .* UTC, 60x as fast as the wall clock\./)
    expect(words).toContain('1x 10x 600x')
    expect(await clockOf(dashboard)).toMatchObject({ speed: 60 })
    await submit(dashboard, '/clock', { order: 'freeze' })
    expect((await submit(dashboard, '/clock', { order: '10x' })).words).toContain(
      '; once resumed it runs 10x',
    )
  })

  test('a button moves the clock to what is due next', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    const id = await dashboard.sell(1000, {}, { 'X-Sandbox-Outcome': 'late-approval' })
    const [before] = [await clockOf(dashboard)]
    expect(await dashboard.read('/')).toContain('Next due:')
    await submit(dashboard, '/clock', { order: 'next-due' })
    expect(Date.parse((await clockOf(dashboard)).now)).toBe(Date.parse(before.now) + minute)
    expect(await dashboard.read(`/transactions/${id}`)).toContain('Approved')
  })

  test.each([
    [{ order: 'set', time: '' }, 'Cannot|must'],
    [{ order: 'set', time: 'yesterday' }, 'Time must be a time such as .* tomorrow 9:00'],
    [{ order: 'set', time: '1999-01-01T00:00' }, 'within the years 2000 to 9998'],
    [{ order: 'sideways' }, 'Order must be a duration such as 1h, a speed'],
    [{ order: '3601x' }, 'at most 3600'],
    [{}, 'Order must be'],
  ])(
    'the menu of the clock refuses %j, stays open with what was typed, and changes nothing',
    async (form, message) => {
      const dashboard = await openDashboard()
      await dashboard.control('POST', 'clock', { action: 'freeze' })
      const before = await clockOf(dashboard)
      const { to, text } = await submit(dashboard, '/clock', form)
      expect(to).toBe('/webhooks')
      const menu = /<details class="menu [^"]*menu-clock"[\s\S]*?<\/details>/.exec(text)?.[0] ?? ''
      expect(menu).toContain(' open')
      expect(/role="alert">(.*?)</.exec(menu)?.[1]).toMatch(new RegExp(message))
      if ('time' in form && form.time !== '') expect(menu).toContain(`value="${form.time}"`)
      expect(text).not.toContain('data-toast')
      expect((await clockOf(dashboard)).now).toBe(before.now)
    },
  )
})

describe('queued outcomes in the masthead', () => {
  test('outcomes are queued, listed and cleared', async () => {
    const dashboard = await openDashboard()
    const form = { terminalSn: 'TBX-AUTO-001', outcome: 'lost-card', times: '3' }
    const queued = await submit(dashboard, '/outcomes', form, '/terminals')
    expect(queued.to).toBe('/terminals')
    expect(queued.words).toContain('Queued lost-card for the next 3 payments at TBX-AUTO-001.')
    expect(queued.words).toContain('3 × lost-card at TBX-AUTO-001 Clear')
    const more = await submit(dashboard, '/outcomes', { ...form, outcome: 'approve', times: '1' })
    expect(more.words).toContain('Queued approve for the next payment at TBX-AUTO-001.')
    const id = await dashboard.sell(1000)
    expect(await dashboard.read(`/transactions/${id}`)).toContain('041')
    const cleared = await submit(dashboard, '/outcomes/clear', { terminalSn: 'TBX-AUTO-001' })
    expect(cleared.words).toContain('No outcome is queued.')
    await submit(dashboard, '/outcomes', form)
    await submit(dashboard, '/outcomes', { ...form, terminalSn: 'TBX-SLOW-001' })
    expect((await submit(dashboard, '/outcomes/clear')).words).toContain('No outcome is queued.')
  })

  test.each([
    [
      { terminalSn: 'TBX-AUTO-01', outcome: 'lost-card', times: '1' },
      /There is no terminal TBX-AUTO-01\. See which there are\./,
    ],
    [
      { terminalSn: 'TBX-AUTO-001', outcome: 'lost-cart', times: '1' },
      /There is no outcome lost-cart\. Did you mean lost-card\?/,
    ],
    [{ terminalSn: 'TBX-AUTO-001', outcome: 'lost-card', times: 'two' }, /Times must be/],
  ])('the menu of outcomes refuses %j', async (form, message) => {
    const dashboard = await openDashboard()
    const { text } = await submit(dashboard, '/outcomes', form)
    expect(visibleText(/<p class="menu-refused[^"]*"[\s\S]*?<\/p>/.exec(text)?.[0] ?? '')).toMatch(message)
    expect(visibleText(text)).toContain('No outcome is queued.')
  })
})

describe('faults in the masthead', () => {
  test('a fault is injected and removed again, and the reader stays on the page', async () => {
    const dashboard = await openDashboard()
    const { to, text, words } = await submit(dashboard, '/faults', { kind: 'http-503', times: '10' }, '/')
    expect(to).toBe('/')
    expect(words).toContain('Injected http-503, 10 times.')
    expect(text).toMatch(/<form method="post" action="\/faults\/f1\/clear">/)
    expect((await submit(dashboard, '/faults/f1/clear')).words).toContain('No fault is on.')
  })

  test.each(['10', ''])('each fault of the menu ends after %j times, or after one', async (times) => {
    const dashboard = await openDashboard()
    const { text } = await dashboard.get('/')
    const menu = /<select name="kind".*?<\/select>/s.exec(text)?.[0] ?? ''
    const kinds = [...menu.matchAll(/value="([^"]+)"/g)].map(([, kind = '']) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['http-503', 'drop', 'stale']))
    for (const kind of kinds) await submit(dashboard, '/faults', { kind, times })
    const { faults } = await dashboard.data('faults')
    expect(faults).toMatchObject(kinds.map((kind) => ({ kind, times: Number(times || 1) })))
  })

  test('several faults are shown as a count, with their names in the title', async () => {
    const { get, control } = await openDashboard()
    const fact = async () => /id="fact-faults">(.*?)<\/span>/s.exec((await get('/')).text)?.[1]
    await control('POST', 'faults', { kind: 'http-503', operation: 'refund' })
    expect(await fact()).toMatch(/>http-503 for refund$/)
    await control('POST', 'faults', { kind: 'lost-answer' })
    expect(await fact()).toMatch(/title="http-503 for refund, lost-answer".*>2 faults$/)
  })
})

describe('the state in the masthead', () => {
  test('the state is saved under a name, listed, and restored with Undo', async () => {
    const dashboard = await openDashboard()
    const first = await dashboard.sell(1000)
    const icons = [
      ...(await dashboard.get('/')).text.matchAll(/<(?:summary|li><a)[^>]*>\s*<svg class="icon (icon-\w+)/g),
    ]
    expect(icons.length).toBeGreaterThan(8)
    expect(new Set(icons.map(([, icon]) => icon)).size).toBe(icons.length) // one for each menu and page
    expect((await submit(dashboard, '/snapshots', { name: ' one-sale ' })).words).toContain(
      'Saved one-sale with 1 transaction.',
    )
    const menu = await dashboard.get('/snapshots/latest')
    expect(visibleText(menu.text)).toMatch(/one-sale 1 transaction, [\d:]{8} Restore one-sale/)
    expect((await dashboard.get('/terminals')).text).not.toContain('one-sale') // no page reads the folder
    const second = await dashboard.sell(2000)
    const restored = await submit(dashboard, '/snapshots/one-sale/restore', {}, `/transactions/${second}`)
    expect(restored.to).toBe('/')
    expect(restored.words).toContain('Restored one-sale with 1 transaction. Undo')
    expect(restored.text).toContain(`row-${first}`)
    expect(restored.text).not.toContain(`row-${second}`)
    const undo = /data-toast[\s\S]*?action="([^"]+)"/.exec(restored.text)?.[1] ?? ''
    expect((await submit(dashboard, undo, {}, '/')).text).toContain(`row-${second}`)
    expect(await dashboard.read('/snapshots')).toMatch(
      /before-restore-\S+ .*one-sale 1 transaction, saved .* Compare one-sale with now Restore one-sale Delete… one-sale/,
    )
    const question = await dashboard.read('/snapshots/one-sale/delete')
    expect(question).toMatch(
      /Delete the snapshot one-sale\? It has 1 transaction as of \S+ \S+, saved \S+ \S+ UTC\. This cannot be undone\. Delete Keep it/,
    )
    expect(await snapshotsOf(dashboard)).toContain('one-sale')
    await submit(dashboard, '/snapshots/one-sale/delete')
    expect(await snapshotsOf(dashboard)).not.toContain('one-sale')
  })

  test('the state is reset after a question that changes nothing, and Undo brings it back', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const question = await dashboard.get('/reset')
    expect(visibleText(question.text)).toMatch(
      /Reset the sandbox\? This deletes 1 transaction, their batches, \d notifications, queued outcomes and used request ids\./,
    )
    expect(await snapshotsOf(dashboard)).toEqual([])
    const { to, text, words } = await submit(dashboard, '/reset', {}, '/reset')
    expect(to).toBe('/')
    expect(text).not.toContain(`row-${id}`)
    expect(words).toMatch(/Reset\. 1 transaction kept in before-reset-\d{8}-\d{6}-\d{3}\. Undo/)
    const undo = /data-toast[\s\S]*?action="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await submit(dashboard, undo, {}, '/')).text).toContain(`row-${id}`)
  })

  test.each([
    ['/reset', ''],
    ['/snapshots/empty/restore', 'empty'],
  ])(
    'a payment that is sent while %s saves the state is accepted after it, and stays',
    async (path, snapshot) => {
      const dashboard = await openDashboard()
      if (snapshot !== '') await submit(dashboard, '/snapshots', { name: snapshot })
      await dashboard.sell(1000)
      const { snapshots } = dashboard.sandbox
      const save = snapshots.save.bind(snapshots)
      let selling: Promise<string> | undefined
      vi.spyOn(snapshots, 'save').mockImplementation(async (...saved) => {
        const head = await save(...saved)
        selling = dashboard.sell(2000)
        await Promise.race([selling, new Promise((resolve) => setTimeout(resolve, 300))])
        return head
      })
      await submit(dashboard, path)
      expect((await dashboard.get('/')).text).toContain(`row-${await selling}`)
    },
  )

  test('the last three snapshots from before a reset are kept, and every snapshot of the user', async () => {
    const dashboard = await openDashboard()
    await submit(dashboard, '/snapshots', { name: 'before-reset-mine' })
    for (let times = 0; times < 5; times++) {
      await dashboard.sell(1000)
      await submit(dashboard, '/reset')
    }
    const names = await snapshotsOf(dashboard)
    expect(names).toHaveLength(4)
    expect(names).toContain('before-reset-mine')
  })

  test('a state is kept once, however often it is reset', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(1000)
    for (let times = 0; times < 5; times++) await submit(dashboard, '/reset')
    expect(await snapshotsOf(dashboard)).toHaveLength(1)
    const { words, text } = await submit(dashboard, '/reset')
    expect(words).toContain('Reset. Nothing was stored.')
    expect(text).not.toContain('Undo')
  })

  test('a restore of an unknown snapshot is refused and saves no snapshot', async () => {
    const dashboard = await openDashboard()
    expect(await dashboard.post('/snapshots/none/restore')).toMatchObject({
      status: 404,
      words: expect.stringContaining('Nothing was changed'),
    })
    expect(await snapshotsOf(dashboard)).toEqual([])
  })
})

test('a form leads to a page of its own sandbox, whatever the Referer header says', async () => {
  const { post } = await openDashboard()
  for (const referer of [
    'http://evil.example//other.example/x',
    'nonsense',
    'http://evil.example/\\\\other.example',
  ]) {
    const { headers } = await post('/clock', { order: 'freeze' }, { Referer: referer })
    expect(headers.location).toMatch(/^\/[^/\\]?/)
    expect(new URL(headers.location ?? '', 'http://sandbox.example').host).toBe('sandbox.example')
  }
})

test('the masthead of the page of webhooks follows outcomes that are queued', async () => {
  const dashboard = await openDashboard()
  const { until } = await followStream(`${dashboard.url}/webhooks/live`)
  await until(() => true)
  await submit(dashboard, '/outcomes', { terminalSn: 'TBX-AUTO-001', outcome: 'lost-card', times: '2' })
  await until((push) => push.includes('id="fact-outcomes"') && push.includes('2 at TBX-AUTO-001'))
})

import { describe, expect, test, vi } from 'vitest'
import { type Dashboard, followStream, openDashboard } from '../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  byRole,
  hrefsIn,
  namesOf,
  type PageAnswer,
  pageOf,
  wordsOf,
} from '../support/pages/page.ts'

const minute = 60_000

/** The page to which a form led. */
async function submit(
  { get, post, url }: Dashboard,
  path: string,
  form: Readonly<Record<string, string>> = {},
  from = '/webhooks',
): Promise<PageAnswer & { readonly to: string }> {
  const { status, headers } = await post(path, form, { Referer: `${url}${from}` })
  expect(status).toBe(303)
  const answer = await get(headers.location ?? '')
  return Object.assign(answer, { to: new URL(headers.location ?? '', url).pathname })
}

const clockOf = ({ data }: Dashboard) => data('clock')

const snapshotsOf = async ({ data }: Dashboard): Promise<string[]> =>
  (await data('snapshots')).snapshots.map(({ name }: { readonly name: string }) => name)

/** What the button of the sandbox says. */
const button = async ({ get }: Dashboard, path = '/'): Promise<string> =>
  wordsOf(byRole((await get(path)).page, 'button', /^Sandbox/))

/** Method and address of the form of a button. */
function formOf(page: Document, name: string | RegExp): string[] {
  const form = byRole(page, 'button', name).closest('form')
  return ['method', 'action'].map((attribute) => form?.getAttribute(attribute) ?? '')
}

test('the control leads to every page of the sandbox, and to the reset', async () => {
  const { get } = await openDashboard()
  const control = byRole((await get('/docs')).page, 'button', 'Sandbox').parentElement as Element
  expect(hrefsIn(control)).toEqual([
    ...['/clock', '/faults', '/terminals', '/snapshots', '/coverage'],
    ...['/./spaces', '/./tokens', '/audit', '/reset'],
  ])
})

describe('the clock in the masthead', () => {
  test('the button says the offset or that the clock is frozen, and the row its time', async () => {
    const dashboard = await openDashboard()
    const { get, control } = dashboard
    expect(await button(dashboard)).toBe('Sandbox')
    await control('POST', 'clock', { action: 'advance', milliseconds: 26 * 60 * minute })
    for (const path of ['/', '/docs', '/terminals', '/terminal/TBX-SLOW-001'])
      expect(await button(dashboard, path)).toBe('Sandbox +1 d 2 h')
    await control('POST', 'clock', { action: 'freeze' })
    await control('POST', 'clock', { action: 'set', time: '2026-11-20T17:10:00Z' })
    expect(await button(dashboard)).toMatch(/^Sandbox −.* frozen$/)
    expect((await get('/clock/now')).words).toMatch(
      /^2026-11-20 17:10:00 UTC Frozen, .* behind the wall clock$/,
    )
    await control('POST', 'clock', { action: 'reset' })
    await control('POST', 'clock', { action: 'set', time: new Date(Date.now() - 90 * minute).toISOString() })
    expect(await button(dashboard)).toBe('Sandbox −1 h 30 min')
    expect((await get('/clock/now')).words).toMatch(/:\d\d UTC 1 h 30 min behind the wall clock/)
  })

  test('buttons freeze, set, move and reset the clock, and the reader stays on the page', async () => {
    const dashboard = await openDashboard()
    const { to, words } = await submit(dashboard, '/clock', { order: 'freeze' }, '/webhooks?state=failed')
    expect(to).toBe('/webhooks')
    expect(words).toMatch(/The sandbox clock stands at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./)
    await dashboard.control('POST', 'clock', { action: 'set', time: '2026-11-20T17:09:00Z' })
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

  test('what is typed lets pass a duration, or the time until a moment', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    const typed = byRole((await dashboard.get('/docs')).page, 'textbox', 'Advance by, or to a time')
    expect(typed.getAttribute('name')).toBe('time')
    const waiting = await dashboard.sell(2550, { terminalSn: 'TBX-ATTENDED-001' })
    const before = Date.parse((await clockOf(dashboard)).now)
    await submit(dashboard, '/clock', { order: 'set', time: ' +2 d ' })
    expect(Date.parse((await clockOf(dashboard)).now)).toBe(before + 48 * 60 * minute)
    expect(await dashboard.read(`/transactions/${waiting}`)).toContain('Closed unpaid')
    await submit(dashboard, '/clock', { order: 'set', time: 'tomorrow 9:00' })
    expect((await clockOf(dashboard)).now).toContain('T09:00:00.000Z')
    await submit(dashboard, '/clock', { order: 'set', time: '2d 3h' })
    expect((await clockOf(dashboard)).now).toContain('T12:00:00.000Z')
    const date = `${new Date(dashboard.sandbox.clock.now()).getUTCFullYear() + 1}-01-01`
    await submit(dashboard, '/clock', { order: 'set', time: date })
    expect((await clockOf(dashboard)).now).toBe(`${date}T00:00:00.000Z`)
  })

  test('buttons set the speed of the clock', async () => {
    const dashboard = await openDashboard()
    const { words } = await submit(dashboard, '/clock', { order: '60x' }, '/clock')
    expect(words).toMatch(/The sandbox clock runs from .* UTC, 60× as fast as the wall clock\./)
    expect(words).toContain('1× 10× 600×')
    expect(await clockOf(dashboard)).toMatchObject({ speed: 60 })
    await submit(dashboard, '/clock', { order: 'freeze' })
    expect((await submit(dashboard, '/clock', { order: '10x' })).words).toContain(
      '; once resumed it runs 10×',
    )
  })

  test('a button moves the clock to what is due next', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    const id = await dashboard.sell(1000, {}, { 'X-Sandbox-Outcome': 'late-approval' })
    const [before] = [await clockOf(dashboard)]
    await submit(dashboard, '/clock', { order: 'next-due' })
    expect(Date.parse((await clockOf(dashboard)).now)).toBe(Date.parse(before.now) + minute)
    expect(await dashboard.read(`/transactions/${id}`)).toContain('Approved')
  })

  test.each([
    [{ order: 'set', time: '' }, 'Cannot|must'],
    [{ order: 'set', time: 'yesterday' }, 'must be a duration such as 2d, or a time such as tomorrow 9:00'],
    [
      { order: 'set', time: '2020-01-01 00:00' },
      'is in the past: tillbox sandbox clock --set sets the clock back',
    ],
    [{ order: 'set', time: '2027-13-45' }, 'must be a duration such as 2d'],
    [{ order: 'set', time: '99999d' }, 'or a time in UTC The time must be at most 3660d\\.'],
    [{ order: 'sideways' }, 'Order must be a duration such as 1h, a speed'],
    [{ order: '3601x' }, 'at most 3600'],
    [{}, 'Order must be'],
  ])(
    'a refused %j shows the page of the clock with what was typed, and changes nothing',
    async (form, message) => {
      const dashboard = await openDashboard()
      await dashboard.control('POST', 'clock', { action: 'freeze' })
      const before = await clockOf(dashboard)
      const { status, page, words } = await dashboard.post('/clock', form)
      expect(status).toBe(422)
      expect(words).toMatch(new RegExp(message))
      expect(namesOf(page, 'heading')[0]).toBe('Clock')
      if ('time' in form) expect(attributesOf(page, 'main [name=time]', 'value')).toContain(form.time)
      expect((await clockOf(dashboard)).now).toBe(before.now)
    },
  )

  test('a browser is led to the refused form by an address, so that it can go back', async () => {
    const { get, post } = await openDashboard()
    const from = { 'Sec-Fetch-Mode': 'navigate' }
    const { status, headers } = await post('/clock', { order: 'set', time: 'soon' }, from)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/clock\?notice=/)])
    const { page, words } = await get(headers.location ?? '')
    expect(attributesOf(page, '[autofocus][aria-invalid=true]', 'value')).toEqual(['soon'])
    expect(words).toContain('must be a duration such as 2d')
    expect(page.querySelector('[data-toast]')).toBeNull()
    expect(await get('/requests?q=POST').then((page) => page.words)).toContain('C17')
  })
})

describe('queued outcomes in the masthead', () => {
  test('outcomes are queued, listed and cleared', async () => {
    const dashboard = await openDashboard()
    const form = { terminalSn: 'TBX-AUTO-001', outcome: 'lost-card' }
    const queued = await submit(dashboard, '/outcomes', form, '/terminals')
    expect(queued.to).toBe('/terminals')
    expect(queued.words).toContain('Queued lost-card for the next payment at TBX-AUTO-001.')
    expect(queued.words).toContain('lost-card at TBX-AUTO-001 Clear')
    await dashboard.control('POST', 'terminals/TBX-SLOW-001/queue', { outcome: 'approve', times: 3 })
    expect(await dashboard.read('/')).toContain('3 × approve at TBX-SLOW-001 Clear')
    expect(await button(dashboard)).toBe('Sandbox 4 queued')
    const id = await dashboard.sell(1000)
    expect(await dashboard.read(`/transactions/${id}`)).toContain('041')
    const cleared = await submit(dashboard, '/outcomes/clear', { terminalSn: 'TBX-AUTO-001' })
    expect(cleared.words).toContain('Sandbox 3 queued')
    await submit(dashboard, '/outcomes', form)
    await submit(dashboard, '/outcomes', { ...form, terminalSn: 'TBX-SLOW-001' })
    expect((await submit(dashboard, '/outcomes/clear')).words).toContain('No outcome is queued.')
  })

  test('counts have separators, and a terminal that was removed is told where it was pressed', async () => {
    const dashboard = await openDashboard()
    for (const terminalSn of ['TBX-SLOW-001', 'TBX-AUTO-001'])
      for (let times = 0; times < 6; times++)
        await dashboard.control('POST', `terminals/${terminalSn}/queue`, { outcome: 'approve', times: 99 })
    expect(await button(dashboard)).toBe('Sandbox 1,188 queued')
    await dashboard.control('DELETE', 'terminals/TBX-SLOW-001')
    for (const path of ['/outcomes', '/outcomes/clear']) {
      const { to, words } = await submit(
        dashboard,
        path,
        { terminalSn: 'TBX-SLOW-001', outcome: 'approve' },
        '/docs',
      )
      expect([to, words]).toEqual([
        '/docs',
        expect.stringContaining('The terminal TBX-SLOW-001 is removed already.'),
      ])
    }
  })

  test('an outcome that cannot be queued is refused', async () => {
    const dashboard = await openDashboard()
    const { status, words } = await dashboard.post('/outcomes', {
      terminalSn: 'TBX-AUTO-001',
      outcome: 'lost-cart',
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(words).toMatch(/There is no outcome lost-cart/i)
    expect(await dashboard.read('/')).toContain('No outcome is queued.')
  })

  test('the page of a terminal offers to queue for it', async () => {
    const { get } = await openDashboard()
    for (const [path, serial] of [
      ['/', 'TBX-AUTO-001'],
      ['/terminal/TBX-SLOW-001', 'TBX-SLOW-001'],
    ] as const) {
      const form = (await get(path)).page.querySelector('form[action="/outcomes"]') as Element
      const terminals = byRole(form, 'combobox', 'Terminal')
      const chosen = terminals.querySelector('option[selected]') ?? terminals.querySelector('option')
      expect(chosen?.getAttribute('value')).toBe(serial)
    }
  })
})

describe('faults in the masthead', () => {
  test('a fault is injected and removed again, and the reader stays on the page', async () => {
    const dashboard = await openDashboard()
    const { to, page, words } = await submit(dashboard, '/faults', { kind: 'http-503', times: '10' }, '/')
    expect(to).toBe('/')
    expect(words).toContain('Injected http-503, 10 times.')
    expect(formOf(page, /^Remove http-503/)).toEqual(['post', '/faults/f1/clear'])
    expect((await submit(dashboard, '/faults/f1/clear')).words).toContain('No fault is on.')
    const again = await submit(dashboard, '/faults/f1/clear', {}, '/docs')
    expect([again.to, again.words]).toEqual([
      '/docs',
      expect.stringContaining('The fault is removed already.'),
    ])
  })

  test('three faults are listed, with a link to the others and a button that removes all', async () => {
    const dashboard = await openDashboard()
    const inject = () => dashboard.control('POST', 'faults', { kind: 'http-503', always: true })
    await inject()
    expect(await dashboard.read('/docs')).not.toContain('Remove all')
    for (let count = 1; count < 20; count++) await inject()
    const { page, words } = await dashboard.get('/docs')
    expect(allByRole(page, 'button', /^Remove http-503/)).toHaveLength(3)
    expect(words).toContain('17 more Remove all')
    expect((await submit(dashboard, '/faults/clear', {}, '/docs')).words).toContain('No fault is on.')
  })

  test('each fault of the control ends after one time', async () => {
    const dashboard = await openDashboard()
    const kinds = attributesOf(
      byRole((await dashboard.get('/')).page, 'combobox', 'Fault'),
      'option',
      'value',
    )
    expect(kinds).toEqual(expect.arrayContaining(['http-503', 'drop', 'stale']))
    for (const kind of kinds) await submit(dashboard, '/faults', { kind })
    const { faults } = await dashboard.data('faults')
    expect(faults).toMatchObject(kinds.map((kind) => ({ kind, times: 1 })))
  })

  test('faults are counted on the button, and named in their row', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'faults', { kind: 'http-503', operation: 'refund' })
    expect(await button(dashboard)).toBe('Sandbox 1 fault')
    await dashboard.control('POST', 'faults', { kind: 'lost-answer' })
    expect(await button(dashboard)).toBe('Sandbox 2 faults')
    expect(await dashboard.read('/')).toContain(
      'http-503 for refund Remove http-503 for refund lost-answer Remove',
    )
  })
})

describe('the state in the masthead', () => {
  test('the state is saved under a name, listed, and restored with Undo', async () => {
    const dashboard = await openDashboard()
    const first = await dashboard.sell(1000)
    expect((await submit(dashboard, '/snapshots', { name: ' one-sale ' })).words).toContain(
      'Saved one-sale with 1 transaction.',
    )
    expect((await dashboard.get('/terminals')).text).not.toContain('one-sale') // no page reads the folder
    const second = await dashboard.sell(2000)
    const restored = await submit(dashboard, '/snapshots/one-sale/restore', {}, `/transactions/${second}`)
    expect(restored.to).toBe('/')
    expect(restored.words).toContain('Restored one-sale with 1 transaction. Undo')
    expect(restored.listed).toEqual([first])
    const [, undo = ''] = formOf(restored.page, 'Undo')
    expect((await submit(dashboard, undo, {}, '/')).listed).toEqual([second, first])
    expect(await dashboard.read('/snapshots')).toMatch(
      /before-restore-\S+ .*one-sale 1 transaction, \d{4}-.* Compare one-sale with now Restore one-sale Delete… one-sale/,
    )
    const question = await dashboard.read('/snapshots/one-sale/delete')
    expect(question).toMatch(
      /Delete the snapshot one-sale\? It has 1 transaction\. Sandbox time: \S+ \S+ UTC Saved, wall clock: \S+ \S+ UTC This cannot be undone\. Delete Keep it/,
    )
    expect(await snapshotsOf(dashboard)).toContain('one-sale')
    await submit(dashboard, '/snapshots/one-sale/delete')
    expect(await snapshotsOf(dashboard)).not.toContain('one-sale')
  })

  test('the state is reset after a question that changes nothing, and Undo brings it back', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const question = await dashboard.get('/reset')
    expect(question.words).toMatch(
      /Reset the sandbox\? This deletes 1 transaction, their batches, \d webhooks, queued outcomes and used request ids\./,
    )
    expect(await snapshotsOf(dashboard)).toEqual([])
    const { to, page, listed, words } = await submit(dashboard, '/reset', {}, '/reset')
    expect(to).toBe('/')
    expect(listed).toEqual([])
    expect(words).toMatch(/Reset\. 1 transaction kept in before-reset-\d{8}-\d{6}-\d{3}\. Undo/)
    const [, undo = ''] = formOf(page, 'Undo')
    expect((await submit(dashboard, undo, {}, '/')).listed).toEqual([id])
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
      expect((await dashboard.get('/')).listed).toContain(await selling)
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
    const { words } = await submit(dashboard, '/reset')
    expect(words).toContain('Reset. Nothing was stored.')
    expect(words).not.toContain('Undo')
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
  await submit(dashboard, '/outcomes', { terminalSn: 'TBX-AUTO-001', outcome: 'lost-card' })
  await until((push) => {
    const on = pageOf(push).querySelector('#sandbox-on')
    return on !== null && wordsOf(on) === '1 queued'
  })
})

import { describe, expect, test } from 'vitest'
import { keyGroups } from '../../../src/pages/keys.ts'
import { type Dashboard, openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import { allByRole, hiddenFields, hrefsIn, wordsOf } from '../../support/pages/page.ts'

const hrefs = async ({ get }: Dashboard, typed: string): Promise<string[]> =>
  hrefsIn((await get(`/palette?q=${typed}`)).page)

/** What the palette offers for a typed text, the best first. */
async function offers({ get }: Dashboard, typed: string, at = '/'): Promise<string[]> {
  const { page } = await get(`/palette?${new URLSearchParams({ q: typed, at })}`)
  return allByRole(page, 'option').map(wordsOf)
}

/** Sends the form of the first thing that is offered. */
async function choose(dashboard: Dashboard, typed: string) {
  const { page } = await dashboard.get(`/palette?q=${encodeURIComponent(typed)}`)
  const form = page.querySelector('form[method=post]') as Element
  return dashboard.post(form.getAttribute('action') ?? '', hiddenFields(form))
}

test('the palette offers places and actions while nothing is typed', async () => {
  const dashboard = await openDashboard()
  expect(await hrefs(dashboard, '')).toEqual(
    expect.arrayContaining(['/', '/batches', '/docs', '/faults', '/snapshots', '/coverage', '/reset']),
  )
  expect(await offers(dashboard, '')).toEqual(
    expect.arrayContaining(['New payment n', 'Close and settle all batches g b, c', 'Freeze the clock']),
  )
})

test('the palette finds terminals, and transactions by order, part of an id, card and transaction request id', async () => {
  const dashboard = await openDashboard()
  const ids = { referenceOrderId: 'ORDER-77', transactionRequestId: 'asked-for-lunch' }
  const transactionId = await dashboard.sell(1250, ids)
  for (const q of ['order-77', transactionId, transactionId.slice(2, 14), 'asked-for-lunch', '1111', '12.50'])
    expect((await offers(dashboard, q))[0]).toMatch(
      /^Sale \$12\.50 · ORDER-77 Approved, \d\d:\d\d:\d\d · \d{16}$/,
    )
  expect(await hrefs(dashboard, 'attended')).toContain('/terminal/TBX-ATTENDED-001')
  expect(await hrefs(dashboard, 'nosuchword')).toEqual([])
  expect((await dashboard.get('/palette?q=0510')).text).not.toContain('5105105105105100')
  const [request] = dashboard.sandbox.log.list()
  expect(await offers(dashboard, request?.traceId ?? '')).toContain(`Request ${request?.traceId}`)
})

test('a word that begins an action does it with the payments that the others find', async () => {
  const dashboard = await openDashboard()
  const id = await dashboard.sell(1250, { referenceOrderId: 'ORDER-77' })
  const [first] = (await dashboard.get('/palette?q=refund%2077')).page.querySelectorAll('a')
  expect(first?.getAttribute('href')).toBe(`/transactions/${id}/refund`)
  expect(first?.hasAttribute('data-drawer')).toBe(true)
})

test('an action is offered for the newest payments that allow it; the list has the others', async () => {
  const dashboard = await openDashboard()
  const ids = await dashboard.sellMany(8)
  for (const id of ids.slice(1)) await dashboard.call('refund', refundRequest(id, 100))
  const all = (await hrefs(dashboard, 'refund%201111')).filter((href) => /refund$|\?q=/.test(href))
  expect(all).toEqual([
    ...ids
      .slice(-6)
      .reverse()
      .map((id) => `/transactions/${id}/refund`),
    '/?q=1111',
  ])
})

describe('what is typed is done', () => {
  test.each([
    ['503', 'Inject http-503, once'],
    ['504', 'Inject http-504, once'],
    ['lost answer', 'Inject lost-answer, once'],
    ['503 always', 'Inject http-503, always'],
    ['latency=3s', 'Inject latency=3s, once'],
    ['service down', 'Start Service down for 5 minutes fault preset'],
    ['outcome=lost-card', 'Inject outcome=lost-card, once any payment or refund'],
    ['outcome=do-not-honor', 'Inject outcome=do-not-honor, once any payment or refund'],
    ['insufficient', 'New payment with insufficient-funds 051 Insufficient funds'],
    ['queue 051', 'Queue insufficient-funds at TBX-AUTO-001 051 Insufficient funds'],
    ['queue decline', 'Queue do-not-honor at TBX-AUTO-001 005 Do not honor, decline'],
    ['settle', 'Close and settle all batches g b, c'],
    ['save lunch', 'Save the state as lunch'],
    ['pay 12.50', 'New payment of 12.50'],
    ['pay 12', 'New payment of 12'],
    ['forced', 'New payment: Forced auth'],
    ['shortcuts', 'Show keyboard shortcuts ?'],
  ])('%s: %s', async (typed, first) => {
    expect((await offers(await openDashboard(), typed))[0]).toBe(first)
  })

  test('a code finds its outcome and the card that has it', async () => {
    const found = await offers(await openDashboard(), '051')
    expect(found).toContain('Copy the number of visa-insufficient-funds 4000 … 9995 051')
    expect(found).toContain('Queue insufficient-funds at TBX-AUTO-001 051 Insufficient funds')
  })

  test.each(['error', 'diff', 'test', 'decline'])(
    'words that no entry shows find none: %s',
    async (typed) => {
      for (const each of await offers(await openDashboard(), typed))
        expect(each.toLowerCase()).toContain(typed)
    },
  )

  test('an outcome is queued at the terminal of the page', async () => {
    const found = await offers(await openDashboard(), 'queue 051', '/terminal/TBX-ATTENDED-001')
    expect(found[0]).toMatch('Queue insufficient-funds at TBX-ATTENDED-001')
  })

  test('a fault is injected and removed, and only what means something now is offered', async () => {
    const dashboard = await openDashboard()
    expect(await offers(dashboard, 'remove')).not.toContain('Remove all faults')
    expect((await choose(dashboard, '503 10 times')).status).toBe(303)
    expect(dashboard.sandbox.faults.list()).toMatchObject([{ kind: 'http-503', times: 10 }])
    expect((await offers(dashboard, 'remove'))[0]).toBe('Remove all faults')
    await choose(dashboard, 'remove')
    expect(dashboard.sandbox.faults.list()).toEqual([])
  })

  test('a snapshot is saved, compared and restored', async () => {
    const dashboard = await openDashboard()
    await choose(dashboard, 'save lunch')
    expect(await offers(dashboard, 'lunch')).toEqual([
      'Compare lunch with now snapshot',
      'Restore lunch snapshot',
      'Delete lunch… snapshot',
    ])
    expect((await choose(dashboard, 'restore lunch')).status).toBe(303)
  })
})

test('a searched text is shown as text, and a search for a card number is refused', async () => {
  const { get } = await openDashboard()
  expect((await get('/palette?q=%3Cimg%20src=x%3E')).page.querySelector('img')).toBeNull()
  expect((await get('/palette?q=4111111111111111')).status).toBe(400)
})

test('the sheet of keys has every key', async () => {
  const { read } = await openDashboard()
  const words = await read('/keys')
  for (const { title, keys } of keyGroups)
    for (const each of [title, ...keys.map(([, does]) => does)]) expect(words).toContain(each)
})

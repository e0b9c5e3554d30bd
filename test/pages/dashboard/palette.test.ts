import { expect, test } from 'vitest'
import { openDashboard, visibleText } from '../../support/pages/dashboard.ts'

const hrefs = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href as string)

test('the palette offers places and actions while nothing is typed', async () => {
  const { get } = await openDashboard()
  const { text } = await get('/palette?q=')
  expect(hrefs(text)).toEqual([
    '/',
    '/batches',
    '/webhooks',
    '/terminals',
    '/requests',
    '/docs',
    '/faults',
    '/snapshots',
    '/start',
    '/payments/new',
    '/reset',
  ])
  expect(text).toMatch(/formaction="\/clock" name="order" value="1h"/)
})

test('the palette finds terminals, and transactions by order, part of an id and transaction request id', async () => {
  const { get, call } = await openDashboard()
  const { transactionId } = await call('sale', {
    amount: 1250,
    priceCurrency: 'USD',
    referenceOrderId: 'ORDER-77',
    transactionRequestId: 'asked-for-lunch',
  })
  for (const q of ['order-77', transactionId, transactionId.slice(2, 14), 'asked-for-lunch']) {
    const { text } = await get(`/palette?q=${q}`)
    expect(hrefs(text)).toContain(`/transactions/${transactionId}`)
    expect(visibleText(text)).toContain('Sale $12.50 · ORDER-77 Approved')
  }
  expect(hrefs((await get('/palette?q=attended')).text)).toContain('/terminal/TBX-ATTENDED-001')
  expect(visibleText((await get('/palette?q=zzzzz')).text)).toContain('Nothing matches.')
})

test('every word of a search must match, and a question mark shows the keys', async () => {
  const { get } = await openDashboard()
  const { text } = await get('/palette?q=hour%20clock')
  expect(text.match(/role="option"/g)).toHaveLength(1)
  expect(visibleText((await get('/palette?q=%3F')).text)).toMatch(
    /Next row, previous row j, k .* Webhooks g w/,
  )
})

test('a searched text is shown as text, and a search for a card number is refused', async () => {
  const { get } = await openDashboard()
  expect((await get('/palette?q=%3Cimg%20src=x%3E')).text).not.toContain('<img')
  expect((await get('/palette?q=4111111111111111')).status).toBe(400)
})

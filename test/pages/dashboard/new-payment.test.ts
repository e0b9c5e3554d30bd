import { describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, fieldValue, hiddenFields, hrefsIn, wordsOf } from '../../support/pages/page.ts'
import { transactionsIn } from '../../support/service/service.ts'

/** Opens the form, and answers what posts it with these fields. */
async function openForm(dashboard: Dashboard, query = '') {
  const { status, page } = await dashboard.get(`/payments/new${query}`)
  expect(status).toBe(200)
  const { transactionRequestId = '' } = hiddenFields(page)
  const own = { transactionRequestId, priceCurrency: 'USD', terminalSn: 'TBX-AUTO-001' }
  return {
    page,
    send: (fields: Readonly<Record<string, string>>) =>
      dashboard.post('/payments/new', { ...own, ...fields }),
  }
}

describe('a new payment', () => {
  test.each([
    [{ operation: 'sale', amount: '10.00', tipAmount: '2.00' }, 'Sale $12.00: approved.'],
    [{ operation: 'auth', amount: '50' }, 'Auth $50.00: approved.'],
    [{ operation: 'forced-auth', amount: '50' }, 'Forced auth $50.00: approved.'],
    [{ operation: 'refund', amount: '5', referenceOrderId: 'ORDER-1' }, 'Refund $5.00: approved.'],
    [{ operation: 'create-session', amount: '12' }, 'Sale $12.00: waiting for shopper.'],
    [
      { operation: 'sale', amount: '10', outcome: 'do-not-honor' },
      'Sale $10.00: declined, 005 Do not honor.',
    ],
    [{ operation: 'sale', amount: '1000', priceCurrency: 'JPY' }, 'Sale ¥1,000: approved.'],
  ])('the form with %o leads to the page of its payment', async (fields, notice) => {
    const dashboard = await openDashboard()
    await dashboard.sell(5000)
    const { send } = await openForm(dashboard)
    const { status, headers } = await send(fields)
    expect(status).toBe(303)
    expect(String(headers.location)).toMatch(/^\/transactions\/\d{16}\?notice=/)
    expect(await dashboard.read(String(headers.location))).toContain(notice)
  })

  test('order and notification URL are sent, and the payment belongs to the merchant of its terminal', async () => {
    const dashboard = await openDashboard()
    const terminalSn = 'TBX-OTHER-001'
    const { send } = await openForm(dashboard)
    const notifyUrl = 'http://127.0.0.1:9/hook'
    expect((await send({ amount: '3', terminalSn, referenceOrderId: 'ORDER-77', notifyUrl })).status).toBe(
      303,
    )
    const other = dashboard.sandbox.engine.state.ledgers.get('M2000000001')
    expect([...(other?.transactions ?? [])]).toMatchObject([
      { order: 300, terminalSn, orderId: 'ORDER-77', notifyUrl },
    ])
  })

  test('a form that is opened at a terminal leads back to the terminal', async () => {
    const dashboard = await openDashboard()
    expect(hrefsIn((await dashboard.get('/terminal/TBX-ATTENDED-001')).page)).toContain(
      '/payments/new?terminalSn=TBX-ATTENDED-001&from=terminal',
    )
    const { send } = await openForm(dashboard, '?terminalSn=TBX-ATTENDED-001&from=terminal')
    const { headers } = await send({ amount: '3', terminalSn: 'TBX-ATTENDED-001', from: 'terminal' })
    expect(String(headers.location)).toMatch(/^\/terminal\/TBX-ATTENDED-001\?/)
  })

  test('a query fills the form, and the command beneath it', async () => {
    const dashboard = await openDashboard()
    const { page } = await openForm(
      dashboard,
      '?operation=auth&amount=12.50&terminalSn=TBX-TIP20-001&outcome=lost-card',
    )
    expect(attributesOf(page, '[name=operation][checked]', 'value')).toEqual(['auth'])
    expect(fieldValue(page, 'terminalSn')).toBe('TBX-TIP20-001')
    expect(fieldValue(page, 'outcome')).toBe('lost-card')
    expect(wordsOf(page)).toContain(
      'tillbox auth --amount 12.50 --price-currency USD --terminal TBX-TIP20-001 --outcome lost-card',
    )
  })

  test('a refusal is shown at its field, which has the keyboard, and what was typed stays', async () => {
    const dashboard = await openDashboard()
    const { send } = await openForm(dashboard)
    for (const [field, fields, message] of [
      ['amount', { amount: '' }, 'Amount is required'],
      ['amount', { amount: '10.005' }, 'too many decimals'],
      ['priceCurrency', { amount: '10', priceCurrency: 'usd' }, 'Did you mean USD?'],
      ['priceCurrency', { amount: '10', priceCurrency: '' }, 'Price currency is required'],
      ['terminalSn', { amount: '10', terminalSn: 'TBX-BUSY-001' }, 'busy'],
      ['referenceOrderId', { amount: '10', referenceOrderId: 'X' }, 'must be 6 to 32 characters'],
      ['referenceOrderId', { amount: '10', operation: 'refund' }, 'Reference order id is required'],
    ] as const) {
      const { status, page, words } = await send(fields)
      expect([status, words]).toEqual([422, expect.stringContaining(message)])
      for (const refused of ['[aria-invalid=true]', '[autofocus]'])
        expect(attributesOf(page, refused, 'id')).toEqual([field])
      expect(fieldValue(page, 'amount')).toBe(fields.amount)
    }
    expect(transactionsIn(dashboard.sandbox)).toEqual([])
  })

  test('the command below the form needs amounts that can be read; the example stands for none', async () => {
    const { read } = await openDashboard()
    const commandOf = async (query: string) =>
      /tillbox sale [^<]*--price-currency \w+/.exec(await read(`/payments/new?${query}`))?.[0]
    expect(await commandOf('')).toBe('tillbox sale --amount 10.00 --price-currency USD')
    expect(await commandOf('amount=1000&priceCurrency=JPY')).toContain('--amount 1000')
    for (const query of ['amount=1,000.00', 'amount=10.00&priceCurrency=JPY', 'amount=5&tipAmount=x'])
      expect(await commandOf(query), query).toBeUndefined()
  })
})

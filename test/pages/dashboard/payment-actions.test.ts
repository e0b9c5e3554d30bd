import { describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  fieldValue,
  hiddenFields,
  hrefsIn,
  linkTo,
  wordsOf,
} from '../../support/pages/page.ts'
import { newId } from '../../support/service/new-id.ts'
import { sale, secondKey, transactionsIn } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Labels of the actions that the page of a transaction offers. */
async function offered({ get }: Dashboard, id: string): Promise<string[]> {
  const { page } = await get(`/transactions/${id}`)
  return attributesOf(page, '[id^=do-]', 'id').map((name) => name.replace('do-', ''))
}

/** The form by which a payment is tried once more. */
async function tryAgain({ get }: Dashboard, id: string | undefined): Promise<Document> {
  const { page } = await get(`/transactions/${id}`)
  return (await get(linkTo(page, 'Try again as…'))).page
}

/** Opens the form of an action, and answers what posts it. */
async function openForm(dashboard: Dashboard, path: string) {
  const { status, page } = await dashboard.get(path)
  expect(status).toBe(200)
  const { transactionRequestId = '' } = hiddenFields(page)
  return {
    page,
    send: (fields: Readonly<Record<string, string>> = {}) =>
      dashboard.post(path, { transactionRequestId, ...fields }),
  }
}

/** Posts the form of an action once, and answers what the page says that comes next. */
async function act(dashboard: Dashboard, path: string, fields: Readonly<Record<string, string>> = {}) {
  const { send } = await openForm(dashboard, path)
  const { status, headers } = await send(fields)
  expect(status).toBe(303)
  return await dashboard.read(String(headers.location))
}

const auth = async ({ call }: Dashboard, amount: number): Promise<string> =>
  (await call('auth', sale(amount))).transactionId

describe('the actions on a transaction', () => {
  test('a transaction offers the actions that the rules allow now', async () => {
    const dashboard = await openDashboard()
    const { call, sell } = dashboard
    const paid = await sell(1000)
    expect(await offered(dashboard, paid)).toEqual(['refund', 'adjust-tip', 'void', 'resend'])
    await call('refund', refundRequest(paid, 400))
    expect(await offered(dashboard, paid)).toEqual(['refund', 'resend'])
    await call('refund', refundRequest(paid, 600))
    expect(await offered(dashboard, paid)).toEqual(['resend'])
    const authorised = await auth(dashboard, 5000)
    expect(await offered(dashboard, authorised)).toEqual(['capture', 'increment', 'void', 'resend'])
    const waiting = await sell(1000, { terminalSn: 'TBX-ATTENDED-001' })
    expect(await offered(dashboard, waiting)).toEqual(['terminal', 'abort', 'resend'])
    const declined = await sell(9734)
    expect(await offered(dashboard, declined)).toEqual(['try-again', 'resend'])
  })

  test('an authorisation that expired says so, and has nothing left to capture', async () => {
    const dashboard = await openDashboard()
    const page = `/transactions/${await auth(dashboard, 5000)}`
    expect(await dashboard.read(page)).toMatch(/Left to capture \$50\.00 Capture until/)
    await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 30 * 86_400_000 })
    expect(await dashboard.read(page)).toMatch(/Total \$50\.00 Expired \d/)
  })

  test('a settled sale is refunded, not voided', async () => {
    const dashboard = await openDashboard()
    const paid = await dashboard.sell(1000)
    await dashboard.call('batch-close', { transactionRequestId: newId() })
    expect(await offered(dashboard, paid)).toEqual(['refund', 'resend'])
    const { page, words } = await dashboard.get(`/transactions/${paid}/void`)
    expect(words).toContain('Not possible The batch of the transaction is closed: batch 1 is closed. Refund')
    expect(page.querySelector('[data-action-form]')).toBeNull()
  })

  test('an open checkout page can be opened and closed', async () => {
    const dashboard = await openDashboard()
    const { checkoutUrl } = await dashboard.call('create-session', sale(1000))
    const [id = ''] = transactionsIn(dashboard.sandbox).map((each) => each.id)
    const { page } = await dashboard.get(`/transactions/${id}`)
    expect(hrefsIn(page)).toContain(new URL(checkoutUrl).pathname)
    expect(await offered(dashboard, id)).toEqual(['checkout', 'expire'])
    expect(await act(dashboard, `/transactions/${id}/expire`)).toContain('The checkout page is closed.')
    expect(await dashboard.read(new URL(checkoutUrl).pathname)).toContain(
      'closed this page. Nothing was charged.',
    )
    expect(await offered(dashboard, id)).toEqual(['try-again', 'resend'])
  })

  test('another try of a declined payment fills the form with what it was opened with', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(9734, { terminalSn: 'TBX-TIP20-001' })
    const form = await tryAgain(dashboard, id)
    const fields = ['amount', 'priceCurrency', 'tipAmount', 'terminalSn']
    expect(fields.map((name) => fieldValue(form, name))).toEqual(['97.34', 'USD', '19.47', 'TBX-TIP20-001'])
  })

  test('another try of a checkout page is of the same merchant', async () => {
    const dashboard = await openDashboard()
    const merchantId = 'M2000000001'
    await dashboard.call('create-session', sale(1000, { merchantId }), {
      Authorization: `Bearer ${secondKey}`,
    })
    const ledger = dashboard.sandbox.engine.state.ledgers.get(merchantId)
    const [id] = [...(ledger?.transactions ?? [])].map((each) => each.id)
    await act(dashboard, `/transactions/${id}/expire`)
    expect(fieldValue(await tryAgain(dashboard, id), 'merchantId')).toBe(merchantId)
  })
})

describe('the form of an action', () => {
  test('shows no command while the amount that it needs is missing', async () => {
    const dashboard = await openDashboard()
    const path = `/transactions/${await auth(dashboard, 5000)}/increment`
    expect(await dashboard.read(path)).not.toContain('As a tillbox command')
    expect(await dashboard.read(`${path}?amount=5`)).toMatch(/tillbox incremental-auth \d+ --amount 5\.00/)
  })

  test('a refund is prefilled with what is left to refund, until nothing is left', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const path = `/transactions/${id}/refund`
    const { page } = await openForm(dashboard, path)
    expect(fieldValue(page, 'amount')).toBe('10.00')
    expect(await act(dashboard, path, { amount: '4' })).toContain('Refund $4.00: approved.')
    expect(fieldValue((await openForm(dashboard, path)).page, 'amount')).toBe('6.00')
    expect(await act(dashboard, path, { amount: '6.00' })).toContain('Left to refund $0.00')
    expect(await dashboard.read(path)).toContain('Transaction already fully refunded')
  })

  test('an increment says how much is authorised', async () => {
    const dashboard = await openDashboard()
    const path = `/transactions/${await auth(dashboard, 5000)}/increment`
    expect(await dashboard.read(path)).toContain('$50.00 authorised')
    await act(dashboard, path, { amount: '20' })
    expect(await dashboard.read(path)).toContain('$70.00 authorised')
  })

  test('a refund of a payment with a tip asks for each part', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000, { tipAmount: 200 })
    const path = `/transactions/${id}/refund`
    const { page } = await openForm(dashboard, path)
    expect(['amount', 'tipAmount'].map((name) => fieldValue(page, name))).toEqual(['10.00', '2.00'])
    expect(await act(dashboard, path, { amount: '0', tipAmount: '2.00' })).toContain('Left to refund $10.00')
  })

  test.each([
    ['capture', { amount: '50.00' }, 'Capture $50.00: approved.'],
    ['increment', { amount: '20' }, 'Increment $20.00: approved.'],
    ['void', {}, 'Void $50.00: approved.'],
  ])('the action %s works on an authorisation', async (path, fields, notice) => {
    const dashboard = await openDashboard()
    const id = await auth(dashboard, 5000)
    expect(await act(dashboard, `/transactions/${id}/${path}`, fields)).toContain(notice)
  })

  test('the tip of a sale can be replaced, and a waiting payment can be aborted', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const words = await act(dashboard, `/transactions/${id}/adjust-tip`, { tipAmount: '1.50' })
    expect(words).toContain('The tip is $1.50 now.')
    expect(words).toContain('Sale $11.50')
    const waiting = await dashboard.sell(1000, { terminalSn: 'TBX-ATTENDED-001' })
    expect(await act(dashboard, `/transactions/${waiting}/abort`)).toContain('The payment is aborted.')
  })

  test('a refund gets the chosen outcome and is processed in the cloud or on the terminal', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const path = `/transactions/${id}/refund`
    expect(await act(dashboard, path, { amount: '1', outcome: 'do-not-honor' })).toContain(
      'Refund $1.00: declined, 005 Do not honor.',
    )
    expect(await act(dashboard, path, { amount: '2', where: 'terminal' })).toContain('Refund $2.00:')
    const made = transactionsIn(dashboard.sandbox).slice(1)
    expect(made.map(({ inCloud }) => inCloud)).toEqual([true, false])
  })

  test('a form that is sent again acts once, and the page says so', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { send } = await openForm(dashboard, `/transactions/${id}/refund`)
    const [first, second] = await Promise.all([send({ amount: '4.00' }), send({ amount: '4.00' })])
    expect([first.status, second.status]).toEqual([303, 303])
    const third = await send({ amount: '4.00' })
    const words = await dashboard.read(String(third.headers.location))
    expect(words).toContain('This form was already sent. Nothing was done again.')
    expect(words).toContain('Left to refund $6.00')
  })

  test('a refusal is shown in place, beside its field, and what was typed stays', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { send } = await openForm(dashboard, `/transactions/${id}/refund`)
    for (const [amount, message] of [
      ['10.01', '10.01 USD requested, 10.00 USD left'],
      ['1.555', 'too many decimals'],
      ['ten', 'Write an amount such as 10.00'],
    ] as const) {
      const { status, page, words } = await send({ amount })
      expect([status, words]).toEqual([422, expect.stringContaining(message)])
      expect(allByRole(page, 'alert')).toEqual([]) // the field says it
      expect(linkTo(page, 'Cancel')).toBe(`/transactions/${id}`)
      expect(fieldValue(page, 'amount')).toBe(amount)
      expect(attributesOf(page, '[aria-invalid=true]', 'id')).toEqual(['amount'])
    }
    expect((await send({ amount: '1' })).status).toBe(303)
    expect(await dashboard.read(`/transactions/${id}`)).toContain('$9.00')
  })

  test('a form that became impossible while it was open says why, and what is possible', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { send } = await openForm(dashboard, `/transactions/${id}/void`)
    await dashboard.call('refund', refundRequest(id, 400))
    const { status, page, words } = await send({})
    expect([status, words]).toEqual([
      422,
      expect.stringContaining('Not possible any more This payment has been refunded in part'),
    ])
    expect(allByRole(page, 'button').map(wordsOf)).not.toContain('Void')
    expect(linkTo(page, 'Refund')).toBe(`/transactions/${id}/refund`)
  })

  test('a form without its request id, or with a card number, changes nothing and is not echoed', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const path = `/transactions/${id}/refund`
    expect((await dashboard.post(path, { amount: '1.00' })).status).toBe(400)
    const { send } = await openForm(dashboard, path)
    const { status, text } = await send({ amount: '4485275742308327' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain('4485275742308327')
    expect(await offered(dashboard, id)).toContain('void')
  })

  test('an emptied amount is refused, online as at a terminal, and no command offers the same without it', async () => {
    const dashboard = await openDashboard()
    const { sessionId } = await dashboard.call('create-session', sale(1000))
    await dashboard.control('POST', `sessions/${sessionId}/pay`, { card: 'visa-contactless' })
    const [paid] = transactionsIn(dashboard.sandbox)
    for (const id of [paid?.id, await dashboard.sell(1000)]) {
      const path = `/transactions/${id}/refund`
      const { send } = await openForm(dashboard, path)
      const { status, page, words } = await send({ amount: ' ' })
      expect([status, words]).toEqual([422, expect.stringContaining('Amount is required')])
      expect(words).not.toContain('tillbox refund')
      expect(attributesOf(page, '[aria-invalid=true]', 'id')).toEqual(['amount'])
      expect(await dashboard.read(`${path}?amount=`)).not.toContain('tillbox refund')
    }
    expect(transactionsIn(dashboard.sandbox)).toHaveLength(2)
  })

  test('the form shows its action as a command and as curl, with the values of its fields', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const words = await dashboard.read(`/transactions/${id}/refund?amount=2.50`)
    expect(words).toContain(
      `tillbox refund ${id} --amount 2.50 --no-push-to-terminal --base-url ${dashboard.url}`,
    )
    expect(words).toMatch(/curl -sS .*\/v1\/semi-integration\/transaction\/refund/)
    expect(words).toContain('"transactionRequestId":"curl-')
  })

  test('an action is logged as a request of the dashboard, and no fault applies to it', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    await dashboard.control('POST', 'faults', { kind: 'http-503', operation: 'refund' })
    expect(await act(dashboard, `/transactions/${id}/refund`, { amount: '4.00' })).toContain('approved')
    const { requests } = await dashboard.data('requests?operation=refund')
    expect(requests).toHaveLength(1)
    const words = await dashboard.read(`/requests/${requests[0].traceId}`)
    expect(words).toContain('user-agent tillbox-dashboard')
    expect(words).toContain(`tillbox refund ${id} --amount 4.00 --no-push-to-terminal`)
  })

  test('an unknown transaction has no forms', async () => {
    const { get, post } = await openDashboard()
    for (const path of ['refund', 'void', 'resend'])
      expect((await get(`/transactions/1/${path}`)).status).toBe(404)
    const transactionRequestId = 'dashboard-00000000-0000-4000-8000-000000000000'
    expect((await post('/transactions/1/void', { transactionRequestId })).status).toBe(404)
  })
})

describe('the form that resends a notification', () => {
  test('a notification is resent to another URL with its own id, and a URL that cannot be called is refused in place', async () => {
    const receiver = await openReceiver(200)
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const path = `/transactions/${id}/resend`
    const { page, send } = await openForm(dashboard, path)
    const [notification = ''] = attributesOf(page, '#notification option', 'value')
    expect(wordsOf(page)).toContain(`tillbox webhook resend ${notification}`)
    const refused = await send({ notification, to: 'nowhere' })
    expect([refused.status, refused.words]).toEqual([
      422,
      expect.stringContaining('must be an http or https URL'),
    ])
    expect(fieldValue(refused.page, 'to')).toBe('nowhere')
    expect((await send({ notification, to: receiver.url })).status).toBe(303)
    const [resent] = await receiver.got(1)
    expect(resent?.id).toBe(notification)
    expect((await send({ notification })).status).toBe(303)
  })
})

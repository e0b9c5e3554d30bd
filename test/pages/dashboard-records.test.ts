import { describe, expect, test, vi } from 'vitest'
import { openDashboard, refundOf, wordsOf } from '../support/dashboard.ts'
import { ledgersOf, newId, sale } from '../support/service.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

describe('a transaction', () => {
  test('tells what happened as steps between who takes part, and which rule decided', async () => {
    const { get, sell } = await openDashboard()
    const id = await sell(9734, { terminalSn: 'TBX-TIP20-001' })
    const { status, text } = await get(`/transactions/${id}`)
    expect(status).toBe(200)
    const words = wordsOf(text)
    expect(words).toMatch(/Sale \$116\.81 Declined 051 Insufficient funds/)
    expect(words).toContain('insufficient-funds: the order amount decided')
    for (const step of [
      'client to service: SALE, order 97.34 USD',
      'service to terminal: sent to TBX-TIP20-001',
      'terminal to service: card visa-contactless',
      'terminal to service: tip 19.47 USD',
      'service to host: asked for approval rule amount: insufficient-funds',
      'host to service: 051 Insufficient funds',
    ])
      expect(words).toContain(step)
    expect(words).toContain(`tillbox query ${id}`)
    expect(words).toContain('transactionResultCode 051')
    expect(text.match(/<path class="head"/g)).toHaveLength(6)
  })

  test('which outcome was chosen is not said of a payment that was cancelled before the host was asked', async () => {
    const { get, call, control } = await openDashboard()
    const { transactionId } = await call('sale', sale(1000, { terminalSn: 'TBX-ATTENDED-001' }))
    const at = 'terminals/TBX-ATTENDED-001'
    await control('POST', `${at}/present`, { card: 'visa-chip-pin', outcome: 'lost-card' })
    await control('POST', `${at}/cancel`, {})
    const [, main = ''] = (await get(`/transactions/${transactionId}`)).text.split('<main')
    expect(wordsOf(main)).toContain('Closed')
    expect(main).not.toContain('lost-card')
  })

  test.each([
    ['the header', 1000, {}, { 'X-Sandbox-Outcome': 'lost-card' }, 'lost-card: the request’s header'],
    [
      'the terminal',
      1000,
      { terminalSn: 'TBX-DECLINE-001' },
      {},
      'do-not-honor: the terminal always acts this way',
    ],
    ['no rule', 1000, {}, {}, 'approve: no rule applies'],
  ])('decided by %s says so', async (_, amount, more, headers, words) => {
    const { get, sell } = await openDashboard()
    expect(wordsOf((await get(`/transactions/${await sell(amount, more, headers)}`)).text)).toContain(words)
  })

  test('its follow-ups hang on it, with what is left to refund', async () => {
    const { get, sell, call } = await openDashboard()
    const id = await sell(5000)
    const refund = (await call('refund', refundOf(id, 1200))).transactionId
    for (const page of [id, refund]) {
      const { text } = await get(`/transactions/${page}`)
      const words = wordsOf(text)
      expect(words).toMatch(/Sale \$50\.00 \d{16} Partially refunded \$38\.00 left to refund Refund \$12\.00/)
      expect(text).toMatch(new RegExp(`href="/transactions/${page}" aria-current="page"`))
    }
    const { text } = await get(`/transactions/${id}`)
    expect(wordsOf(text)).toContain(`client to service: REFUND done ${refund}`)
    expect(text).toContain(`<a href="/transactions/${refund}">REFUND done</a>`)
    await call('refund', refundOf(id, 3800))
    expect(wordsOf((await get(`/transactions/${id}`)).text)).toContain('refunded in full')
  })

  test('an authorisation says what is left to capture, raised and captured', async () => {
    const { get, call } = await openDashboard()
    const { transactionId } = await call('auth', saleOf('AUTH-1', 5000))
    const words = async () => wordsOf((await get(`/transactions/${transactionId}`)).text)
    expect(await words()).toContain('$50.00 to capture until ')
    await call('incremental-auth', { ...followUp(transactionId, 'INC-1'), amount: 2000 })
    expect(await words()).toContain('$70.00 to capture until ')
    await call('post-auth', { ...followUp(transactionId, 'POST-1'), amount: 6500 })
    expect(await words()).toMatch(
      /Auth \$50\.00 \d{16} Captured captured .*Post auth \$65\.00 .*left to refund/,
    )
  })

  test('its webhooks are arrows to the receiver, as often as they were tried', async () => {
    const receiver = await openReceiver(500)
    const { get, sell, control, sandbox } = await openDashboard({ notifyUrl: receiver.url, retries: [1000] })
    const id = await sell(1000)
    await receiver.got(1)
    await sandbox.courier.idle()
    receiver.answer(200)
    await control('POST', 'clock', { action: 'advance', milliseconds: 2000 })
    await receiver.got(2)
    await sandbox.courier.idle()
    const { text } = await get(`/transactions/${id}`)
    expect(wordsOf(text)).toMatch(
      /service to webhook: result → 500 .*service to webhook: result → 200 attempt 2/,
    )
    expect(text).toMatch(/<a href="\/webhooks\/[\da-f-]{36}">result → 500/)
  })

  test('of a terminal has a receipt, both copies; one that is not over has none', async () => {
    const { get, sell } = await openDashboard()
    const id = await sell(1000)
    expect((await get(`/transactions/${id}`)).text).toContain(`href="/transactions/${id}/receipt"`)
    const words = wordsOf((await get(`/transactions/${id}/receipt`)).text)
    expect(words).toContain('Merchant copy')
    expect(words).toContain('Customer copy')
    const waiting = await sell(1000, { terminalSn: 'TBX-ATTENDED-001' })
    const { text } = await get(`/transactions/${waiting}`)
    expect(text).not.toContain('/receipt"')
    expect(wordsOf(text)).toContain('Waits for a person at TBX-ATTENDED-001')
    expect((await get(`/transactions/${waiting}/receipt`)).status).toBe(409)
  })

  test.each(['1', '9999999999999999', '__proto__', '%00', 'x'.repeat(500)])(
    '%s that nobody knows: 404, in the frame of the pages',
    async (id) => {
      const { get } = await openDashboard()
      const { status, text } = await get(`/transactions/${id}`)
      expect(status).toBe(404)
      expect(text).toContain('aria-label="Sandbox"')
    },
  )
})

describe('batches', () => {
  test('open ones with their totals; a close asks first, and happens once', async () => {
    const { get, post, sell, sandbox } = await openDashboard()
    for (const amount of [1000, 2500]) await sell(amount)
    await sell(3000, { terminalSn: 'TBX-TIP20-001' })
    await sell(700, { priceCurrency: 'EUR' })
    const { text } = await get('/batches')
    const words = wordsOf(text)
    expect(words).toMatch(/TBX-AUTO-001 batch 1, USD .*?2 \$35\.00/)
    expect(words).toMatch(/TBX-AUTO-001 batch 2, EUR .*?1 €7\.00/)
    expect(words).toContain('No batch was closed yet')
    const href = (/href="(\/batches\/close[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    const before = ledgersOf(sandbox)
    const question = await get(href)
    expect(wordsOf(question.text)).toMatch(
      /Close and settle at TBX-AUTO-001\? Batch 1: 2 transactions, net \$35\.00 Its payments/,
    )
    expect(ledgersOf(sandbox)).toEqual(before)
    const fields = Object.fromEntries(
      [...question.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name as string,
        value as string,
      ]),
    )
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await post('/batches/close', fields)
      expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/batches\?notice=/)])
    }
    const after = wordsOf((await get('/batches')).text)
    expect(after).not.toContain('No batch was closed yet')
    expect(after).toMatch(/Closed batches, newest first .*TBX-AUTO-001 batch 1, USD .*\$35\.00/)
    expect([...sandbox.engine.state.ledgers.values()].flatMap(({ closes }) => [...closes])).toHaveLength(1)
    expect((await get(href)).status).toBe(409)
  })

  test('20,000 open and 20,000 closed ones stand on pages of 25, and each is on one of them', async () => {
    const { get, sell, call, sandbox } = await openDashboard()
    await sell(1000)
    await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-AUTO-001' })
    const ledger = [...sandbox.engine.state.ledgers.values()].find(({ closes }) => closes.size > 0)
    const [transactionRequestId, close] = [...(ledger?.closes ?? [])][0] ?? []
    const [batch] = close?.batches ?? []
    if (ledger === undefined || close === undefined || batch === undefined) throw new Error('no close')
    for (let index = 0; index < 20_000; index++) {
      const one = { ...batch, terminalSn: `T-${index}` }
      ledger.batches.set(`T-${index}`, one)
      ledger.closes.set(`${transactionRequestId}-${index}`, {
        ...close,
        closedAt: close.closedAt + 1 + index,
        batches: [one],
      })
    }
    const rowsOf = (text: string, caption: string): string[] =>
      [
        ...((text.split(`>${caption}`)[1] ?? '').split('</table>')[0]?.matchAll(/<strong>([^<]+)/g) ?? []),
      ].map(([, name]) => name as string)
    const first = await get('/batches')
    expect(first.text.length).toBeLessThan(100_000)
    expect(rowsOf(first.text, 'Open batches')).toHaveLength(25)
    expect(rowsOf(first.text, 'Closed batches')).toEqual(
      Array.from({ length: 25 }, (_, index) => `T-${19_999 - index}`),
    )
    const [open, closed] = [new Set<string>(), new Set<string>()]
    for (let href: string | undefined = '/batches'; href !== undefined; ) {
      const { text, status } = await get(href)
      expect([href, status, text.length < 100_000]).toEqual([href, 200, true])
      for (const name of rowsOf(text, 'Open batches')) open.add(name)
      href = /id="more-open" rel="next" href="([^"]+)"/.exec(text)?.[1]
      if (open.size > 300) break
    }
    expect(open.size).toBeGreaterThan(300)
    for (let href: string | undefined = '/batches?before=120'; href !== undefined; ) {
      const { text } = await get(href)
      expect(text).not.toContain('open-batches')
      expect(text).toContain('id="newest"')
      for (const name of rowsOf(text, 'Closed batches')) closed.add(name)
      href = /id="older" rel="next" href="([^"]+)"/.exec(text)?.[1]
    }
    expect(closed.size).toBe(120)
  })

  test('what is not our form closes nothing', async () => {
    const { post, sell, sandbox, url } = await openDashboard()
    await sell(1000)
    const good = {
      merchantId: 'M1000000001',
      terminalSn: 'TBX-AUTO-001',
      channelCode: 'SBX-CARD',
      priceCurrency: 'USD',
      transactionRequestId: `dashboard-${crypto.randomUUID()}`,
    }
    const before = ledgersOf(sandbox)
    const answers = [
      await post('/batches/close', {}),
      await post('/batches/close', { ...good, transactionRequestId: 'mine' }),
      await post('/batches/close', { ...good, merchantId: '__proto__' }),
      await post('/batches/close', { ...good, terminalSn: 'NONE' }),
      await post('/batches/close', good, { Origin: 'https://elsewhere.example' }),
      await post('/batches/close', good, { Origin: 'null' }),
      await post('/batches/close', good, { Host: 'elsewhere.example', Origin: url }),
      await post('/batches/close', good, { 'Content-Type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 409, 409, 403, 403, 403, 400])
    expect(ledgersOf(sandbox)).toEqual(before)
    expect((await post('/batches/close', good)).status).toBe(303)
  })
})

describe('webhooks', () => {
  async function openTold(answer = 200) {
    const receiver = await openReceiver(answer)
    const url = receiver.url.replace('http://', 'http://user:pass@')
    const dashboard = await openDashboard({ notifyUrl: `${url}?token=verysecret&shop=7`, retries: [] })
    const id = await dashboard.sell(1000)
    await receiver.got(1)
    await dashboard.sandbox.courier.idle()
    return { ...dashboard, receiver, id }
  }

  const webhookOf = (text: string) => /href="(\/webhooks\/[\da-f-]{36})"/.exec(text)?.[1] ?? ''

  test('are listed by state, and lead to every attempt; secrets are not shown', async () => {
    const { get, id } = await openTold(503)
    const { text } = await get('/webhooks')
    expect(wordsOf(text)).toMatch(/All 1 Pending 0 Delivered 0 Failed 1/)
    expect(wordsOf(text)).toMatch(new RegExp(`Result Failed 503 .*${id}`))
    expect(wordsOf((await get('/webhooks?state=delivered')).text)).toContain('No delivery is delivered')
    const page = await get(webhookOf(text))
    expect(wordsOf(page.text)).toContain('Status at that time approved (S)')
    expect(wordsOf(page.text)).toMatch(/Attempt 1: 503 .*Request .*X-Client-Request-Id .*Response/)
    expect(page.text).toContain(`&quot;transactionId&quot;: &quot;${id}&quot;`)
    for (const shown of [text, page.text]) {
      expect(shown).not.toMatch(/verysecret|user:pass|:pass@/)
      expect(shown).toContain('shop=7')
    }
  })

  test('one that waits for its first attempt says why; no time is told before a retry has one', async () => {
    const receiver = await openReceiver(() => undefined) // it never answers
    const { get, sell, sandbox } = await openDashboard({ notifyUrl: receiver.url })
    for (let count = 0; count < 2; count++) await sell(1000)
    await receiver.got(1)
    const waiting = webhookOf((await get('/webhooks')).text) // the newest is the first
    const words = wordsOf((await get(waiting)).text)
    expect(words).toContain('No attempt yet')
    expect(words).toContain('With --webhook-order strict they also wait for one that is retried;')
    expect(words).not.toContain('next at')
    receiver.answer(500)
    await receiver.close() // the first attempt fails
    await vi.waitFor(async () => expect(wordsOf((await get(waiting)).text)).toContain('next at'))
    await sandbox.courier.idle()
  })

  test('one that is held back says so, in the list and on its page', async () => {
    const receiver = await openReceiver()
    const { get, sell, control } = await openDashboard({ notifyUrl: receiver.url })
    await control('PUT', 'webhook-hold', { hold: true })
    const id = await sell(1000)
    const { text } = await get('/webhooks')
    expect(wordsOf(text)).toMatch(/All 1 Pending 1 /)
    expect(wordsOf(text)).toMatch(new RegExp(`Result Held no attempt yet .*${id}`))
    const words = wordsOf((await get(webhookOf(text))).text)
    expect(words).toContain('Held , 0 attempts')
    expect(words).toContain('none is sent until it is released')
    await control('POST', 'webhooks/release', {})
    await receiver.got(1)
  })

  test('can be sent again, but not by a page of another site', async () => {
    const { get, post, receiver, sandbox } = await openTold(503)
    const path = webhookOf((await get('/webhooks')).text)
    receiver.answer(200)
    const foreign = await post(`${path}/resend`, {}, { Origin: 'https://elsewhere.example' })
    expect(foreign.status).toBe(403)
    expect((await get(`${path}/resend`)).status).toBe(404)
    const { status, headers } = await post(`${path}/resend`)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(`^${path}\\?notice=`)])
    await receiver.got(2)
    await sandbox.courier.idle()
    expect(receiver.arrivals[0]?.id).toBe(receiver.arrivals[1]?.id)
    const words = wordsOf((await get(String(headers.location))).text)
    expect(words).toContain('Sending it again, with the same id.')
    expect(words).toMatch(/Attempt 2: 200 .*Attempt 1: 503/)
    expect(wordsOf((await get('/webhooks')).text)).toMatch(/Delivered 1 Failed 0/)
  })

  test('that nobody knows: 404', async () => {
    const { get, post } = await openDashboard()
    for (const id of ['x', crypto.randomUUID(), '__proto__']) {
      expect((await get(`/webhooks/${id}`)).status).toBe(404)
      expect((await post(`/webhooks/${id}/resend`)).status).toBe(404)
    }
  })

  test('many are paged', async () => {
    const { get, sellMany } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/hook' })
    await sellMany(30)
    const first = (await get('/webhooks')).text
    const count = (text: string) => text.match(/id="row-/g)?.length ?? 0
    expect(count(first)).toBe(25)
    const older = /id="older"[^>]*href="([^"]+)"/.exec(first)?.[1] ?? ''
    expect(count((await get(older)).text)).toBe(5)
  })
})

const saleOf = (transactionRequestId: string, amount: number) => ({
  transactionRequestId,
  referenceOrderId: 'ORDER-1',
  amount,
  priceCurrency: 'USD',
})

const followUp = (originalTransactionId: string, transactionRequestId: string) => ({
  originalTransactionId,
  transactionRequestId,
  pushToTerminal: false,
})

describe('texts of others', () => {
  const evil = '</title><script>window.hacked=1</script><img src=x onerror="hacked=1">"\'&'

  test('stay text on every page', async () => {
    const { get, sell, control } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/?a=<b>"x' })
    const id = await sell(1000, {
      description: evil,
      attach: evil.slice(0, 120),
    })
    await control('POST', 'terminals', { terminalSn: '<img/src=x>' })
    for (const path of [
      '/',
      `/?q=${encodeURIComponent(evil.slice(0, 60))}&terminal=${encodeURIComponent('"><b>')}`,
      `/?status=${encodeURIComponent(evil)}&before=${encodeURIComponent(evil)}`,
      `/transactions/${id}`,
      `/transactions/${encodeURIComponent('<script>x')}`,
      '/webhooks',
      `/webhooks?state=${encodeURIComponent(evil)}`,
      '/batches',
    ]) {
      const { text } = await get(path)
      expect(text, path).not.toMatch(/<script>|<img|<b>|onerror="/)
    }
  })
})

describe('what is not there', () => {
  const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test.each([
    ['/terminal/NOPE', 'there is no terminal NOPE', '/terminals'],
    ['/terminal/', 'the sandbox has no page /terminal/', '/terminals'],
    ['/batches/9', 'the sandbox has no page /batches/9', '/batches'],
    ['/nope/<x>', 'the sandbox has no page /nope/', '/'],
    ['/transactions/999', 'there is no transaction 999', '/'],
  ])('%s has a page that says so, with the navigation and where to look', async (path, words, list) => {
    const { get, sandbox } = await openDashboard()
    const { status, text, headers } = await get(encodeURI(path), asBrowser)
    expect(status).toBe(404)
    expect(wordsOf(text)).toContain(words)
    expect(text).toContain('aria-label="Sandbox"')
    expect(text).toContain(`href="${list}">Show`)
    expect(text).not.toContain('<x>')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(sandbox.log.list().map(({ code }) => code)).not.toContain('0')
  })

  test('what is no browser, and what asks for an operation, gets JSON', async () => {
    const { get } = await openDashboard()
    for (const [path, headers] of [
      ['/nope', {}],
      ['/v1/nope', asBrowser],
      ['/_sandbox/nope', asBrowser],
      ['/_assets/nope.css', asBrowser],
    ] as const) {
      const { status, text } = await get(path, headers)
      expect([path, status, JSON.parse(text).code]).toEqual([path, 404, 'SBX_NO_PATH'])
    }
  })

  test('a shopper is not led to the pages for developers', async () => {
    const { get } = await openDashboard()
    const { status, text } = await get('/checkout/cs_none/nope/nope', asBrowser)
    expect(status).toBe(404)
    expect(text).toContain('There is no such path')
    expect(text).not.toContain('aria-label="Sandbox"')
  })
})

import { describe, expect, test } from 'vitest'
import { openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  byRole,
  hiddenFields,
  inlineCode,
  linkTo,
  namesOf,
  wordsOf,
} from '../../support/pages/page.ts'
import { newId } from '../../support/service/new-id.ts'
import { following, plainLedgersOf, sale } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

describe('a transaction', () => {
  test('the page of a transaction shows the steps between the parties and the rule that decided', async () => {
    const { get, sell, read } = await openDashboard()
    const id = await sell(9734, { terminalSn: 'TBX-TIP20-001' })
    const { status, page, words } = await get(`/transactions/${id}`)
    expect(status).toBe(200)
    expect(words).toMatch(/Sale \$116\.81 Declined 051 Insufficient funds/)
    expect(words).toContain('The outcome is insufficient-funds, which its amount triggers.')
    const items = allByRole(page, 'listitem').map(wordsOf)
    const steps = [
      'client to service: Sale of $97.34',
      'service to terminal: sent to TBX-TIP20-001',
      'terminal to service: card visa-contactless',
      'terminal to service: tip $19.47',
      'service to host: asked for approval',
      'host to service: 051 Insufficient funds',
    ]
    expect(items.filter((item) => /\w to \w+: /.test(item))).toEqual(
      steps.map((step) => expect.stringContaining(step)),
    )
    expect(words).toContain('Times are of the sandbox clock, ')
    expect(await read(`/transactions/${id}?tab=json`)).toContain('"transactionResultCode" : "051"')
  })

  test('the page of a transaction shows the parts of its amount, ids to copy, and tabs with counts', async () => {
    const receiver = await openReceiver()
    const { get, sell, call } = await openDashboard({ notifyUrl: receiver.url })
    const id = await sell(1000, { terminalSn: 'TBX-TIP20-001', referenceOrderId: 'ORDER-7' })
    await call('refund', refundRequest(id, 400))
    const { page, words } = await get(`/transactions/${id}`)
    expect(words).toMatch(
      /Order \$10\.00 Tip \$2\.00 Total \$12\.00 Refunded −\$4\.00 Left to refund \$8\.00/,
    )
    expect(words).toMatch(/Timeline Requests 2 Webhooks 1 Receipt JSON/)
    expect(attributesOf(page, '[data-copy]', 'data-copy')).toEqual(expect.arrayContaining([id, 'ORDER-7']))
    const tab = (name: string) => get(`/transactions/${id}?tab=${name}`)
    const webhooks = (await tab('webhooks')).page
    expect(linkTo(byRole(webhooks, 'table'), /^Sale approved/)).toMatch(/^\/webhooks\//)
    expect(attributesOf(webhooks, '[sse-connect]', 'sse-connect')).toEqual([
      `/transactions/${id}/live?tab=webhooks`,
    ])
    expect((await tab('receipt')).words).toContain('ORDER-7')
    expect((await tab('nothing')).words).toContain('client to service: Sale of $10.00')
  })

  test('a payment that was cancelled before the host was asked does not show the chosen outcome', async () => {
    const { get, call, control } = await openDashboard()
    const { transactionId } = await call('sale', sale(1000, { terminalSn: 'TBX-ATTENDED-001' }))
    const at = 'terminals/TBX-ATTENDED-001'
    await control('POST', `${at}/present`, { card: 'visa-chip-pin', outcome: 'lost-card' })
    await control('POST', `${at}/cancel`, {})
    const main = byRole((await get(`/transactions/${transactionId}`)).page, 'main')
    expect(wordsOf(main)).toContain('Closed')
    expect(main.outerHTML).not.toContain('lost-card')
  })

  test('the page of a transaction shows its follow-ups and what is left to refund', async () => {
    const { get, sell, call, read } = await openDashboard()
    const id = await sell(5000)
    const refund = (await call('refund', refundRequest(id, 1200))).transactionId
    for (const shown of [id, refund]) {
      const { page, words } = await get(`/transactions/${shown}`)
      expect(words).toMatch(/Sale [\d: -]+\$50\.00 \d{16} Partially refunded Refund [\d: -]+:\d\d −\$12\.00/)
      if (shown === id) expect(words).toContain('Left to refund $38.00')
      expect(attributesOf(page, 'main [aria-current=page]', 'href')).toEqual([`/transactions/${shown}`])
    }
    const { page, words } = await get(`/transactions/${id}`)
    expect(words).toContain(`client to service: Refunded ${refund}`)
    expect(linkTo(page, 'Refunded')).toBe(`/transactions/${refund}`)
    await call('refund', refundRequest(id, 3800))
    expect(await read(`/transactions/${id}`)).toContain('Left to refund $0.00')
  })

  test('a finished terminal payment has a receipt with both copies, and a waiting one has none', async () => {
    const { get, sell, read } = await openDashboard()
    const id = await sell(1000)
    expect(linkTo((await get(`/transactions/${id}`)).page, 'Receipt')).toBe(`/transactions/${id}?tab=receipt`)
    const receipt = await read(`/transactions/${id}?tab=receipt`)
    const copies = ['Customer copy', 'Merchant copy']
    expect(receipt.match(/(Merchant|Customer) copy/g)).toEqual([...copies, ...copies]) // the switch, and the copies
    const waiting = await sell(1000, { terminalSn: 'TBX-ATTENDED-001' })
    const { page, words } = await get(`/transactions/${waiting}`)
    expect(namesOf(page, 'link')).not.toContain('Receipt')
    expect(words).toContain('Waits for a person at TBX-ATTENDED-001')
  })

  test.each(['1', '9999999999999999', '__proto__', '%00', 'x'.repeat(500)])(
    'the unknown transaction %s is answered with 404 in the layout of the pages',
    async (id) => {
      const { get } = await openDashboard()
      const { status, page } = await get(`/transactions/${id}`)
      expect([status, namesOf(page, 'navigation')]).toEqual([404, ['Sandbox']])
    },
  )
})

describe('batches', () => {
  /** Where the first button that closes a batch leads. */
  const closeIn = (page: Document): string =>
    allByRole(page, 'link', /^Close batch 1/)[0]?.getAttribute('href') ?? ''

  /** The fields of the form that closes. */
  const closingFields = (page: Document) => hiddenFields(byRole(page, 'main'))

  test('open batches are listed with their totals, and a close asks first and happens once', async () => {
    const { get, post, sell, sandbox, read } = await openDashboard()
    for (const amount of [1000, 2500]) await sell(amount)
    await sell(3000, { terminalSn: 'TBX-TIP20-001' })
    await sell(700, { priceCurrency: 'EUR' })
    const { page, words } = await get('/batches')
    expect(words).toMatch(
      /Net €7\.00 \$71\.00 .*TBX-AUTO-001 batch 2 · payments: 1 .*€7\.00 .*TBX-AUTO-001 batch 1 · payments: 2 .* \$35\.00/,
    )
    expect((await get(linkTo(page, /^TBX-AUTO-001 batch 1/))).listed).toHaveLength(3)
    expect(words).toContain('No batch was closed yet')
    const href = closeIn(page)
    const before = plainLedgersOf(sandbox)
    const question = await get(href)
    expect(question.words).toMatch(
      /Close batch 1 of TBX-AUTO-001 in USD\? This settles 2 transactions, net \$35\.00 \. .*Close batch 1 in USD Keep it open/,
    )
    expect(plainLedgersOf(sandbox)).toEqual(before)
    const fields = closingFields(question.page)
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await post('/batches/close', fields)
      expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/batches\?notice=/)])
    }
    const after = await read('/batches')
    expect(after).not.toContain('No batch was closed yet')
    expect(after).toMatch(/closed batches, newest first .*TBX-AUTO-001 batch 1 · payments: 2 .*\$35\.00/)
    expect([...sandbox.engine.state.ledgers.values()].flatMap(({ closes }) => [...closes])).toHaveLength(1)
    expect((await get(href)).status).toBe(409)
  })

  test('all batches of all merchants are closed together, after asking once', async () => {
    const { get, post, sell, call, sandbox, read } = await openDashboard()
    const links = async () => namesOf((await get('/batches')).page, 'link')
    expect(await links()).not.toContain('Close all') // nothing is open
    await call('void', following(await sell(1000), { pushToTerminal: false }))
    expect(await links()).not.toContain('Close all') // nothing counts
    await sell(1000)
    await sell(700, { priceCurrency: 'EUR' })
    await sell(3000, { terminalSn: 'TBX-TIP20-001' })
    expect(await links()).toContain('Close all')
    const question = await get('/batches/close')
    expect(question.words).toMatch(
      /Close all 3 open batches\? This settles 3 transactions, net €7\.00, \$46\.00 \. .*Close all Keep them open/,
    )
    const fields = closingFields(question.page)
    for (let times = 0; times < 2; times++)
      expect((await post('/batches/close', fields)).headers.location).toMatch(/^\/batches\?notice=/)
    expect(await read('/batches')).toContain('No batch is open')
    expect([...sandbox.engine.state.ledgers.values()].flatMap(({ closes }) => [...closes])).toHaveLength(1)
    expect((await get('/batches/close')).status).toBe(409)
  })

  test('a batch that changed since the question was asked is not closed; the question is asked again', async () => {
    const { get, post, sell, sandbox, read } = await openDashboard()
    await sell(1000)
    const fields = closingFields((await get(closeIn((await get('/batches')).page))).page)
    await sell(500)
    const before = plainLedgersOf(sandbox)
    const again = await post('/batches/close', fields)
    expect(again.status).toBe(409)
    expect(again.words).toMatch(
      /You were asked about batch 1 with 1 transaction, net \$10\.00\..*settles 2 transactions, net \$15\.00/,
    )
    expect(plainLedgersOf(sandbox)).toEqual(before)
    expect((await post('/batches/close', closingFields(again.page))).status).toBe(303)
    expect(await read('/batches')).toContain('No batch is open')
  })

  test('a batch that was closed since the question was asked does not close the next one with equal totals', async () => {
    const { get, post, sell, call } = await openDashboard()
    await sell(1000)
    const fields = closingFields((await get(closeIn((await get('/batches')).page))).page)
    await call('batch-close', {
      terminalSn: 'TBX-AUTO-001',
      channelCode: fields.channelCode,
      priceCurrency: 'USD',
      transactionRequestId: 'at-the-terminal',
    })
    await sell(1000)
    const again = await post('/batches/close', fields)
    expect(again.status).toBe(409)
    expect(again.words).toMatch(/asked about batch 1 with .*Close batch 2 in USD/)
  })

  test('closed batches are shown on pages of 25 that lead to the next', async () => {
    const { get, sell, call, sandbox } = await openDashboard()
    await sell(1000)
    await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-AUTO-001' })
    const ledger = [...sandbox.engine.state.ledgers.values()].find(({ closes }) => closes.size > 0)
    const [transactionRequestId, close] = [...(ledger?.closes ?? [])][0] ?? []
    const [batch] = close?.batches ?? []
    if (ledger === undefined || close === undefined || batch === undefined) throw new Error('no close')
    for (let index = 0; index < 400; index++) {
      const one = { ...batch, terminalSn: `T-${index}` }
      ledger.closes.set(`${transactionRequestId}-${index}`, {
        ...close,
        closedAt: close.closedAt + 1 + index,
        batches: [one],
      })
    }
    const closedIn = (page: Document): (string | undefined)[] =>
      [...byRole(page, 'table', /^closed batches/).querySelectorAll('tbody th[scope=row]')].map(
        (head) => wordsOf(head).split(' ')[0],
      )
    const first = await get('/batches')
    expect(first.text.length).toBeLessThan(100_000)
    expect(closedIn(first.page)).toEqual(Array.from({ length: 25 }, (_, index) => `T-${399 - index}`))
    const closed = new Set<string | undefined>()
    for (let href: string | null | undefined = '/batches?before=120'; href; ) {
      const { page } = await get(href)
      expect(namesOf(page, 'link')).toContain('Newest')
      for (const name of closedIn(page)) closed.add(name)
      href = page.querySelector('#older')?.getAttribute('href')
    }
    expect(closed.size).toBe(120)
  })

  test('an incomplete or forged form closes no batch', async () => {
    const { post, sell, sandbox } = await openDashboard()
    await sell(1000)
    const good = {
      merchantId: 'M1000000001',
      terminalSn: 'TBX-AUTO-001',
      channelCode: 'SBX-CARD',
      priceCurrency: 'USD',
      transactionRequestId: `dashboard-${crypto.randomUUID()}`,
      shown: 'batch 1 with 1 transaction, net $10.00',
    }
    const before = plainLedgersOf(sandbox)
    const answers = [
      await post('/batches/close', {}),
      await post('/batches/close', { ...good, transactionRequestId: 'mine' }),
      await post('/batches/close', { ...good, merchantId: '__proto__' }),
      await post('/batches/close', { ...good, terminalSn: 'NONE' }),
      await post('/batches/close', good, { 'Content-Type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 409, 409, 415])
    expect(plainLedgersOf(sandbox)).toEqual(before)
    expect((await post('/batches/close', good)).status).toBe(303)
    expect(sandbox.log.list()).toContainEqual(
      expect.objectContaining({ operation: 'batch-close', code: '0' }),
    )
  })
})

describe('texts from requests', () => {
  const evil = '</title><script>window.hacked=1</script><img src=x onerror="hacked=1">"\'&'

  test('text from requests and URLs stays text on every page', async () => {
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
      const { page } = await get(path)
      expect([path, inlineCode(page), page.querySelector('img, b')]).toEqual([path, [], null])
    }
  })
})

test.each([['/faults'], ['/clock'], ['/snapshots'], ['/audit'], ['/reset']])(
  'the page %s belongs to no section, and to the control of the sandbox',
  async (path) => {
    const { get } = await openDashboard()
    const { page } = await get(path)
    const current = page.querySelectorAll('.masthead [aria-current], [aria-current=page]')
    expect([...current].map(wordsOf)).toEqual(['Sandbox'])
    expect(byRole(page, 'main').id).toBe('main')
    expect(linkTo(page, 'Skip to the content')).toBe('#main')
  },
)

describe('unknown paths', () => {
  const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test.each([
    ['/terminal/NOPE', 'There is no terminal NOPE', '/terminals'],
    ['/batches/9', 'The sandbox has no page /batches/9', '/'],
    ['/nope/<x>', 'The sandbox has no page /nope/', '/'],
    ['/transactions/999', 'There is no transaction 999', '/'],
  ])(
    'the unknown path %s gets a page that says so, with the navigation and a link to a list',
    async (path, words, list) => {
      const { get, sandbox } = await openDashboard()
      const { status, page, headers, words: shown } = await get(encodeURI(path), asBrowser)
      expect(status).toBe(404)
      expect(shown).toContain(words)
      expect(shown).not.toContain('There is no such')
      expect(namesOf(page, 'navigation')).toEqual(['Sandbox'])
      expect(linkTo(page, /^Show/)).toBe(list)
      expect(page.querySelector('x')).toBeNull()
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(sandbox.log.list()).toEqual([])
      const sections: Readonly<Record<string, string>> = {
        '/transactions/999': 'Transactions',
        '/terminal/NOPE': 'Terminals',
      }
      const marked = [...page.querySelectorAll('[aria-current=page]')].map(wordsOf)
      expect(marked).toEqual(path in sections ? [sections[path]] : [])
    },
  )

  test('an unknown path is answered with JSON to clients that are no browsers and below the interfaces', async () => {
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
    const { status, page, words } = await get('/checkout/cs_none/nope/nope', asBrowser)
    expect([status, words]).toEqual([404, expect.stringContaining('There is no such path')])
    expect(namesOf(page, 'navigation')).toEqual([])
  })
})

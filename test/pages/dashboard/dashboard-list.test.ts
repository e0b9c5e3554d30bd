import { describe, expect, test } from 'vitest'
import { listedIds, openDashboard, refundRequest, visibleText } from '../../support/pages/dashboard.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

describe('an empty sandbox', () => {
  test.each([
    ['/', 'tillbox sale --amount 10.00'],
    ['/batches', 'tillbox batch close'],
    ['/webhooks', 'tillbox listen localhost:3000/hook'],
  ])('the page %s of an empty sandbox names a command to type', async (path, command) => {
    const { get } = await openDashboard()
    const { status, text } = await get(path)
    expect(status).toBe(200)
    expect(visibleText(text)).toContain(command)
    expect(text).not.toContain('<style')
    expect(text).not.toMatch(/\sstyle=|\son\w+=/)
  })
})

describe('the list', () => {
  test('the list has the newest first, with amount, status, result, card and terminal', async () => {
    const { get, sell } = await openDashboard()
    const first = await sell(1000)
    const second = await sell(9734, { terminalSn: 'TBX-TIP20-001', referenceOrderId: 'ORDER-77' })
    const { text } = await get('/')
    expect(listedIds(text)).toEqual([second, first])
    const words = visibleText(text)
    expect(words).toMatch(/\$116\.81 Declined Sale Visa ··1111 TBX-TIP20-001 ORDER-77 \d{16} \S+/)
    expect(words).toMatch(/\$10\.00 Approved Sale/)
    expect(text).toContain('title="051 Insufficient funds"')
  })

  test('the list is paged by a cursor, so that new transactions shift nothing', async () => {
    const { get, sell, sellMany } = await openDashboard()
    const ids = (await sellMany(60)).reverse()
    const first = (await get('/')).text
    expect(listedIds(first)).toEqual(ids.slice(0, 25))
    const older = hrefOf(first, 'older')
    await sell(5000)
    const second = (await get(older)).text
    expect(listedIds(second)).toEqual(ids.slice(25, 50))
    const last = (await get(hrefOf(second, 'older'))).text
    expect(listedIds(last)).toEqual(ids.slice(50))
    expect(last).not.toContain('id="older"')
    expect(listedIds((await get(hrefOf(last, 'newer'))).text)).toEqual(ids.slice(25, 50))
    expect(listedIds((await get(hrefOf(second, 'newer'))).text)).toEqual(ids.slice(0, 25))
    expect(listedIds((await get(hrefOf(second, 'newest'))).text)).toHaveLength(25)
  })
})

describe('filters', () => {
  test('filters narrow the list, alone and together, and stand in the form and in the links', async () => {
    const { get, sell, call } = await openDashboard()
    const good = await sell(1000, { referenceOrderId: 'ORDER-blue-1' })
    const bad = await sell(9823, { referenceOrderId: 'ORDER-blue-2' })
    const yen = await sell(1000, { priceCurrency: 'JPY', terminalSn: 'TBX-TIP20-001' })
    const cancelled = await sell(2500, { terminalSn: 'TBX-CANCEL-001' })
    const refund = (await call('refund', refundRequest(good, 400))).transactionId
    const online = await call('create-session', {
      transactionRequestId: 'SESSION-1',
      referenceOrderId: 'ORDER-online',
      amount: 1200,
      priceCurrency: 'USD',
    })
    expect(online.sessionId).toMatch(/^cs_/)
    const find = async (query: string) => listedIds((await get(`/?${query}`)).text)
    const session = (await find('terminal=online'))[0]
    expect(await find('status=FAIL')).toEqual([bad])
    expect(await find('status=CLOSED')).toEqual([cancelled])
    expect(await find('status=INITIAL')).toEqual([session])
    expect(await find('status=declined')).toEqual([bad])
    expect(await find('status=pending')).toEqual([session])
    expect(await find('status=Approved&type=sale')).toEqual(await find('status=SUCCESS&type=SALE'))
    expect(await find('status=declined,closed')).toEqual(await find('status=F,C'))
    expect(await find('type=REFUND')).toEqual([refund])
    expect(await find('terminal=TBX-TIP20-001')).toEqual([yen])
    expect(await find('from=20&to=50')).toEqual([cancelled])
    expect(await find('from=10.00&to=10')).toEqual([good])
    expect(await find('from=500')).toEqual([yen])
    expect(await find('q=BLUE')).toEqual([refund, bad, good])
    expect(await find('q=session-1')).toEqual([session])
    expect(await find(`q=${good}`)).toEqual([good])
    expect(await find(`q=${good}&status=FAIL`)).toEqual([])
    expect(await find('q=blue&status=SUCCESS&type=SALE&from=1&terminal=TBX-AUTO-001')).toEqual([good])
    const { text } = await get('/?status=FAIL&q=blue&from=3')
    expect(text).toMatch(/<option value="declined" selected/)
    expect(text).toMatch(/name="q" value="blue"/)
    expect(text).toContain('sse-connect="/live?status=declined&amp;from=3&amp;q=blue&amp;span=hour"')
  })

  test('the list is filtered by follow-ups and by statuses in plain words', async () => {
    const { get, sell, call } = await openDashboard()
    const [refunded, part, voided, untouched] = [
      await sell(1000),
      await sell(1100),
      await sell(1200),
      await sell(1300),
    ]
    await call('refund', refundRequest(refunded, 1000))
    await call('refund', refundRequest(part, 100))
    await call('void', {
      originalTransactionId: voided,
      transactionRequestId: 'VOID-1',
      pushToTerminal: false,
    })
    const late = await sell(1400, { terminalSn: 'TBX-LATE-001' })
    const find = async (query: string) => listedIds((await get(`/?${query}`)).text)
    expect(await find('status=refunded')).toEqual([part, refunded])
    expect(await find('status=voided')).toEqual([voided])
    expect(await find('status=captured')).toEqual([])
    expect(await find('status=pending')).toEqual([late])
    expect(await find('status=approved&type=SALE')).toEqual([untouched, voided, part, refunded])
  })

  test('the list is filtered by day and time of the sandbox clock', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'set', time: '2026-11-18T12:00:00Z' })
    const sellAt = async (time: string) => {
      await control('POST', 'clock', { action: 'set', time })
      await control('POST', 'clock', { action: 'freeze' })
      return sell(1000)
    }
    const first = await sellAt('2026-11-18T23:59:00Z')
    const second = await sellAt('2026-11-19T00:00:00Z')
    const third = await sellAt('2026-11-20T09:30:00Z')
    const find = async (query: string) => listedIds((await get(`/?${query}`)).text)
    expect(await find('when=today')).toEqual([third])
    expect(await find('when=yesterday')).toEqual([second])
    expect(await find('when=week')).toEqual([third, second, first])
    expect(await find('since=2026-11-19')).toEqual([third, second])
    expect(await find('until=2026-11-18')).toEqual([first])
    expect(await find('since=2026-11-18&until=2026-11-19')).toEqual([second, first])
    expect(await find('since=2026-11-19T00:00&until=2026-11-20T09:30')).toEqual([second])
    expect(await find('when=today&until=2026-11-18')).toEqual([first])
    expect((await get('/?until=2026-11-18')).text).toContain('11-18 23:59</span>')
    const spanOf = async (query: string) =>
      /href="[^"]*span=(\w+)[^"]*" aria-current="true"/.exec((await get(`/?${query}`)).text)?.[1]
    expect(await spanOf('since=2026-11-20T09:15')).toBe('hour')
    expect(await spanOf('since=2026-11-20T08:00')).toBe('day') // what came in its last hour is not all
    expect(await spanOf('since=2026-11-19')).toBe('week')
    expect(await spanOf('since=2026-11-01')).toBe('week')
    expect(await spanOf('since=2026-11-19&span=hour')).toBe('hour')
  })

  test('the page shows the filters that are set, how many transactions match, and which of them it has', async () => {
    const { get, sellMany, sell } = await openDashboard()
    await sellMany(30)
    await sell(9734)
    const { text } = await get('/?status=approved&when=today&from=10.02&span=day')
    expect(visibleText(text)).toContain('28 of 31')
    expect(visibleText(text)).toContain('1–25 of 28')
    expect(text).toMatch(/class="filter filter-set"><span[^>]*>Status</)
    expect(visibleText(text)).toContain('More (1)')
    expect(text).toMatch(/<a class="filter-clear small" href="\/\?span=day">/)
    const older = (await get(hrefOf(text, 'older'))).text
    expect(visibleText(older)).toContain('26–28 of 28')
    const all = (await get('/')).text
    expect(visibleText(all)).toContain('31 transactions')
    expect(visibleText(all)).toContain('1–25 of 31')
    expect(all).not.toContain('filter-set')
    expect(all).toContain('filter-clear small unseen')
  })

  test('filters apply to the totals and charts', async () => {
    const { get, sell, call } = await openDashboard({ retries: [] })
    const blue = await sell(1000, { referenceOrderId: 'ORDER-blue' })
    await sell(9734)
    await call('refund', refundRequest(blue, 400))
    const declined = visibleText((await get('/?status=declined')).text)
    expect(declined).toContain('Taken – Refunded – Transactions 1 0 open Approval rate 0 % 0 of 1 decided')
    expect(declined).toContain('insufficient-funds 1 100 %')
    expect(declined).not.toContain('approve 1')
    const order = visibleText((await get('/?q=ORDER-blue')).text)
    expect(order).toContain(
      'Taken $10.00 Refunded $4.00 Transactions 2 0 open Approval rate 100 % 2 of 2 decided',
    )
    await sell(2000, { referenceOrderId: 'ORDER-blue' })
    expect(visibleText((await get('/?q=ORDER-blue')).text)).toContain('Taken $30.00')
  })

  test.each([
    ['/webhooks?state=nope', 'The state must be one of pending, delivered, failed.'],
    ['/webhooks?before=abc', 'before must be a number'],
    ['/batches?before=abc', 'before must be a number'],
    ['/batches?after=abc', 'after must be a number'],
    ['/requests?before=abc', 'before must be a number'],
  ])('the address %s is refused with a message, and the page is still shown', async (path, problem) => {
    const { get } = await openDashboard()
    const { status, text } = await get(path)
    expect(status).toBe(422)
    expect(text).toContain('role="alert"')
    expect(visibleText(text)).toContain(problem)
    expect(visibleText(text)).toContain('Queued none')
  })

  test('a filter by an unknown terminal finds nothing, and the page says why', async () => {
    const { get, sell } = await openDashboard()
    for (let sold = 0; sold < 2; sold++) {
      const { status, text } = await get('/?terminal=NOPE')
      expect(status).toBe(200)
      expect(visibleText(text)).toMatch(/No transaction matches There is no terminal NOPE ?\./)
      await sell(1000)
    }
    const { status, text } = await get('/terminals?show=NOPE&show=TBX-SLOW-001')
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('There is no terminal NOPE')
    expect(text).toContain('data-terminal="TBX-SLOW-001"')
  })

  test('an invalid query is refused with a message, and the page is still shown', async () => {
    const { get, sell } = await openDashboard()
    await sell(1000)
    for (const [query, problem] of [
      ['status=PAID', 'The status must be approved, declined, closed, pending, refunded, voided, captured,'],
      ['type=__proto__', 'The type must be one of'],
      ['from=ten', 'The lowest amount must be a number'],
      ['from=20&to=10', 'nothing can match'],
      [`q=${'x'.repeat(65)}`, 'at most 64 characters'],
      ['when=tomorrow', 'The when must be one of today, yesterday, week.'],
      ['since=2026-02-31', 'The first time must be a date such as 2026-11-20'],
      ['since=2026-11-20&until=2026-11-19', 'nothing can match'],
      ['match=all', 'The match must be one of part.'],
      ['span=year', 'The span must be one of hour, day, week.'],
      ['after=99999999999999999', 'after must be a number of at most 16 digits'],
    ] as const) {
      const { status, text } = await get(`/?${query}`)
      expect([query, status]).toEqual([query, 422])
      expect(visibleText(text)).toContain(problem)
      expect(visibleText(text)).toContain('Taken')
    }
    for (const query of ['before=', 'span=', 'before=1&before=2'])
      expect([query, (await get(`/?${query}`)).status]).toEqual([query, 200])
  })

  test('a card number in the search is refused, not shown and not logged', async () => {
    const { get, sandbox } = await openDashboard()
    const { status, text } = await get('/?q=4485275742308327')
    expect(status).toBe(400)
    expect(text).not.toContain('4485275742308327')
    expect(JSON.stringify(sandbox.log.list())).not.toContain('4485275742308327')
  })
})

describe('the overview', () => {
  test('the totals are what was taken without voids, what was refunded, the open payments and the approval rate', async () => {
    const { get, sell, call } = await openDashboard()
    const first = await sell(10_000)
    const second = await sell(5000)
    await sell(9823)
    await sell(700, { priceCurrency: 'EUR' })
    await sell(4000, { terminalSn: 'TBX-LATE-001' })
    await call('refund', refundRequest(first, 2500))
    await call('void', {
      originalTransactionId: second,
      transactionRequestId: 'VOID-1',
      pushToTerminal: false,
    })
    const words = visibleText((await get('/')).text)
    expect(words).toContain(
      'Taken $100.00 €7.00 Refunded $25.00 Transactions 7 1 open Approval rate 83 % 5 of 6 decided',
    )
  })

  test('the charts are drawn to scale, with their numbers as tables', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'freeze' }) // else they may fall into two minutes
    for (const amount of [1000, 1000, 9734]) await sell(amount)
    for (const span of ['hour', 'day', 'week']) {
      const { text } = await get(`/?span=${span}`)
      for (const [name, ground, approved, declined] of [
        ['2 approved, 1 declined', 100, 50, 25],
        ['$20.00 approved, $97.34 declined', 100, 10, 48.67],
      ]) {
        const [, bar = ''] = text.split(`: ${name}"`)
        const drawn = [...bar.slice(0, bar.indexOf('</a>')).matchAll(/ height="([\d.]+)"/g)]
        expect(drawn.map(([, height]) => Number(height))).toEqual([ground, approved, declined])
      }
      const words = visibleText(text)
      expect(words).toMatch(
        /Transactions over time by status From Approved Declined Closed Pending \S+ \S+ 2 1 – –/,
      )
      expect(words).toMatch(/From Approved Declined Closed Pending \S+ \S+ \$20\.00 \$97\.34 – –/)
      expect(words).toContain('approve 2 67 % insufficient-funds 1 33 %')
    }
  })

  test('an outcome of own fixtures that approves has the colour of success', async () => {
    const slow = {
      name: 'slow-yes',
      code: '000',
      message: 'Approved',
      status: 'SUCCESS',
      amount: 7001,
    } as const
    const { get, sell } = await openDashboard({ fixtures: { outcomes: [slow] } })
    for (const amount of [7001, 9734]) await sell(amount)
    const { text } = await get('/')
    const toneOf = (outcome: string) => new RegExp(`>${outcome}<svg.*?tone-(\\w+)`).exec(text)?.[1]
    expect([toneOf('slow-yes'), toneOf('insufficient-funds')]).toEqual(['success', 'fail'])
  })

  test('a bar has a label and leads to its transactions, and shares count only decided payments', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'set', time: '2027-01-10T10:10:00Z' })
    await control('POST', 'clock', { action: 'freeze' })
    const id = await sell(1000)
    await sell(9734)
    await sell(1000, { terminalSn: 'TBX-CANCEL-001' })
    await control('POST', 'clock', { action: 'advance', milliseconds: 600_000 })
    await sell(2000)
    const { text } = await get('/?span=hour')
    expect(text).toContain('aria-label="2027-01-10 10:10: 1 approved, 1 declined, 1 closed"')
    expect(text).toContain('aria-label="2027-01-10 10:20: $20.00 approved"')
    const reachedByTab = [...text.matchAll(/<a [^>]*tabindex="0"[^>]* aria-label="([^"]+)"/g)]
    expect(reachedByTab.map(([, name]) => name)).toEqual([
      '2027-01-10 10:20: 1 approved',
      '2027-01-10 10:20: $20.00 approved',
    ])
    const [, href = ''] = /id="volume-202701101010" href="([^"]+)"/.exec(text) ?? []
    const bar = (await get(href.replaceAll('&amp;', '&'))).text
    expect(listedIds(bar)).toHaveLength(3)
    expect(listedIds(bar)).toContain(id)
    const words = visibleText(text)
    expect(words).toContain('Approval rate 67 % 2 of 3 decided')
    expect(words).toContain('approve 2 67 %')
    expect(words).toContain('closed unpaid 1 –')
    expect(text).toContain('width="66.7%"')
    expect(words).toMatch(/Transactions 4 3 2 1 0/)
  })

  test.each([
    [500, 'answered 5xx'],
    [204, 'answered 2xx, not 200'],
  ])('a webhook that was answered with %d does not count as a success', async (status, label) => {
    const receiver = await openReceiver((_, response) => {
      response.writeHead(status).end()
    })
    const { get, sell, sandbox } = await openDashboard({ notifyUrl: receiver.url, retries: [] })
    await sell(1000)
    await receiver.got(1)
    await sandbox.courier.idle()
    const { text } = await get('/')
    const latency = text.slice(text.indexOf('id="latency"'))
    expect(visibleText(latency)).toContain(`${label} 1 100 %`)
    expect(latency).not.toContain('tone-success')
  })

  test('the charts cover the shortest span with transactions, unless a span is chosen', async () => {
    const { get, sell, control } = await openDashboard()
    const chosen = async (path = '/') => / aria-current="true">(\w+)</.exec((await get(path)).text)?.[1]
    expect(await chosen()).toBe('Hour')
    await sell(1000)
    for (const [hours, span] of [
      [0, 'Hour'],
      [2, 'Day'],
      [30, 'Week'],
      [200, 'Hour'],
    ] as const) {
      await control('POST', 'clock', { action: 'advance', milliseconds: hours * 3_600_000 })
      expect(await chosen()).toBe(span)
      expect(await chosen('/?span=day')).toBe('Day')
    }
  })
})

/** Where the link of that id leads to. */
function hrefOf(html: string, id: string): string {
  const [, href] = new RegExp(`id="${id}"[^>]*?href="([^"]+)"`).exec(html) ?? []
  expect(href, `there is no link ${id}`).toBeDefined()
  return (href as string).replaceAll('&amp;', '&')
}

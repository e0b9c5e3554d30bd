import { describe, expect, test } from 'vitest'
import {
  rangeQuery,
  readRange,
  resolveRange,
  timeAxis,
} from '../../../src/pages/dashboard/charts/time-range.tsx'
import { queryReader } from '../../../src/pages/dashboard/lists/filter-form.tsx'
import { openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  byRole,
  fieldValue,
  hrefsIn,
  inlineCode,
  linkTo,
  nameOf,
  namesOf,
  wordsOf,
} from '../../support/pages/page.ts'
import { following, sale } from '../../support/service/service.ts'

test('a payment that was given back in part has a mark of its own, one that was given back whole looks closed', async () => {
  const { call, get, sell } = await openDashboard()
  const id = await sell(1000)
  const look = async () => {
    const { page } = await get(`/transactions/${id}`)
    const { classList } = page.querySelector('.state[title=SUCCESS]') as Element
    return ['part', 'tone-success', 'tone-closed'].filter((each) => classList.contains(each))
  }
  await call('refund', refundRequest(id, 400))
  expect(await look()).toEqual(['part', 'tone-success'])
  await call('refund', refundRequest(id, 600))
  expect(await look()).toEqual(['tone-closed'])
})

test('the list shows the page that has the record beside it, and goes on from there', async () => {
  const { get, sell } = await openDashboard()
  const ids: string[] = []
  for (let count = 0; count < 30; count++) ids.push(await sell(1000))
  const [oldest = '', second = ''] = ids
  const listed = async (query: string) => (await get(query)).listed
  expect(await listed(`/?open=${ids.at(-1)}`)).toEqual(ids.slice(-25).toReversed())
  expect(await listed(`/?open=${second}`)).toEqual(ids.slice(1, 26).toReversed())
  expect((await listed('/webhooks?open=none')).length).toBe((await listed('/webhooks')).length)
  expect(await listed(`/?status=declined&open=${oldest}`)).toEqual([])
})

test('the amount of a payment is added up only where it has several parts', async () => {
  const { get, sell, call } = await openDashboard()
  const isShown = async (id: string) =>
    (await get(`/transactions/${id}`)).page.querySelector('#amount-title') !== null
  const declined = await sell(9734)
  expect(await isShown(declined)).toBe(false)
  const paid = await sell(1000)
  await call('refund', refundRequest(paid, 400))
  expect(await isShown(paid)).toBe(true)
})

describe('an empty sandbox', () => {
  test.each([
    ['/', 'tillbox sale --amount 10.00'],
    ['/batches', 'tillbox sale --amount 10.00'],
    ['/webhooks', 'tillbox listen localhost:3000/hook'],
  ])('the page %s of an empty sandbox names a command to type', async (path, command) => {
    const { get } = await openDashboard()
    const { status, page, words } = await get(path)
    expect([status, words]).toEqual([200, expect.stringContaining(command)])
    expect(inlineCode(page)).toEqual([])
  })
})

test('while nothing is stored home names the first commands, with the URL and the attended terminal of this sandbox', async () => {
  const { get, url, control, sell } = await openDashboard()
  const { page, words } = await get('/')
  for (const command of [
    `tillbox sale --amount 10.00 --base-url ${url}`,
    `tillbox sale --amount 12.50 --terminal TBX-ATTENDED-001 --base-url ${url}`,
    `tillbox listen localhost:3000/hook --base-url ${url}`,
  ])
    expect(words).toContain(`Copy ${command}`)
  expect(hrefsIn(page)).toContain('/terminal/TBX-ATTENDED-001')
  await control('PATCH', 'terminals/TBX-ATTENDED-001', { mode: 'auto' })
  expect((await get('/')).words).toContain('tillbox terminal add DESK-1 --mode attended')
  await sell(1000)
  expect((await get('/')).words).not.toContain('tillbox sale')
  expect((await get('/start')).status).toBe(404)
})

describe('the list', () => {
  test('times stand under a line for each day, also of today', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'set', time: '2026-01-01T23:59:00Z' })
    await control('POST', 'clock', { action: 'freeze' })
    const days = async (path: string) => [...(await get(path)).page.querySelectorAll('tr.day')].map(wordsOf)
    await sell(1000)
    expect(await days('/')).toEqual(['Today, Thu 01 Jan'])
    await control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    await sell(1000)
    await sell(1100)
    expect(await days('/')).toEqual(['Today, Fri 02 Jan', 'Thu 01 Jan'])
    expect(await days('/?until=2026-01-01')).toEqual(['Thu 01 Jan'])
    await control('POST', 'clock', { action: 'advance', milliseconds: 366 * 86_400_000 })
    expect(await days('/')).toEqual(['Fri 02 Jan 2026', 'Thu 01 Jan 2026'])
    const { page } = await get('/')
    expect(attributesOf(page, 'td[title]', 'title')).toContainEqual('2026-01-02 00:00:00 UTC')
  })

  test('the list has the newest first, with amount, status, result, card and terminal', async () => {
    const { get, sell } = await openDashboard()
    const first = await sell(1000)
    const second = await sell(9734, { terminalSn: 'TBX-TIP20-001', referenceOrderId: 'ORDER-77' })
    const { page, listed, words } = await get('/')
    expect(listed).toEqual([second, first])
    expect(words).toMatch(
      /Declined \d{3} [A-Z][a-z ]+ \$116\.81 Sale · \S+ Sale Visa ··1111 TBX-TIP20-001 ORDER-77 \S+/,
    )
    expect(words).toMatch(/Approved Visa ··1111 TBX-AUTO-001 \$10\.00 Sale/)
    expect(attributesOf(page, '[title]', 'title')).toContain('051 Insufficient funds')
  })

  test('the list is paged by a cursor, so that new transactions shift nothing', async () => {
    const { get, sell, sellMany } = await openDashboard()
    const ids = (await sellMany(60)).reverse()
    const first = await get('/')
    expect(first.listed).toEqual(ids.slice(0, 25))
    await sell(5000)
    const second = await get(linkTo(first.page, 'Older'))
    expect(second.listed).toEqual(ids.slice(25, 50))
    const last = await get(linkTo(second.page, 'Older'))
    expect(last.listed).toEqual(ids.slice(50))
    expect(namesOf(last.page, 'link')).not.toContain('Older')
    const places = [first, second, last].map(({ words }) => /\d+–\d+ of \d+/.exec(words)?.[0])
    expect(places).toEqual(['1–25 of 60', '27–51 of 61', '52–61 of 61']) // one was new meanwhile
    expect((await get(linkTo(last.page, 'Newer'))).listed).toEqual(ids.slice(25, 50))
    const newer = await get(linkTo(second.page, 'Newer'))
    expect(newer.listed).toEqual(ids.slice(0, 25))
    expect(namesOf(newer.page, 'link')).not.toContain('Newer')
    expect((await get(linkTo(second.page, 'Newest'))).listed).toHaveLength(25)
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
    await call('create-session', sale(1200, { transactionRequestId: 'SESSION-1' }))
    const find = async (query: string) => (await get(`/?${query}`)).listed
    const session = (await find('terminal=online'))[0]
    expect(await find('status=declined')).toEqual([bad])
    expect(await find('status=closed')).toEqual([cancelled])
    expect(await find('status=pending')).toEqual([session])
    expect(await find('type=REFUND')).toEqual([refund])
    expect(await find('terminal=TBX-TIP20-001')).toEqual([yen])
    expect(await find('from=20&to=50')).toEqual([cancelled])
    expect(await find('from=10.00&to=10')).toEqual([good])
    expect(await find('from=500')).toEqual([yen])
    expect(await find('q=BLUE')).toEqual([refund, bad, good])
    expect(await find('q=session-1')).toEqual([session])
    expect(await find(`q=${good}`)).toEqual([good])
    expect(await find(`q=${good}&status=declined`)).toEqual([])
    expect(await find('q=blue&status=approved&type=SALE&from=1&terminal=TBX-AUTO-001')).toEqual([good])
    const { page } = await get('/?status=declined&q=blue&from=3')
    expect(['status', 'q', 'from'].map((name) => fieldValue(page, `filter-${name}`))).toEqual([
      ...['declined', 'blue', '3'],
    ])
    expect(attributesOf(page, '[sse-connect]', 'sse-connect')).toEqual([
      '/live?status=declined&from=3&q=blue',
    ])
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
    await call('void', following(voided, { pushToTerminal: false }))
    const { transactionId: takenBack } = await call('refund', refundRequest(untouched, 100))
    await call('void', following(takenBack, { pushToTerminal: false }))
    const late = await sell(1400, { terminalSn: 'TBX-LATE-001' })
    const find = async (query: string) => (await get(`/?${query}`)).listed
    expect(await find('status=refunded')).toEqual([part, refunded])
    expect(await find('status=voided')).toEqual([takenBack, voided])
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
    const find = async (query: string) => (await get(`/?${query}`)).listed
    expect(await find('since=1h')).toEqual([third])
    expect(await find('since=24h')).toEqual([third])
    expect(await find('since=7d')).toEqual([third, second, first])
    expect(await find('since=1h&until=2026-11-18')).toEqual([third]) // it ends now
    expect(await find('since=2026-11-19')).toEqual([third, second])
    expect(await find('until=2026-11-18')).toEqual([first])
    expect(await find('since=2026-11-18&until=2026-11-19')).toEqual([second, first])
    expect(await find('since=2026-11-19T00:00&until=2026-11-20T09:30')).toEqual([second])
  })

  test('one time range holds for list, sums, chart and export, and every link keeps it', async () => {
    const { get, sell, sellMany, control } = await openDashboard()
    await control('POST', 'clock', { action: 'freeze' })
    await control('POST', 'clock', { action: 'set', time: '2026-11-20T09:10:00Z' })
    await sell(5000)
    await control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await sellMany(30)
    const query = '/?since=1h&type=SALE'
    const { page, words } = await get(query)
    expect(words).toContain('Taken $304.35')
    expect(words).toContain('30 of 31')
    const links = hrefsIn(page).filter((href) => /^\/(transactions\.\w+)?\?/.test(href))
    const others = links.filter((link) => !/since=(1h|2026)/.test(link))
    expect(others.filter((link) => !link.includes('since=')).sort()).toEqual(['/?type=SALE'])
    expect(others.filter((link) => link.includes('since='))).toHaveLength(2) // 24h and 7d
    expect((await get(linkTo(page, 'Older'))).listed).toHaveLength(5)
    const lines = (await get('/transactions.csv?since=1h')).text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(31)
  })

  test('a range that is over before the newest 20,000 needs no search, and a full one says where it ends', async () => {
    const { get, sellMany, control } = await openDashboard()
    await sellMany(3)
    await control('POST', 'clock', { action: 'advance', milliseconds: 172_800_000 })
    const { page, words } = await get('/?since=24h')
    expect(words).toContain('No transactions in this period.')
    expect(page.querySelector('svg text')).toBeNull()
  })

  test('the page shows the filters that are set, and how many transactions match', async () => {
    const { get, sellMany, sell } = await openDashboard()
    await sellMany(30)
    await sell(9734)
    const { page, words } = await get('/?status=approved&since=24h&from=10.02')
    expect(words).toContain('28 of 31')
    const setIn = (within: Document) => [...within.querySelectorAll('.filter-set')].map(wordsOf)
    expect(setIn(page)).toEqual([expect.stringMatching(/^Status /), expect.stringMatching(/^Amount /)])
    expect(linkTo(page, 'Clear')).toBe('/?since=24h')
    expect((await get(linkTo(page, 'Older'))).listed).toHaveLength(3)
    const all = await get('/')
    expect(all.words).toContain('31 transactions')
    expect(setIn(all.page)).toEqual([])
    expect(byRole(all.page, 'link', 'Clear').classList.contains('hidden')).toBe(true)
  })

  test('filters apply to the sums and the chart', async () => {
    const { get, sell, call, read } = await openDashboard({ retries: [] })
    const blue = await sell(1000, { referenceOrderId: 'ORDER-blue' })
    await sell(9734)
    await call('refund', refundRequest(blue, 400))
    const { page, words } = await get('/?status=declined')
    expect(words).toContain('Taken nothing Transactions Approved')
    expect(attributesOf(page, 'path.tone-success', 'd')).toEqual([''])
    expect(attributesOf(page, 'path.tone-fail', 'd')).toEqual([expect.stringMatching(/^M/)])
    expect(await read('/?q=ORDER-blue')).toContain('Taken $10.00 Transactions Approved')
    await sell(2000, { referenceOrderId: 'ORDER-blue' })
    expect(await read('/?q=ORDER-blue')).toContain('Taken $30.00')
  })

  test.each([
    ['/webhooks?state=nope', 'The state must be one of pending, delivered, failed.'],
    ['/webhooks?before=abc', 'before must be a number'],
    ['/batches?before=abc', 'before must be a number'],
    ['/requests?before=abc', 'before must be a number'],
  ])('the address %s is refused with a message, and the page is still shown', async (path, problem) => {
    const { get } = await openDashboard()
    const { status, page, words } = await get(path)
    expect(status).toBe(422)
    expect(allByRole(page, 'alert').map(wordsOf).join()).toContain(problem)
    expect(words).toContain('Queued outcomes')
  })

  test('a filter by an unknown terminal finds nothing', async () => {
    const { get, sell } = await openDashboard()
    for (let sold = 0; sold < 2; sold++) {
      const { status, words } = await get('/?terminal=NOPE')
      expect(status).toBe(200)
      expect(words).toContain(sold === 0 ? 'No payments yet' : 'No transaction matches')
      await sell(1000)
    }
  })

  test('an invalid query is refused with a message, and the page is still shown', async () => {
    const { get, sell } = await openDashboard()
    await sell(1000)
    for (const [query, problem] of [
      [
        'status=PAID',
        'The status must be one of approved, declined, closed, pending, refunded, voided, captured.',
      ],
      ['type=__proto__', 'The type must be one of'],
      ['from=ten', 'The lowest amount must be a number'],
      [`q=${'x'.repeat(129)}`, 'at most 128 characters'],
      ['since=tomorrow', 'or how long ago, such as 24h.'],
      ['since=0h', 'or how long ago, such as 24h.'],
      ['since=2026-02-31', 'The first time must be a date such as 2026-11-20'],
      ['since=2026-11-20T18:00&until=2026-11-20T17:00', 'after the first.'],
      ['since=2026-11-21&until=2026-11-20', 'after the first.'],
      ['before=99999999999999999', 'before must be a number of at most 16 digits'],
    ] as const) {
      const { status, words } = await get(`/?${query}`)
      expect([query, status]).toEqual([query, 422])
      expect(words).toContain(problem)
      expect(words).toContain('Taken')
    }
    for (const query of [
      'since=2026-11-20&until=2026-11-20',
      'before=',
      'chart=',
      'chart=latency',
      'before=1&before=2',
    ])
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
  test('of each currency one sum is shown: what was taken, without voids and refunds', async () => {
    const { sell, call, read } = await openDashboard()
    const first = await sell(10_000)
    const second = await sell(5000)
    await sell(9823)
    await sell(700, { priceCurrency: 'EUR' })
    await sell(4000, { terminalSn: 'TBX-LATE-001' })
    await call('refund', refundRequest(first, 2500))
    await call('void', following(second, { pushToTerminal: false }))
    expect(await read('/')).toContain('Taken €7.00 $100.00 Transactions Approved')
  })

  test('bars are drawn to scale, and their words stand in a tooltip, which leads to their time', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'set', time: '2027-01-10T10:10:00Z' })
    await control('POST', 'clock', { action: 'freeze' })
    for (const amount of [1000, 1000, 9734]) await sell(amount)
    await sell(1000, { terminalSn: 'TBX-CANCEL-001' })
    await control('POST', 'clock', { action: 'advance', milliseconds: 600_000 })
    await sell(2000)
    const { page } = await get('/?since=1h')
    const heights = (tone: string) =>
      [...String(attributesOf(page, `path.tone-${tone}`, 'd')).matchAll(/M(\d+).*?v(-?[\d.]+)/g)].map(
        ([, bar, height]) => [Number(bar), Number(height)],
      )
    expect(heights('success')).toEqual([
      [24, -50],
      [29, -25],
    ])
    expect(heights('fail')).toEqual([[24, -25]])
    expect(heights('closed')).toEqual([[24, -25]])
    const bars = [...page.querySelectorAll('[data-bars] a')]
    expect(bars).toHaveLength(30)
    expect(bars.findIndex((bar) => bar.getAttribute('tabindex') === '0')).toBe(29)
    const bar = bars[24] as Element
    expect(nameOf(bar)).toBe('2027-01-10 10:10–10:12 Approved 2 Declined 1 Closed 1')
    const href = bar.getAttribute('href') ?? ''
    expect(href).toBe('/?since=2027-01-10T10%3A10&until=2027-01-10T10%3A12')
    expect((await get(href)).listed).toHaveLength(4)
  })

  test.each([
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T04:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T14:30:00Z', '2026-04-04T18:30:00Z'],
    ['America/New_York', '2027-03-14T06:30:00Z', '2027-03-14T10:30:00Z'],
    ['Pacific/Chatham', '2026-11-20T09:00:00Z', '9998-12-31T23:00:00Z'],
  ])('in %s from %s to %s each bar leads to its own time', (timeZone, first, last) => {
    const day = { now: Date.parse(last), timeZone }
    const open = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
    const { bars } = timeAxis(open, { from: Date.parse(first), until: day.now }, day)
    for (const bar of bars) {
      const reader = queryReader({ ...rangeQuery(bar, timeZone) })
      expect(resolveRange(readRange(reader), day)).toEqual(bar)
      expect(reader.problems).toEqual([])
    }
  })

  test('a range that ends in a year of two digits has bars in any time zone', () => {
    const day = { now: Date.parse('2026-11-20'), timeZone: 'America/New_York' }
    const range = { from: Number.NEGATIVE_INFINITY, until: Date.parse('0099-01-01') }
    expect(timeAxis(range, { from: day.now, until: day.now }, day).bars.at(-1)?.until).toBe(range.until)
  })

  test.each([
    ['/?chart=none&type=SALE', 'Show chart', '/?type=SALE'],
    ['/?type=SALE', 'Hide chart', '/?type=SALE&chart=none'],
    ['/webhooks?state=failed', 'All 0', '/webhooks'],
    ['/terminals?state=idle', 'All 10', '/terminals'],
    ['/requests?show=all', 'Payment API 1', '/requests'],
  ])('in %s the link %s leads to %s', async (path, words, href) => {
    const { get, sell } = await openDashboard()
    await sell(1000)
    expect(linkTo((await get(path)).page, words)).toBe(href)
  })

  test('the first tick has its date, and so has the first of each day', async () => {
    const { get, sell, control } = await openDashboard()
    await control('POST', 'clock', { action: 'set', time: '2027-01-10T12:00:00Z' })
    await control('POST', 'clock', { action: 'freeze' })
    await sell(1000)
    const ticks = async (since: string) =>
      [...(await get(`/?since=${since}`)).page.querySelectorAll('svg text')].map(wordsOf)
    await control('POST', 'clock', { action: 'advance', milliseconds: 7_200_000 })
    expect(await ticks('')).toEqual(['01-10 12:00', '12:30', '13:00', '13:30']) // nothing was before the first one
    const day = ['01-09 15:00', '18:00', '21:00', '01-10', '03:00', '06:00', '09:00', '12:00']
    expect(await ticks('24h')).toEqual(day) // a range that is chosen is whole
    expect(await ticks('7d')).toHaveLength(7)
    await control('POST', 'clock', { action: 'advance', milliseconds: 900 * 86_400_000 })
    await sell(1000)
    expect(await ticks('24h')).toContainEqual(expect.stringMatching(/^\d\d:00$/))
    const twoDays = await ticks('2d')
    expect(twoDays[0]).toMatch(/^\d\d-\d\d/)
    expect(twoDays.slice(1).filter((text) => /^\d\d-\d\d$/.test(text))).toHaveLength(2)
    expect(twoDays.slice(1).filter((text) => /^(06|12|18):00$/.test(text))).toHaveLength(twoDays.length - 3)
    expect(await ticks('30d')).toContainEqual(expect.stringMatching(/^\d\d-\d\d$/))
    expect(await ticks('900d')).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\d$/))
  })
})

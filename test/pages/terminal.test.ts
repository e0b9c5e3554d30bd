import { describe, expect, test } from 'vitest'
import { unchanged } from '../support/pages/session-page.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openTerminalPage, type TerminalPage, terminalSn, tipConfig } from '../support/pages/terminal-page.ts'
import { liveOf } from '../support/service/live.ts'

const usd = { currency: 'USD' }

const screenIn = (html: string): string | undefined => /data-screen="([a-z-]+)"/.exec(html)?.[1]
const show = async ({ page }: Pick<TerminalPage, 'page'>) => (await fetchPlain(page)).text

describe('the terminal without scripts', () => {
  test('each post of card, tip, PIN and signature leads back to the page, which shows the next screen', async () => {
    const terminalPage = await openTerminalPage()
    const { post, sell, story, sandbox } = terminalPage
    expect(screenIn(await show(terminalPage))).toBe('idle')
    const transactionId = await sell(4250, {
      tipConfig,
      signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN' },
    })
    const steps: [string, Record<string, string>, string][] = [
      ['present', { card: 'visa-chip-pin insert', outcome: '' }, 'tip'],
      ['tip', { own: '2,5', currency: 'USD' }, 'pin'],
      ['pin', { correct: 'false' }, 'pin'],
      ['pin', { correct: 'true' }, 'signature'],
      ['sign', {}, 'result'],
    ]
    expect(screenIn(await show(terminalPage))).toBe('present-card')
    for (const [act, fields, next] of steps) {
      const { status, headers } = await post(act, { ...fields, transactionId })
      expect([status, headers.location]).toEqual([303, `/terminal/${terminalSn}`])
      expect(screenIn(await show(terminalPage))).toBe(next)
    }
    expect(await story(transactionId)).toEqual(
      expect.arrayContaining([
        'card-presented',
        'tip-chosen',
        'pin-wrong',
        'pin-entered',
        'approved',
        'signed',
      ]),
    )
    const html = await show(terminalPage)
    for (const text of [
      'Approved',
      '$45.00',
      'with a tip of $2.50',
      'Customer copy',
      'Merchant copy',
      '**** 1881',
    ])
      expect(html).toContain(text)
    // Four digits alone may stand in any id, time or port.
    expect(JSON.stringify(sandbox().log.list())).not.toMatch(/"pin":|4012\W{0,3}8888|4012\W{0,3}[*…]/)
  })

  test('cancel closes the payment, and forms switch the terminal off, on and to automatic', async () => {
    const terminalPage = await openTerminalPage()
    const transactionId = await terminalPage.sell()
    await terminalPage.post('cancel', { transactionId })
    expect(await terminalPage.story(transactionId)).toContain('closed')
    expect(await show(terminalPage)).toContain('Nothing was charged')
    for (const [fields, is] of [
      [{ online: 'false' }, { online: false, mode: 'attended' }],
      [{ online: 'true' }, { online: true, mode: 'attended' }],
      [{ mode: 'auto' }, { online: true, mode: 'auto' }],
    ] as const) {
      expect((await terminalPage.post('set', fields)).status).toBe(303)
      expect(await terminalPage.screen()).toMatchObject(is)
    }
    expect(await show(terminalPage)).toContain('automatic')
  })

  test('a form in a window with several terminals leads back to that window', async () => {
    const { url, post, sell } = await openTerminalPage()
    await sell()
    const from = `${url}/terminals?show=${terminalSn}`
    const { headers } = await post('cancel', {}, { Referer: from })
    expect(headers.location).toBe(`/terminals?show=${terminalSn}`)
  })

  test('the page reloads itself, unless a person has to act', async () => {
    const terminalPage = await openTerminalPage()
    const refresh = /<noscript><meta http-equiv="refresh" content="2"\/?><\/noscript>/
    expect(await show(terminalPage)).toMatch(refresh)
    await terminalPage.sell()
    expect(await show(terminalPage)).not.toMatch(refresh)
    await terminalPage.act('present', { card: 'visa-contactless', outcome: 'late-approval' })
    expect(await show(terminalPage)).toMatch(refresh)
  })

  test('GET on a form leads to the page and changes nothing', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    for (const act of ['present', 'cancel', 'pin']) {
      const { status, headers } = await unchanged(terminalPage, () =>
        fetchPlain(`${terminalPage.page}/${act}?correct=false`),
      )
      expect([status, headers.location]).toEqual([303, `/terminal/${terminalSn}`])
    }
  })
})

describe('acts that are refused', () => {
  const card = 'visa-contactless tap'

  const refused: readonly [string, Record<string, string> | string, number, RegExp][] = [
    ['present', { card, transactionId: '7' }, 409, /This window was out of date/],
    ['cancel', { transactionId: '7' }, 409, /This window was out of date/],
    ['pin', { correct: 'true' }, 409, /Not possible on this screen.*shows the screen present-card/s],
    ['present', { card: 'gold tap' }, 400, /there is no card gold/],
    ['present', { card: 'wechat-qr tap' }, 400, /entry: must be scan/],
    ['present', { card, outcome: 'luck' }, 400, /there is no outcome luck/],
    ['present', `card=visa-debit+tap&card=visa-debit+swipe`, 400, /card: /],
    ['tip', { own: '', ...usd }, 400, /Other amount: is not an amount\. Write an amount such as 10\.00/],
    ['tip', { own: '1.005', ...usd }, 400, /has too many decimals: USD has 2/],
    ['tip', { own: '300.0', currency: 'JPY' }, 400, /JPY has none\. Write an amount such as 1000/],
    ['tip', { tipAmount: '-1' }, 400, /Other amount: /],
    ['pin', { correct: '1234' }, 400, /must be true or false/],
    ['set', { mode: 'x' }, 400, /auto or attended/],
  ]

  test('an act that is impossible or wrong is refused with a message and changes nothing', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    for (const [act, fields, status, words] of refused) {
      const answer = await unchanged(terminalPage, () => terminalPage.post(act, fields))
      expect([act, fields, answer.status]).toEqual([act, fields, status])
      expect(answer.text).toMatch(words)
      expect(screenIn(answer.text)).toBe('present-card')
      const inParts = await unchanged(terminalPage, () =>
        terminalPage.post(act, fields, { 'HX-Request': 'true' }),
      )
      expect(inParts.text).toMatch(words)
      expect(inParts.text).not.toContain('<html')
    }
  })

  test('an unknown terminal and an unknown act are answered with 404', async () => {
    const terminalPage = await openTerminalPage()
    for (const [method, path] of [
      ['GET', '/terminal/TBX-NONE'],
      ['GET', '/terminal/__proto__'],
      ['POST', '/terminal/TBX-NONE/cancel'],
    ] as const) {
      const { status, text } = await fetchPlain(`${terminalPage.url}${path}`, {
        method,
        ...(method === 'POST' && { body: {} }),
      })
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain('There is no terminal here')
    }
    for (const act of ['', 'constructor', 'live', 'receipt'])
      expect((await terminalPage.post(act)).status).toBe(404)
  })

  test('the stream and the acts of a removed terminal say that it no longer exists', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE', mode: 'attended' })
    const live = await liveOf(`${terminalPage.url}/terminals/live?show=MINE&show=${terminalSn}`)
    expect(screenIn(await live.next())).toBe('idle')
    await terminalPage.replaceState()
    expect(await live.next()).toMatch(/id="screen-MINE".*Terminal MINE no longer exists/)
    const later = await liveOf(`${terminalPage.url}/terminal/MINE/live`)
    expect(await later.next()).toContain('Terminal MINE no longer exists')
    const { status, text } = await fetchPlain(`${terminalPage.url}/terminal/MINE/cancel`, {
      method: 'POST',
      body: {},
      headers: { 'HX-Request': 'true' },
    })
    expect([status, screenIn(text)]).toEqual([404, 'gone'])
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE' })
    expect(screenIn(await later.next())).toBe('idle')
  })
})

describe('the page', () => {
  test.each([
    ['tap', 'visa-contactless', false],
    ['swipe', 'visa-contactless', false],
    ['insert', 'visa-contactless', true],
    ['insert', 'amex-chip', true],
  ])('a card that is presented by %s (%s) stays in the reader: %s', async (entry, card, isIn) => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    await terminalPage.act('present', { card, entry, outcome: 'late-approval' })
    if ((await terminalPage.screen()).screen === 'pin') await terminalPage.act('pin', { correct: true })
    const html = await show(terminalPage)
    expect(screenIn(html)).toBe('processing')
    expect(html.includes('class="inserted ')).toBe(isIn)
    expect(html.includes('Do not remove the card')).toBe(isIn)
  })

  test('an act on a payment that has ended is refused, because the window was out of date', async () => {
    const terminalPage = await openTerminalPage()
    const transactionId = await terminalPage.sell()
    await terminalPage.act('present', { card: 'visa-contactless' })
    const { status, text } = await unchanged(terminalPage, () =>
      terminalPage.post('present', { card: 'visa-contactless tap', transactionId }),
    )
    expect(status).toBe(409)
    expect(text).toContain('This window was out of date')
    expect(text).not.toContain('is idle')
  })

  test('script in a text stays text', async () => {
    const terminalPage = await openTerminalPage()
    const evil = `"'></p><script>hacked=1</script><img src=x onerror=hacked=1>`
    await terminalPage.sell(1000, { description: evil })
    for (const path of [terminalPage.page, `${terminalPage.url}/terminals`]) {
      const { text } = await fetchPlain(path)
      expect(text).toContain('&lt;script&gt;hacked=1')
      expect(text).not.toMatch(/<script>|<img|<[^<>]*\s(style|on[a-z]+)=/)
    }
  })

  test.each([
    ['2', 'USD', 200],
    ['2,50', 'USD', 250],
    [' 0.05 ', 'USD', 5],
    ['300', 'JPY', 300],
    ['1.250', 'KWD', 1250],
  ])('a tip of %j %s is %i minor units', async (own, priceCurrency, tipAmount) => {
    const terminalPage = await openTerminalPage()
    const id = await terminalPage.sell(100_000, { priceCurrency, tipConfig })
    await terminalPage.act('present', { card: 'amex-chip' })
    expect((await terminalPage.post('tip', { own, currency: priceCurrency, transactionId: id })).status).toBe(
      303,
    )
    expect((await terminalPage.control('GET', `transactions/${id}`)).record.tipAmount).toBe(tipAmount)
  })

  test('the page offers the cards that the request asks for, and folds none of them away if they are few', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell(1000, { paymentMethod: { category: 'CARD-DEBIT' } })
    const html = await show(terminalPage)
    const offered = [...html.matchAll(/<li class="card-choice" data-card="([^"]+)"/g)].map(([, name]) => name)
    expect(offered).toEqual(['visa-debit', 'mastercard-debit', 'visa-insufficient-funds'])
    expect(html.split('<main')[1]?.match(/<details/g)).toHaveLength(1)
  })

  test('the page shows how many payments wait and which outcomes are queued', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    await terminalPage.sell()
    await terminalPage.act('queue', { outcome: 'lost-card', times: 3 })
    const html = await show(terminalPage)
    expect(html).toContain('1 waiting')
    expect(html).toMatch(/lost-card × 3/)
  })

  test('a view of several shows the terminals that are named, else those that wait for a person', async () => {
    const { url } = await openTerminalPage()
    const shown = async (query: string) =>
      [...(await fetchPlain(`${url}/terminals${query}`)).text.matchAll(/data-terminal="([^"]+)"/g)].map(
        ([, sn]) => sn,
      )
    expect(await shown('?show=')).toEqual([terminalSn])
    expect(await shown('?show=TBX-SLOW-001&show=TBX-AUTO-001&show=%3Cx%3E')).toEqual([
      'TBX-AUTO-001',
      'TBX-SLOW-001',
    ])
    expect(await shown('?show=TBX-NONE')).toEqual([terminalSn])
  })

  test('serials that differ in a dot and an underscore have different element ids', async () => {
    const terminalPage = await openTerminalPage()
    for (const serial of ['a.b', 'a_b'])
      await terminalPage.control('POST', 'terminals', { terminalSn: serial })
    const { text } = await fetchPlain(`${terminalPage.url}/terminals?show=a.b&show=a_b`)
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('screen-a_2e_b')
  })
})

describe('the event stream of a terminal', () => {
  test('the stream pushes every part at first, then only the parts that changed', async () => {
    const terminalPage = await openTerminalPage()
    const live = await liveOf(`${terminalPage.page}/live`)
    const parts = (data: string) =>
      [...data.matchAll(/<div class="fragment-(\w+)" [^>]*hx-swap-oob/g)].map(([, kind]) => kind)
    expect(live.headers).toMatchObject({ 'content-type': 'text/event-stream' })
    expect(parts(await live.next())).toEqual(['note', 'screen', 'cards', 'settings', 'printer', 'status'])
    await terminalPage.act('queue', { outcome: 'lost-card' })
    const queued = await live.next()
    expect(parts(queued)).toEqual(['settings'])
    expect(queued).toContain(`1 at ${terminalSn}`) // in the masthead
    await terminalPage.sell()
    const update = await live.next()
    expect([parts(update), screenIn(update)]).toEqual([['screen', 'cards'], 'present-card'])
  })

  test('a result disappears when it has been shown long enough', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    const live = await liveOf(`${terminalPage.page}/live`)
    expect(screenIn(await live.next())).toBe('present-card')
    await terminalPage.act('cancel')
    expect(screenIn(await live.next())).toBe('result')
    await terminalPage.control('POST', 'clock', {
      action: 'set',
      time: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(screenIn(await live.next())).toBe('idle')
  })

  test('one stream follows several terminals', async () => {
    const terminalPage = await openTerminalPage()
    const live = await liveOf(`${terminalPage.url}/terminals/live?show=${terminalSn}&show=TBX-SLOW-001`)
    expect((await live.next()).match(/id="screen-/g)).toHaveLength(2)
    await terminalPage.sell()
    const changed = await live.next()
    expect(changed).toContain(`id="screen-${terminalSn}"`)
    expect(changed).not.toContain('TBX-SLOW-001')
  })
})

const noneWaiting = '<dt>Waiting payments</dt><dd>none</dd>'

test('display and panel count the waiting payments of an offline terminal alike', async () => {
  const terminalPage = await openTerminalPage()
  await terminalPage.control('PATCH', `terminals/${terminalSn}`, { online: false })
  expect(await show(terminalPage)).toContain(noneWaiting)
  await terminalPage.sell()
  const html = await show(terminalPage)
  for (const text of ['Waiting payments: 1.', '1, until the terminal is online', '1 waiting'])
    expect(html).toContain(text)
  expect(html).not.toContain(noneWaiting)
})

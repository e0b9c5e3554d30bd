import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../src/server/server.ts'
import {
  attributesOf,
  byRole,
  hiddenFields,
  hrefsIn,
  inlineCode,
  namesOf,
  pageOf,
  wordsOf,
} from '../support/pages/page.ts'
import { formType, unchanged } from '../support/pages/session-page.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openTerminalPage, type TerminalPage, terminalSn, tipConfig } from '../support/pages/terminal-page.ts'
import { liveOf } from '../support/service/live.ts'
import { temporaryFolder } from '../support/service/service.ts'

const usd = { currency: 'USD' }

const screenIn = (page: Document): string | null | undefined =>
  page.querySelector('[data-screen]')?.getAttribute('data-screen')
const show = async ({ page }: Pick<TerminalPage, 'page'>) => (await fetchPlain(page)).page
const read = async (terminalPage: TerminalPage) => wordsOf(await show(terminalPage))
const nextScreen = async ({ next }: Awaited<ReturnType<typeof liveOf>>) => screenIn(pageOf(await next()))

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
    const words = await read(terminalPage)
    for (const text of [
      'Approved',
      '$45.00',
      'with a tip of $2.50',
      'Customer copy',
      'Merchant copy',
      '**** 1881',
    ])
      expect(words).toContain(text)
    // Four digits alone may stand in any id, time or port.
    expect(JSON.stringify(sandbox().log.list())).not.toMatch(/"pin":|4012\W{0,3}8888|4012\W{0,3}[*…]/)
  })

  test('cancel closes the payment, and forms switch the terminal off, on and to automatic', async () => {
    const terminalPage = await openTerminalPage()
    const transactionId = await terminalPage.sell()
    await terminalPage.post('cancel', { transactionId })
    expect(await terminalPage.story(transactionId)).toContain('closed')
    expect(await read(terminalPage)).toContain('Nothing was charged')
    for (const [name, fields, is] of [
      ['Online', { online: 'false' }, { online: false, mode: 'attended' }],
      ['Online', { online: 'true' }, { online: true, mode: 'attended' }],
      ['Attended', { mode: 'auto' }, { online: true, mode: 'auto' }],
    ] as const) {
      const pressed = byRole(await show(terminalPage), 'switch', name)
      expect(Object.entries(fields)).toEqual([['name', 'value'].map((each) => pressed.getAttribute(each))])
      expect((await terminalPage.post('set', fields)).status).toBe(303)
      expect(await terminalPage.screen()).toMatchObject(is)
    }
    expect(await read(terminalPage)).toContain('automatic')
  })

  test('the latest payments of the terminal are listed with their pages, the newest first, and those of no other', async () => {
    const terminalPage = await openTerminalPage()
    expect(await read(terminalPage)).toContain('No payment yet')
    const first = await terminalPage.sell()
    await terminalPage.post('cancel', { transactionId: first })
    const second = await terminalPage.sell()
    const listed = (page: Document) => hrefsIn(byRole(page, 'region', 'Latest payments'))
    expect(listed(await show(terminalPage))).toEqual([
      `/?terminal=${terminalSn}`,
      ...[second, first].map((id) => `/transactions/${id}`),
    ])
    const other = await fetchPlain(`${terminalPage.url}/terminal/TBX-AUTO-001`)
    expect(listed(other.page)).toEqual([])
  })

  test('the page reloads itself, unless a person has to act, or to read a refusal', async () => {
    const terminalPage = await openTerminalPage()
    const refresh = (page: Document) => attributesOf(page, 'noscript meta[http-equiv=refresh]', 'content')
    expect(refresh(await show(terminalPage))).toEqual(['2'])
    expect(refresh((await terminalPage.post('cancel')).page)).toEqual([])
    await terminalPage.sell()
    expect(refresh(await show(terminalPage))).toEqual([])
    await terminalPage.act('present', { card: 'visa-contactless', outcome: 'late-approval' })
    expect(refresh(await show(terminalPage))).toEqual(['2'])
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

describe('a sale that is typed at the terminal', () => {
  const transactionRequestId = 'dashboard-00000000-0000-4000-8000-000000000001'

  test('it is a request of the service, with ids of its own, asks for a tip if wanted, and starts once', async () => {
    const terminalPage = await openTerminalPage()
    const { post, sandbox, screen, control } = terminalPage
    const fields = { transactionRequestId, amount: '1.250', currency: 'KWD', tip: 'true' }
    expect(await post('sell', fields)).toMatchObject({
      status: 303,
      headers: { location: `/terminal/${terminalSn}` },
    })
    const { transaction } = await screen()
    expect(transaction).toMatchObject({ type: 'SALE', currency: 'KWD', transactionAmount: 1250 })
    const logged = sandbox()
      .log.list()
      .find(({ operation }) => operation === 'sale')
    expect(logged?.body).toContain(transactionRequestId)
    expect(logged?.headers).toMatch(/X-Client-Request-Id/i)
    const again = await unchanged(terminalPage, () => post('sell', fields))
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('This window was out of date')])
    await terminalPage.act('present', { card: 'amex-chip' })
    expect((await screen()).screen).toBe('tip')
    await terminalPage.act('tip', { tipAmount: 0 })
    const twice = await unchanged(terminalPage, () => post('sell', fields)) // as a second press at an automatic terminal
    expect(twice.status).toBe(303)
    expect((await control('GET', `transactions/${transaction?.transactionId}`)).status).toBe('SUCCESS')
  })

  test.each([
    [{ amount: '' }, /Amount: Write an amount such as 10\.00/],
    [{ amount: '12.505' }, /Amount: has too many decimals/],
    [{ amount: '0.00' }, /Amount: must be/],
    [{ amount: '1', currency: 'XXX' }, /XXX is not an active ISO 4217 currency/],
  ])('%j is refused at the terminal', async (fields, words) => {
    const terminalPage = await openTerminalPage()
    const answer = await unchanged(terminalPage, () =>
      terminalPage.post('sell', { transactionRequestId, currency: 'USD', ...fields }),
    )
    expect(answer.words).toMatch(words)
  })

  test('an offline terminal takes no amount, and says how it comes back', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.post('set', { online: 'false' })
    const page = await show(terminalPage)
    expect(namesOf(page, 'button')).not.toContain('Start the sale')
    expect(wordsOf(page)).toContain('tillbox terminal online TBX-ATTENDED-001')
    const button = byRole(page, 'button', 'Go online')
    expect(['name', 'value'].map((each) => button.getAttribute(each))).toEqual(['online', 'true'])
    const { status } = await unchanged(terminalPage, () =>
      terminalPage.post('sell', { transactionRequestId, amount: '1', ...usd }),
    )
    expect(status).toBe(409)
  })

  test('the currencies of the merchant are offered, the one of the last payment first', async () => {
    const terminalPage = await openTerminalPage()
    const offered = async () =>
      attributesOf(byRole(await show(terminalPage), 'combobox', 'Currency'), 'option', 'value')
    expect(await offered()).toEqual(['USD', 'EUR', 'JPY', 'KWD'])
    const id = await terminalPage.sell(500, { priceCurrency: 'CHF' })
    await terminalPage.act('cancel')
    expect(await offered()).toEqual(['CHF', 'USD', 'EUR', 'JPY', 'KWD'])
    expect(hrefsIn(await show(terminalPage))).toContain(`/transactions/${id}`)
  })
})

describe('the device alone', () => {
  test('it has no masthead, in its stream neither, and its forms lead back to it', async () => {
    const { page, post, sell } = await openTerminalPage()
    await sell()
    const device = (await fetchPlain(`${page}?view=device`)).page
    expect(screenIn(device)).toBe('present-card')
    expect(namesOf(device, 'navigation')).toEqual([])
    const live = await liveOf(`${page}/live?view=device`)
    expect(await live.next()).not.toContain('sandbox-clock')
    const { headers } = await post('cancel', {}, { Referer: `${page}?view=device&notice=1` })
    expect(headers.location).toBe(`/terminal/${terminalSn}?view=device`)
  })

  test('on loopback the page says how a phone reaches it; elsewhere it has a QR code of the device', async () => {
    const { page } = await openTerminalPage()
    const local = await fetchPlain(page)
    expect(local.words).toContain('Only this machine reaches')
    expect(local.words).toContain('tillbox sandbox restart --host 0.0.0.0 --token generate')
    expect(namesOf(local.page, 'img')).toEqual([])
    const shared = await startSandbox({
      state: temporaryFolder(),
      publicUrl: 'https://pay.example',
      token: 'a-long-enough-token',
    })
    onTestFinished(() => shared.close())
    const there = `${shared.connection.url}/terminal/${terminalSn}`
    const headers = { Authorization: 'Bearer a-long-enough-token' }
    const shown = await fetchPlain(there, { headers })
    expect(attributesOf(shown.page, 'img', 'src')).toEqual([`/terminal/${terminalSn}/phone.svg`])
    expect(shown.words).toContain(`The code opens https://pay.example/terminal/${terminalSn}?view=device`)
    const code = await fetchPlain(`${there}/phone.svg`, { headers })
    expect([code.status, code.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(code.text).toMatch(/^<svg [^>]*viewBox="-4 -4 \d+ \d+".*<\/svg>$/s)
  })
})

describe('acts that are refused', () => {
  const card = 'visa-contactless tap'

  const refused: readonly [string, Record<string, string> | string, number, RegExp][] = [
    ['present', { card, transactionId: '7' }, 409, /This window was out of date/],
    ['pin', { correct: 'true' }, 409, /Not possible on this screen.*shows the screen present-card/s],
    ['present', { card: 'gold tap' }, 400, /There is no card gold/],
    ['present', { card: 'wechat-qr tap' }, 400, /entry: must be scan/],
    ['present', 'card=visa-debit+tap&card=visa-debit+swipe', 400, /card: /],
    ['tip', { own: '', ...usd }, 400, /Other amount: Write an amount such as 10\.00/],
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
      expect(answer.words).toMatch(words)
      expect(screenIn(answer.page)).toBe('present-card')
      const inParts = await unchanged(terminalPage, () =>
        terminalPage.post(act, fields, { 'HX-Request': 'true' }),
      )
      expect(inParts.words).toMatch(words)
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
      expect(text).toContain('There is no terminal ')
    }
    for (const act of ['', 'constructor', 'live', 'receipt'])
      expect((await terminalPage.post(act)).status).toBe(404)
  })

  test('the stream and the acts of a removed terminal say that it no longer exists', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE', mode: 'attended' })
    const live = await liveOf(`${terminalPage.url}/terminal/MINE/live`)
    expect(await nextScreen(live)).toBe('idle')
    await terminalPage.replaceState()
    const gone = pageOf(await live.next()).querySelector('#screen-MINE') as Element
    expect(wordsOf(gone)).toContain('Terminal MINE no longer exists')
    const later = await liveOf(`${terminalPage.url}/terminal/MINE/live`)
    expect(await later.next()).toContain('Terminal MINE no longer exists')
    const { status, page } = await fetchPlain(`${terminalPage.url}/terminal/MINE/cancel`, {
      method: 'POST',
      body: {},
      headers: { 'HX-Request': 'true' },
    })
    expect([status, screenIn(page)]).toEqual([404, 'gone'])
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE' })
    expect(await nextScreen(later)).toBe('idle')
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
    const page = await show(terminalPage)
    expect(screenIn(page)).toBe('processing')
    expect(page.querySelectorAll('.inserted').length).toBe(isIn ? 1 : 0)
    expect(wordsOf(page).includes('Do not remove the card')).toBe(isIn)
  })

  test('an act on a payment that has ended is refused, because the window was out of date', async () => {
    const terminalPage = await openTerminalPage()
    const transactionId = await terminalPage.sell()
    await terminalPage.act('present', { card: 'visa-contactless' })
    const { status, text } = await unchanged(terminalPage, () =>
      terminalPage.post('present', { card: 'visa-contactless tap', transactionId }),
    )
    expect([status, text]).toEqual([409, expect.stringContaining('This window was out of date')])
    expect(text).not.toContain('is idle')
  })

  test('script in a text stays text', async () => {
    const terminalPage = await openTerminalPage()
    const evil = `"'></p><script>hacked=1</script><img src=x onerror=hacked=1>`
    await terminalPage.sell(1000, { description: evil })
    await terminalPage.control('PATCH', `terminals/${terminalSn}`, { label: '<script>hacked=1' })
    for (const path of [terminalPage.page, `${terminalPage.url}/terminals`]) {
      const { page, words } = await fetchPlain(path)
      expect(words).toContain('<script>hacked=1')
      expect([inlineCode(page), page.querySelector('img')]).toEqual([[], null])
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
    const page = await show(terminalPage)
    const offered = attributesOf(page, '[data-card]', 'data-card')
    expect(offered).toEqual(['visa-debit', 'mastercard-debit', 'visa-insufficient-funds'])
    expect(wordsOf(page)).not.toContain('More: ')
  })

  test('eight cards are in the strip, of each way to behave one, and the others under More', async () => {
    const terminalPage = await openTerminalPage()
    expect(attributesOf(await show(terminalPage), '[data-card]', 'data-card')).toEqual([])
    await terminalPage.sell()
    const page = await show(terminalPage)
    const more = byRole(page, 'button', 'More: 13 cards').parentElement as Element
    const others = attributesOf(more, '[data-card]', 'data-card')
    const all = attributesOf(page, '[data-card]', 'data-card')
    expect(all.filter((card) => !others.includes(card))).toEqual([
      'visa-contactless',
      'visa-chip-pin',
      'mastercard-chip-signature',
      'mastercard-debit',
      'amex-chip',
      'discover-swipe',
      'visa-manual',
      'visa-declined',
    ])
    expect(others).toHaveLength(13)
  })

  test('the page shows how many payments wait and which outcomes are queued', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    await terminalPage.sell()
    await terminalPage.act('queue', { outcome: 'lost-card', times: 3 })
    const words = await read(terminalPage)
    expect(words).toContain('1 in line')
    expect(words).toContain('lost-card × 3')
  })

  test('serials that differ in a dot and an underscore have different element ids', async () => {
    const terminalPage = await openTerminalPage()
    for (const serial of ['a.b', 'a_b'])
      await terminalPage.control('POST', 'terminals', { terminalSn: serial })
    const ids = attributesOf((await fetchPlain(`${terminalPage.url}/terminals`)).page, '[id]', 'id')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('row-a_2e_b')
  })
})

test('the page of a terminal that is not paired has the form that pairs it', async () => {
  const { url, control } = await openTerminalPage()
  await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
  const { page } = await fetchPlain(`${url}/terminal/DESK-2`)
  const form = page.querySelector('form[action$="/pair"]') as Element
  const body = { ...hiddenFields(form), merchantId: 'M2000000001' }
  const answer = await fetchPlain(`${url}/terminal/DESK-2/pair`, { method: 'POST', body, headers: formType })
  expect(answer.status).toBe(303)
  expect((await fetchPlain(`${url}/terminal/DESK-2`)).words).toContain('Ready for the next payment')
})

describe('the event stream of a terminal', () => {
  test('the stream pushes every part at first, then only the parts that changed', async () => {
    const terminalPage = await openTerminalPage()
    const live = await liveOf(`${terminalPage.page}/live`)
    const parts = (data: string) =>
      attributesOf(pageOf(data), '[hx-swap-oob][class^=fragment-]', 'class').map((kind) =>
        kind.replace('fragment-', ''),
      )
    expect(live.headers).toMatchObject({ 'content-type': 'text/event-stream' })
    const all = ['note', 'screen', 'cards', 'settings', 'receipt', 'latest', 'story', 'status']
    expect(parts(await live.next())).toEqual(all)
    await terminalPage.act('queue', { outcome: 'lost-card' })
    const queued = await live.next()
    expect(parts(queued)).toEqual(['settings'])
    expect(attributesOf(pageOf(queued), '[id]', 'id')).toContain('sandbox-queued')
    await terminalPage.sell()
    const update = await live.next()
    expect(parts(update)).toEqual(['screen', 'cards', 'latest', 'story'])
    expect(screenIn(pageOf(update))).toBe('present-card')
    expect(update).toContain('sent to ')
  })

  test('a result disappears when it has been shown long enough', async () => {
    const terminalPage = await openTerminalPage()
    await terminalPage.sell()
    const live = await liveOf(`${terminalPage.page}/live`)
    expect(await nextScreen(live)).toBe('present-card')
    await terminalPage.act('cancel')
    expect(await nextScreen(live)).toBe('result')
    await terminalPage.control('POST', 'clock', {
      action: 'set',
      time: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(await nextScreen(live)).toBe('idle')
  })
})

test('an offline terminal shows how many payments wait for it', async () => {
  const terminalPage = await openTerminalPage()
  await terminalPage.control('PATCH', `terminals/${terminalSn}`, { online: false })
  expect(await read(terminalPage)).not.toContain('in line')
  await terminalPage.sell()
  expect(await read(terminalPage)).toContain('1 in line')
})

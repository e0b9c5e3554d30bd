import { describe, expect, test } from 'vitest'
import { attributesOf, namesOf } from '../support/pages/page.ts'
import {
  chosenCardFields,
  formType,
  openPage,
  typedCardFields,
  unchanged,
} from '../support/pages/session-page.ts'
import { expectNoTrace, fetchPlain } from '../support/pages/shop-front.ts'

/** They pass every check that a number can pass by itself, and are no test cards. */
const [real, short] = ['4485275742308327', '4929000000006']

test('no field takes less than the characters that are accepted: HTML counts two for many of them', async () => {
  const { show, post } = await openPage()
  const limits = attributesOf((await show()).page, '[name=holder]', 'maxlength')
  expect(limits).toEqual([String('😀'.repeat(64).length)])
  const { status } = await post(
    'pay',
    `${new URLSearchParams({ ...typedCardFields, holder: '😀'.repeat(64) })}`,
  )
  expect(status).toBe(303)
})

describe('a form', () => {
  const refused: readonly [string, string][] = [
    ['that is empty', ''],
    ['with nothing that is known', 'a=1&b=2&__proto__=visa-contactless&constructor=1'],
    ['whose choice is __proto__', 'choice=__proto__'],
    ['whose choice is a member of every object', 'choice=constructor'],
    ['whose choice is sent twice', 'choice=visa-contactless&choice=mastercard-contactless'],
    ['whose choice is sent twice, once empty', 'choice=&choice=visa-contactless'],
    ['whose choice is a list', 'choice[]=visa-contactless'],
    ['whose choice is a card that cannot pay online', 'choice=ebt-snap'],
    ['whose number is sent twice', `${new URLSearchParams(typedCardFields)}&number=5555555555554444`],
    ['with a choice and a number', 'choice=mastercard-contactless&number=5555555555554444'],
    ['that is broken', 'choice=%E0%A4%A&=&&&choice%00=1'],
  ]

  const foreign: readonly [string, string, object][] = [
    ['that is JSON', JSON.stringify(chosenCardFields), { 'Content-Type': 'application/json' }],
    ['that says it is text', 'choice=visa-contactless', { 'Content-Type': 'text/plain' }],
    ['that says nothing of what it is', 'choice=visa-contactless', { 'Content-Type': '' }],
    [
      'in parts',
      '--b\r\nContent-Disposition: form-data; name="choice"\r\n\r\nvisa-contactless\r\n--b--\r\n',
      { 'Content-Type': 'multipart/form-data; boundary=b' },
    ],
  ]

  test.each(refused)('a form %s is shown again with its error, and nothing is paid', async (_, body) => {
    const { shop, post } = await openPage()
    const { status, words } = await unchanged(shop, () => post('pay', body))
    expect([status, words]).toEqual([422, expect.stringContaining('One thing to correct')])
  })

  test.each(foreign)(
    'assumption control-interface: a form %s is refused with 415',
    async (_, body, headers) => {
      const { shop, post } = await openPage()
      const { status, text } = await unchanged(shop, () => post('pay', body, headers))
      expect(status).toBe(415)
      expect(text).toContain('is not application/x-www-form-urlencoded')
    },
  )

  test('assumption control-interface: a form acts only for a page of the sandbox', async () => {
    const { shop, checkoutUrl } = await openPage()
    const [encoded, body] = [
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      'choice=visa-contactless',
    ]
    const pay = (headers: object) =>
      fetchPlain(`${checkoutUrl}/pay`, { method: 'POST', body, headers: { ...encoded, ...headers } })
    for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }, { Origin: 'http://127.0.0.1:1' }])
      expect((await unchanged(shop, () => pay(headers))).status).toBe(403)
    expect((await pay({ Origin: shop.url })).status).toBe(303)
  })

  test('assumption control-interface: nothing that carries the signature of a webhook acts on a sandbox', async () => {
    const { shop, checkoutUrl } = await openPage()
    const body = 'choice=visa-contactless'
    for (const name of ['X-Signature', 'webhook-signature'])
      for (const url of [`${checkoutUrl}/pay`, `${shop.url}/reset`, `${shop.url}/_sandbox/reset`]) {
        const headers = { ...formType, [name]: 'a'.repeat(64) }
        const sent = await unchanged(shop, () => fetchPlain(url, { method: 'POST', body, headers }))
        expect([url, sent.status, sent.text]).toEqual([url, 403, expect.stringContaining('webhook')])
      }
  })

  test.each(['GOOGLE_PAY', 'APPLE_PAY'])(
    'the button of %s pays, and the record names the wallet',
    async (wallet) => {
      const { post, show, shop, sessionId } = await openPage()
      expect(attributesOf((await show()).page, 'button[name=wallet]', 'value')).toContain(wallet)
      expect((await post('pay', { wallet })).status).toBe(303)
      const { transactionId } = await shop.session(sessionId)
      const { text } = await fetchPlain(`${shop.url}/_sandbox/transactions/${transactionId}`)
      expect(JSON.parse(text).data.record).toMatchObject({ subPaymentMethod: wallet, entryMode: null })
    },
  )

  test('a form with more fields than it needs pays all the same', async () => {
    const { shop, post, sessionId } = await openPage()
    const type = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    expect(
      (await post('pay', 'choice=visa-contactless&amount=1&state=paid&number=&holder=', type)).status,
    ).toBe(303)
    expect((await shop.session(sessionId)).state).toBe('paid')
  })

  test.each([
    ['announced', false],
    ['in chunks', true],
  ])('a form of more than 1 MiB, %s, is refused, and one of 1 MiB pays', async (_, chunked) => {
    const { shop, checkoutUrl, sessionId } = await openPage()
    const pay = (length: number) => {
      const body = 'choice=visa-contactless&filler='.padEnd(length, 'x')
      return fetchPlain(`${checkoutUrl}/pay`, { method: 'POST', body, chunked, headers: formType })
    }
    const { status, page } = await unchanged(shop, () => pay(1_048_577))
    expect([status, namesOf(page, 'heading')]).toEqual([413, ['That did not work']])
    expect((await pay(1_048_576)).status).toBe(303)
    expect((await shop.session(sessionId)).state).toBe('paid')
  })
})

describe('a card number', () => {
  test('the number of a real card that is sent past the page in any field is refused and kept nowhere', async () => {
    const { shop, post, sessionId } = await openPage()
    for (const fields of [
      { number: real },
      { number: '4485 2757 4230 8327' },
      { number: short },
      { expiry: real },
      { securityCode: real },
      { holder: real },
      { choice: real },
      { note: real, number: '' },
    ]) {
      const { status, text } = await unchanged(shop, () => post('pay', { ...typedCardFields, ...fields }))
      expect([fields, status]).toEqual([fields, 422])
      for (const number of [real, short]) expect(text.replace(/[\s-]/g, '')).not.toContain(number)
    }
    expect(await shop.session(sessionId)).toMatchObject({ state: 'open', tries: 0 })
    for (const number of [real, short]) await expectNoTrace(shop, number)
  })

  test('a card number in a URL is neither shown nor kept', async () => {
    const { shop, checkoutUrl } = await openPage()
    for (const url of [
      `${shop.url}/checkout/${real}`,
      `${shop.url}/checkout/4485-2757-4230-8327/pay`,
      `${shop.url}/_assets/${real}.css`,
      `${checkoutUrl}?number=${real}`,
    ]) {
      const { text } = await fetchPlain(url)
      expect(text.replace(/[\s-]/g, '')).not.toContain(real)
    }
    await expectNoTrace(shop, real)
  })

  test('the number of a test card pays, and is shown and kept only masked', async () => {
    const { shop, post, show } = await openPage()
    expect((await post('pay', typedCardFields)).status).toBe(303)
    const { text } = await show()
    expect(text).toContain('Visa ending in 1111')
    expect(text).not.toContain('4111111111111111')
    await expectNoTrace(shop, '4111111111111111')
  })
})

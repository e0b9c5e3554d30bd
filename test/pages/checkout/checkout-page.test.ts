import { describe, expect, test } from 'vitest'
import { money } from '../../../src/contract/presentation/money.ts'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { renderCheckout } from '../../../src/pages/checkout/checkout-page.tsx'
import {
  type CheckoutForm,
  type CheckoutView,
  offeredCards,
  readCheckoutForm,
} from '../../../src/pages/checkout/form/checkout-form.ts'
import { renderRefusal } from '../../../src/pages/serving/refusal-page.tsx'
import {
  attributesOf,
  fieldValue,
  hrefsIn,
  inlineCode,
  linkTo,
  namesOf,
  pageOf,
  wordsOf,
} from '../../support/pages/page.ts'

const now = Date.UTC(2026, 10, 20, 10)
const offered = offeredCards(builtIn)
const view: CheckoutView = {
  sessionId: 'cs_1',
  state: 'open',
  merchantName: 'Alder & Pine',
  referenceOrderId: 'ORDER-20418',
  description: 'Autumn order',
  currency: 'USD',
  orderAmount: 11850,
  taxAmount: 948,
  surchargeAmount: 0,
  tipAmount: 0,
  totalAmount: 12798,
  products: [{ name: 'Beans', amount: 1650, num: 3 }],
  triesLeft: 3,
  declined: null,
  expiresAt: now + 29 * 60_000,
  now,
  speed: 1,
  isFrozen: false,
  isEndedByShop: false,
  transactionId: '1795161261276000',
  maskedPan: null,
  cardNetwork: null,
  wallet: null,
  returnUrl: 'https://shop.example/done?result=1',
  collectsBillingAddress: true,
  collectsShippingAddress: true,
}
const states: readonly CheckoutView['state'][] = [
  'open',
  'processing',
  'paid',
  'failed',
  'expired',
  'cancelled',
]
const declined = { code: '051', message: 'Insufficient funds' }

/** The form that comes of what was posted; it must have something wrong. */
function wrongForm(fields: Readonly<Record<string, string>>): CheckoutForm {
  const read = readCheckoutForm(fields, offered, now)
  if ('card' in read) throw new Error('nothing is wrong')
  return read
}

const draw = (changed: Partial<CheckoutView> = {}, form?: CheckoutForm): string =>
  renderCheckout({ ...view, ...changed }, offered, form)

const render = (...drawn: Parameters<typeof draw>): Document => pageOf(draw(...drawn))

/** What a page says in its own part. */
const read = (...drawn: Parameters<typeof draw>): string => wordsOf(render(...drawn).body)

/** Every page there is, made of the same session. */
const everyPage = (changed: Partial<CheckoutView> = {}, form = wrongForm({ choice: 'typed' })) => [
  ...states.map((state) => draw({ ...changed, state })),
  draw({ declined, triesLeft: 1, ...changed }),
  draw({ ...changed, state: 'failed', triesLeft: 0, declined: changed.declined ?? declined }),
  draw(changed, form),
  renderRefusal({ code: 'SBX_SESSION_NONE', message: changed.merchantName ?? 'Nobody knows it.' }),
]

describe('every page', () => {
  test('the page is a whole document that says it is a test', () => {
    for (const html of everyPage()) {
      const page = pageOf(html)
      expect(html).toMatch(/^<!doctype html>/)
      expect(page.documentElement.lang).toBe('en')
      expect(page.querySelector('meta[name=viewport]')).not.toBeNull()
      expect(page.querySelectorAll('h1').length).toBe(1)
      expect(wordsOf(page)).toContain('No real money moves. Only test cards are accepted.')
    }
  })

  test('the page has nothing that the policy forbids: no inline style, script or event', () => {
    for (const page of everyPage().map(pageOf)) {
      expect(inlineCode(page)).toEqual([])
      for (const source of attributesOf(page, 'script', 'src'))
        expect(source).toMatch(/^\/_assets\/(theme|checkout)\.js$/)
    }
  })

  test('the page names no other address than the return link', () => {
    for (const html of everyPage()) {
      const page = pageOf(html)
      for (const attribute of ['href', 'src', 'action', 'formaction', 'xlink:href'])
        for (const address of attributesOf(page, `[${attribute.replace(':', '\\:')}]`, attribute))
          if (address !== view.returnUrl) expect(address).toMatch(/^(\/(?!\/)|#)/)
      expect(html.replaceAll(view.returnUrl ?? '', '')).not.toMatch(/https?:|url\(/)
    }
  })

  test('the page shows every text as text, whatever is in it', () => {
    const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
    const hostile: Partial<CheckoutView> = {
      sessionId: evil,
      merchantName: evil,
      referenceOrderId: evil,
      description: evil,
      currency: evil,
      products: [{ name: evil, amount: 1, num: 2 }],
      declined: { code: evil, message: evil },
      transactionId: evil,
      maskedPan: evil,
      cardNetwork: evil,
      returnUrl: `https://shop.example/${evil}`,
    }
    const form: CheckoutForm = {
      values: { choice: evil, holder: evil, expiry: evil },
      errors: { choice: evil, number: evil, expiry: evil, securityCode: evil, holder: evil },
    }
    const card = { name: evil, number: evil, network: evil, outcome: evil }
    const pages = [...everyPage(hostile, form), renderCheckout({ ...view, ...hostile }, [card])].map(pageOf)
    for (const page of pages) {
      expect(inlineCode(page)).toEqual([])
      expect(page.querySelector('img')).toBeNull()
    }
    expect(wordsOf(pages[0] as Document)).toContain('<script>alert(1)</script>')
  })
})

describe('the open page', () => {
  test('the page has the amount, the order, every card and both forms', () => {
    const page = render()
    const text = wordsOf(page)
    for (const part of ['$127.98', 'Alder & Pine', 'Autumn order', 'ORDER-20418', '3 × $16.50', '$49.50'])
      expect(text).toContain(part)
    const choices = attributesOf(page, '[name=choice]', 'value')
    for (const { name, outcome } of offered) {
      expect(choices).toContain(name)
      expect(text.toLowerCase()).toContain(outcome.toLowerCase())
    }
    expect(text).toContain('3782 822463 10005')
    expect(attributesOf(page, 'form[method=post]', 'action')).toEqual(
      expect.arrayContaining(['/checkout/cs_1/pay', '/checkout/cs_1/cancel']),
    )
    for (const [name, token] of [
      ['number', 'cc-number'],
      ['expiry', 'cc-exp'],
      ['securityCode', 'cc-csc'],
      ['holder', 'cc-name'],
    ])
      expect(attributesOf(page, `input[name=${name}]`, 'autocomplete')).toEqual([token])
  })

  test('the page puts each error next to its field, and announces them at the top', () => {
    const form = wrongForm({ choice: 'typed', number: '4242424242424241', expiry: '13/28', holder: 'Ada' })
    const page = render({}, form)
    expect(page.title).toMatch(/^To correct: /)
    expect(wordsOf(page)).toContain('3 things to correct')
    for (const field of ['number', 'expiry', 'securityCode'] as const) {
      expect(page.getElementById(`${field}-error`)?.textContent).toBe(form.errors[field])
      expect(attributesOf(page, `#${field}[aria-invalid=true]`, 'aria-describedby')).toEqual([
        expect.stringMatching(`^${field}-error\\b`),
      ])
    }
    expect(['holder', 'expiry'].map((field) => fieldValue(page, field))).toEqual(['Ada', '13/28'])
    expect(attributesOf(page, '[name=choice][checked]', 'value')).toEqual(['typed'])
  })

  test('the page says how the last try ended and how many are left', () => {
    expect(render({ declined, triesLeft: 2 }).title).toMatch(/^Declined: Pay /)
    expect(read({ declined, triesLeft: 2 })).toMatch(
      /Declined: Insufficient funds.*answered 051.*2 tries are left/,
    )
    expect(read({ declined, triesLeft: 1 })).toContain('One try is left')
  })

  test('the page names the addresses that the session asks for', () => {
    expect(read()).toContain('asks for a billing address and a shipping address')
    expect(read({ collectsBillingAddress: false, collectsShippingAddress: false })).not.toContain('asks for')
  })

  test('the page folds a long order, and keeps every line', () => {
    const products = Array.from({ length: 9 }, (_, index) => ({
      name: `Line ${index}`,
      amount: 100,
      num: 1,
    }))
    const text = read({ products })
    expect(text).toContain('5 more products')
    for (const { name } of products) expect(text).toContain(name)
  })
})

describe('a result', () => {
  test('a page that the shop closed does not say that its time has run out', () => {
    expect(wordsOf(render({ state: 'expired' }))).toContain('The time to pay has run out.')
    const closed = wordsOf(render({ state: 'expired', isEndedByShop: true }))
    expect(closed).toContain('Alder & Pine closed this page. Nothing was charged.')
  })

  test.each([
    ['paid', 'Payment received', 'no real money moved'],
    ['failed', 'Payment declined', 'Nothing was charged'],
    ['expired', 'This payment has expired', 'Nothing was charged'],
    ['cancelled', 'Payment cancelled', 'before anything was charged'],
  ] as const)(
    'the page of a session that is %s has a heading, an explanation, the transaction and a return link',
    (state, heading, explanation) => {
      const page = render({ state, declined, maskedPan: '411111******1111', cardNetwork: 'VISA' })
      expect(namesOf(page, 'heading')[0]).toBe(heading)
      for (const part of [explanation, view.transactionId, 'Visa ending in 1111'])
        expect(wordsOf(page)).toContain(part)
      expect(linkTo(page, 'Return to Alder & Pine')).toBe(view.returnUrl)
      expect(page.querySelector('form')).toBeNull()
    },
  )

  test.each([
    [null, []],
    ['GOOGLE_PAY', ['Wallet', 'Google Pay']],
  ] as const)(
    'the page of a payment with the wallet %s has a row for it only if there is one',
    (wallet, row) => {
      const terms = [...render({ state: 'paid', wallet }).querySelectorAll('dt, dd')].map(wordsOf)
      expect(terms.filter((term) => /^(Wallet|Google Pay|)$/.test(term))).toEqual(row)
    },
  )

  test('a failed session with tries left shows the answer of the bank and mentions no tries', () => {
    const silent = { code: '068', message: 'Host did not answer in time' }
    const text = read({ state: 'failed', declined: silent, triesLeft: 2 })
    expect(text).toContain('“Host did not answer in time” (068). You cannot try again.')
    expect(text).not.toMatch(/three times|tries are left/)
  })

  test('the page of a session that is processing has no return link and no form', () => {
    const page = render({ state: 'processing' })
    expect(wordsOf(page)).toContain('Asking the bank')
    expect([page.querySelector('form'), hrefsIn(page)]).toEqual([null, []])
  })

  test.each([null, '', 'javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', '/shop', 'shop'])(
    'a return address %s is not linked',
    (returnUrl) => {
      const html = draw({ state: 'paid', returnUrl })
      expect(hrefsIn(pageOf(html))).toEqual([])
      expect(html.toLowerCase()).not.toContain('javascript')
    },
  )
})

describe('amounts', () => {
  test.each([
    [12798, 'USD', '$127.98'],
    [0, 'USD', '$0.00'],
    [4800, 'JPY', '¥4,800'],
    [1250, 'KWD', 'KWD 1.250'],
    [12345, 'CLF', 'CLF 1.2345'],
    [999999999999, 'EUR', '€9,999,999,999.99'],
    [150000, 'IDR', 'IDR 1,500.00'],
    [5, '???', '5 ???'],
  ])('%d minor units of %s are shown as %s', (minorUnits, currency, text) => {
    expect(money(minorUnits, currency).replaceAll('\u00a0', ' ')).toBe(text)
  })
})

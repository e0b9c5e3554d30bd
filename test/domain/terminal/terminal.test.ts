import { describe, expect, test } from 'vitest'
import { applications } from '../../../src/domain/fixtures.ts'
import { momentsOf } from '../../../src/domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../../src/domain/model/transaction.ts'
import { day, momentNames, noon, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const minute = 60_000
const auto = 'TBX-AUTO-001'
const attended = 'TBX-ATTENDED-001'
const offline = 'TBX-OFFLINE-001'
const iso = (at: number) => new Date(at).toISOString()
const statusesOf = (transactions: readonly Transaction[]) => transactions.map(({ status }) => status)
const several = (till: Till, terminalSn: string, count = 3) =>
  Array.from({ length: count }, () => till.open(saleOf(1000, { terminalSn })))
/** When something happened, in milliseconds since the transaction was opened. */
const timeOf = (transaction: Transaction, what: string) => {
  const moment = momentsOf(transaction).find((each) => each.what === what)
  return moment === undefined ? undefined : moment.at - transaction.createdAt
}

/** What a sale of 1000 does on each terminal of the fixture: where it ends, when, and how. */
const behaviours = {
  'TBX-AUTO-001': { status: 'SUCCESS', after: 0, rule: 'default', total: 1000 },
  'TBX-ATTENDED-001': { status: 'CLOSED', after: day, rule: null, total: 1000 },
  'TBX-OFFLINE-001': { status: 'CLOSED', after: day, rule: null, total: 1000 },
  'TBX-BUSY-001': null,
  'TBX-CANCEL-001': { status: 'CLOSED', after: 0, rule: null, total: 1000 },
  'TBX-SLOW-001': { status: 'SUCCESS', after: 4000, rule: 'default', total: 1000 },
  'TBX-DECLINE-001': { status: 'FAIL', after: 0, rule: 'terminal', total: 1000 },
  'TBX-TIP20-001': { status: 'SUCCESS', after: 0, rule: 'default', total: 1200 },
  'TBX-LATE-001': { status: 'SUCCESS', after: minute, rule: 'terminal', total: 1000 },
  'TBX-OTHER-001': { status: 'SUCCESS', after: 0, rule: 'default', total: 1000 },
} as const

describe('the terminals of the fixture', () => {
  test('each terminal of the fixture has its behaviour in this test', () => {
    const serials = applications.flatMap(({ merchants }) =>
      merchants.flatMap(({ terminals }) => terminals.map(({ terminalSn }) => terminalSn)),
    )
    expect(serials).toEqual(Object.keys(behaviours))
  })

  test.each(Object.entries(behaviours))('%s behaves as its fixture says', (terminalSn, behaviour) => {
    const owner = applications.find(({ merchants }) =>
      merchants.some(({ terminals }) => terminals.some((each) => each.terminalSn === terminalSn)),
    )
    const till = new Till(10_000_000, 'UTC', {}, owner)
    const command = saleOf(1000, { terminalSn })
    if (behaviour === null) {
      expect(till.refusal(command).code).toBe('SBX_TERM_BUSY')
      return
    }
    const sale = till.open(command)
    if (behaviour.after > 0) {
      till.pass(behaviour.after - 1)
      expect(['INITIAL', 'PROCESSING']).toContain(sale.status)
      till.pass(1)
    }
    expect(sale).toMatchObject({ status: behaviour.status, rule: behaviour.rule })
    expect([(sale.completedAt ?? 0) - noon, amountOf(sale)]).toEqual([behaviour.after, behaviour.total])
    till.pass(2 * day)
    expect(sale.status).toBe(behaviour.status)
  })
})

describe('the line at a terminal', () => {
  test('further payments wait in line, in order', () => {
    const till = new Till()
    const sales = several(till, attended)
    expect(statusesOf(sales)).toEqual(['PROCESSING', 'INITIAL', 'INITIAL'])
    expect(till.terminal(attended).line).toEqual(sales.map(({ id }) => id))
    till.set(attended, { mode: 'auto', pace: 1000 })
    const ends: string[] = []
    for (let second = 0; second < 10; second++) {
      till.pass(1000)
      for (const { id, status } of sales) if (status === 'SUCCESS' && !ends.includes(id)) ends.push(id)
    }
    expect(ends).toEqual(sales.map(({ id }) => id))
    expect(till.terminal(attended).line).toEqual([])
  })

  test('with reject a further payment is refused while the terminal is busy, and accepted afterwards', () => {
    const till = new Till()
    till.set(auto, { busy: 'reject' })
    const first = till.open(saleOf(1000, {}, 'late-approval'))
    till.refuses(saleOf(1000), 'SBX_TERM_BUSY', first.id)
    till.pass(minute)
    expect(till.open(saleOf(1000)).status).toBe('SUCCESS')
  })

  test('with reject a payment in the cloud is not pushed to the terminal, and not refused', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const inCloud = { amount: 1, terminalSn: 'TBX-BUSY-001', pushToTerminal: false }
    expect(till.open(on('refund', sale, inCloud)).status).toBe('SUCCESS')
    expect(till.refusal(on('refund', sale, { ...inCloud, pushToTerminal: true })).code).toBe('SBX_TERM_BUSY')
  })

  test('a transaction under way in the cloud does not hold the terminal', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.open(on('refund', sale, { amount: 1, pushToTerminal: false }, 'late-approval'))
    expect(till.open(saleOf(1000)).status).toBe('SUCCESS')
  })

  test('the next payment waits while the host is asked for the one before', () => {
    const [till, first, second] = tillWith(saleOf(1000, {}, 'host-timeout'), saleOf(1000))
    expect(statusesOf([first, second])).toEqual(['PROCESSING', 'INITIAL'])
    till.pass(minute)
    expect(statusesOf([first, second])).toEqual(['FAIL', 'SUCCESS'])
  })
})

describe('an offline terminal', () => {
  test('payments for an offline terminal are accepted, wait, and go on in order when it comes online', () => {
    const till = new Till()
    const sales = several(till, offline)
    till.pass(minute)
    expect(statusesOf(sales)).toEqual(['INITIAL', 'INITIAL', 'INITIAL'])
    till.set(offline, { online: true, pace: 500 })
    expect(statusesOf(sales)).toEqual(['PROCESSING', 'INITIAL', 'INITIAL'])
    till.pass(1000)
    expect(statusesOf(sales)).toEqual(['SUCCESS', 'PROCESSING', 'INITIAL'])
    till.pass(2000)
    expect(statusesOf(sales)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  })

  test('a terminal that goes offline stops its screens, and the host still answers', () => {
    const [till, slow] = tillWith(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))
    till.set('TBX-SLOW-001', { online: false })
    till.pass(minute)
    expect([slow.status, slow.screen]).toEqual(['PROCESSING', 'present-card'])
    till.set('TBX-SLOW-001', { online: true })
    till.pass(4000)
    expect(slow.status).toBe('SUCCESS')
    const late = till.open(saleOf(1000, {}, 'late-approval'))
    till.set(auto, { online: false })
    till.pass(minute)
    expect(late.status).toBe('SUCCESS')
  })

  test('the next payment in line waits too, and closes at its own expiry', () => {
    const till = new Till()
    const [first] = several(till, offline, 1)
    till.pass(minute)
    const [second] = several(till, offline, 1)
    till.pass(day - minute)
    expect([first?.status, second?.status]).toEqual(['CLOSED', 'INITIAL'])
    till.pass(minute - 1)
    expect(second?.status).toBe('INITIAL')
    till.pass(1)
    expect(second?.status).toBe('CLOSED')
  })
})

describe('the expiry of a transaction', () => {
  const expiring = (till: Till, terminalSn: string, ahead = 3 * minute) =>
    till.open(saleOf(1000, { terminalSn, timeExpire: iso(till.at + ahead) }))

  test.each([offline, attended])('an unpaid transaction closes exactly at timeExpire: %s', (terminalSn) => {
    const till = new Till()
    const sale = expiring(till, terminalSn)
    till.pass(3 * minute - 1)
    expect(sale.status).not.toBe('CLOSED')
    till.pass(1)
    expect([sale.status, sale.completedAt]).toEqual(['CLOSED', noon + 3 * minute])
    expect(momentsOf(sale).at(-1)).toMatchObject({ what: 'closed', detail: 'expiry' })
  })

  test('a screen that lasts longer than the transaction does not put the expiry off', () => {
    const till = new Till()
    till.set(auto, { pace: 10 * minute })
    const sale = expiring(till, auto)
    till.pass(3 * minute)
    expect([sale.status, sale.completedAt]).toEqual(['CLOSED', noon + 3 * minute])
  })

  test('once the host was asked the outcome stands, expired or not', () => {
    const till = new Till()
    const slow = 'TBX-SLOW-001'
    till.set(slow, { pace: 89_000, outcome: 'late-approval' })
    const sale = expiring(till, slow)
    till.pass(179_000)
    expect(sale.screen).toBe('host')
    till.pass(2 * minute)
    expect([sale.status, sale.completedAt]).toEqual(['SUCCESS', noon + 178_000 + minute])
  })
})

describe('screens', () => {
  test('card, tip, PIN, host and signature screens come in this order', () => {
    const till = new Till()
    till.set(auto, { card: 'visa-chip-pin', tipPercent: 10 })
    const signed = { signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN' } }
    const moments =
      'opened taken-up card-presented tip-chosen pin-entered host-asked signature-asked signed approved'
    expect(momentNames(till.open(saleOf(1000, signed))).join(' ')).toBe(moments)
  })

  test('a declined transaction is not signed', () => {
    const till = new Till()
    till.set(auto, { card: 'discover-swipe' })
    expect(momentNames(till.open(saleOf(1000, {}, 'do-not-honor')))).not.toContain('signed')
  })

  test('each screen lasts as long as the pace says', () => {
    const till = new Till()
    till.set('TBX-SLOW-001', { card: 'visa-chip-pin', tipPercent: 20 })
    const sale = till.open(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))
    till.pass(minute)
    const times = ['taken-up', 'card-presented', 'tip-chosen', 'pin-entered', 'host-asked', 'approved']
    expect(times.map((what) => timeOf(sale, what))).toEqual([0, 2000, 4000, 6000, 8000, 8000])
  })

  test('the signature screen lasts as long as the pace says', () => {
    const till = new Till()
    till.set('TBX-SLOW-001', { card: 'mastercard-chip-signature' })
    const sale = till.open(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))
    till.pass(4000)
    expect([sale.status, sale.screen]).toEqual(['PROCESSING', 'signature'])
    till.pass(2000)
    expect([sale.status, sale.screen, timeOf(sale, 'signed')]).toEqual(['SUCCESS', 'done', 6000])
  })
})

describe('tip screen', () => {
  const tipOf = (percent: number, amount: number, more: object = {}) => {
    const till = new Till()
    till.set(auto, { tipPercent: percent })
    return till.open(saleOf(amount, more)).tip
  }

  test.each([
    [1000, 20, 200],
    [10, 15, 2],
    [9, 15, 1],
    [3, 15, 0],
    [1000, 0, 0],
    [3000, 1.15, 35],
    [1500, 2.3, 35],
    [1000, 12.5, 125],
    [900_000_000_001, 0.0001, 900_000],
  ])('of an order of %i, %f percent are %i, computed exactly and rounded half up', (order, percent, tip) => {
    expect(tipOf(percent, order)).toBe(tip)
  })

  test('tax counts into the base only with tipWithTax; a request with a tip shows no tip screen', () => {
    expect(tipOf(20, 1000, { taxAmount: 100 })).toBe(200)
    expect(tipOf(20, 1000, { taxAmount: 100, tipConfig: { tipWithTax: true } })).toBe(220)
    expect(tipOf(20, 1000, { tipAmount: 50 })).toBe(50)
  })

  test('the tip screen is shown when asked for, beside or inside the amount', () => {
    const [till, beside] = tillWith(saleOf(1000, { tipConfig: { onScreenTip: true } }))
    const inside = { amount: { orderAmount: 1000, tipConfig: { suggestions: { values: [10] } } } }
    for (const sale of [beside, till.open(saleOf(0, inside))]) {
      expect(momentNames(sale)).toContain('tip-chosen')
      expect(sale.tip).toBe(0)
    }
    for (const tipConfig of [{ onScreenTip: false }, { tipMode: 'AFTER_SALE' }])
      expect(momentNames(till.open(saleOf(1000, { tipConfig })))).not.toContain('tip-chosen')
  })

  test('the tip screen is shown for a sale and a post auth only', () => {
    const till = new Till()
    const terminalSn = 'TBX-TIP20-001'
    const auth = till.open(payment('auth', 1000, { terminalSn }))
    const forced = till.open(payment('forced-auth', 1000, { terminalSn }))
    const more = till.open(on('incremental-auth', auth, { amount: 500, terminalSn }))
    const capture = till.open(on('post-auth', auth, { amount: 1500, terminalSn }))
    const refund = till.open(on('refund', capture, { amount: 100, terminalSn }))
    expect([auth, forced, more, capture, refund].map(({ tip }) => tip)).toEqual([0, 0, 0, 300, 0])
  })
})

describe('signature screen', () => {
  const signs = (more: object) => momentNames(new Till().open(saleOf(1000, more))).includes('signed')

  test('the signature screen is shown from the threshold on', () => {
    const config = { useHostConfig: false, entryLocation: 'ON_SCREEN' }
    expect(signs({ signatureConfig: { ...config, threshold: 1000 } })).toBe(true)
    expect(signs({ signatureConfig: { ...config, threshold: 1001 } })).toBe(false)
    expect(signs({ signatureConfig: config })).toBe(true)
  })

  test('no signature screen is shown for a signature on the receipt, or for none', () => {
    for (const entryLocation of ['ON_RECEIPT', 'NONE'])
      for (const more of [
        { signatureConfig: { useHostConfig: false, entryLocation } },
        { signatureEntryLocation: entryLocation },
      ]) {
        const till = new Till()
        till.set(auto, { card: 'discover-swipe' })
        const sale = till.open(saleOf(1000, more))
        expect([sale.status, momentNames(sale).at(-2)]).toEqual(['SUCCESS', 'host-asked'])
      }
  })

  test('the signature screen holds the terminal until it is signed', () => {
    const till = new Till()
    till.set(auto, { card: 'discover-swipe' })
    const [first, second] = [till.open(saleOf(1000, {}, 'late-approval')), till.open(saleOf(1000))]
    till.set(auto, { mode: 'attended' })
    till.pass(minute)
    expect([first.status, first.screen, second.status]).toEqual(['PROCESSING', 'signature', 'INITIAL'])
    till.set(auto, { mode: 'auto' })
    expect([first.status, first.screen, second.status]).toEqual(['SUCCESS', 'done', 'SUCCESS'])
  })

  test('a terminal that went offline while the host was asked waits with the signature', () => {
    const till = new Till()
    till.set(auto, { card: 'discover-swipe' })
    const [sale, next] = [till.open(saleOf(1000, {}, 'late-approval')), till.open(saleOf(1000))]
    till.set(auto, { online: false })
    while (sale.screen !== 'signature') till.pass(1000)
    const shownAt = till.at
    expect([sale.status, sale.wakeAt, next.status]).toEqual(['PROCESSING', shownAt + minute, 'INITIAL'])
    till.set(auto, { online: true })
    expect([sale.status, momentNames(sale).at(-2), next.status]).toEqual(['SUCCESS', 'signed', 'SUCCESS'])
  })

  test.each([{ mode: 'attended' }, { online: false }] as const)(
    'a terminal with a pace that becomes %j keeps the signature screen for a minute',
    (changes) => {
      const till = new Till()
      till.set(auto, { card: 'discover-swipe', pace: 4000 })
      const sale = till.open(saleOf(1000))
      while (sale.screen !== 'signature') till.pass(4000)
      const shownAt = till.at
      till.pass(1000)
      till.set(auto, changes)
      expect(sale.wakeAt).toBe(shownAt + minute)
      till.pass(minute - 1001)
      expect([sale.status, sale.screen]).toEqual(['PROCESSING', 'signature'])
      till.pass(1)
      expect([sale.status, momentNames(sale).at(-2)]).toEqual(['SUCCESS', 'signature-skipped'])
    },
  )
})

test.each([
  ['visa-chip-pin', true],
  ['ebt-snap', true],
  ['visa-contactless', false],
  ['discover-swipe', false],
] as const)('the PIN screen is shown for the cards that need one: %s', (card, hasPinScreen) => {
  const till = new Till()
  till.set(auto, { card })
  expect(momentNames(till.open(saleOf(1000))).includes('pin-entered')).toBe(hasPinScreen)
})

test('a late host answer delays a payment in the cloud too', () => {
  const [till, sale] = tillWith(saleOf(1000))
  const refund = till.open(on('refund', sale, { amount: 1, pushToTerminal: false }, 'late-approval'))
  till.pass(minute - 1)
  expect(refund.status).toBe('PROCESSING')
  till.pass(1)
  expect(refund.status).toBe('SUCCESS')
})

describe('cancel on the device', () => {
  const terminalSn = 'TBX-CANCEL-001'

  test.each(['sale', 'auth', 'forced-auth'] as const)('cancel closes a %s unpaid', (type) => {
    const [till, cancelled] = tillWith(payment(type, 1000, { terminalSn }))
    expect([cancelled.status, cancelled.resultCode, cancelled.card]).toEqual(['CLOSED', null, null])
    expect(momentsOf(cancelled).at(-1)).toMatchObject({ what: 'closed', detail: 'cancel' })
    expect(till.terminal(terminalSn).line).toEqual([])
  })

  test('cancel closes a follow-up that is pushed to the terminal', () => {
    const [till, sale] = tillWith(saleOf(1000))
    expect(till.open(on('refund', sale, { amount: 1, terminalSn })).status).toBe('CLOSED')
  })
})

test('settings of a terminal that are left out stay as they were', () => {
  const till = new Till()
  till.set(auto, { pace: 5, card: 'amex-chip' })
  till.set(auto, { pace: 6 })
  expect(till.terminal(auto).profile).toMatchObject({ mode: 'auto', pace: 6, card: 'amex-chip' })
})

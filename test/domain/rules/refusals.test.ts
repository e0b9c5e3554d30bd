import { describe, expect, test } from 'vitest'
import { applications } from '../../../src/domain/fixtures.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import { plainTerminal } from '../../../src/domain/model/ledger.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { wake } from '../../../src/domain/rules/terminal/automatic.ts'
import { givingUp, newSession, paying } from '../../support/domain/checkout.ts'
import {
  closing,
  day,
  freeRefund,
  momentNames,
  noon,
  on,
  payment,
  saleOf,
  Till,
  tillWith,
} from '../../support/domain/ledger.ts'

const attended = 'TBX-ATTENDED-001'

/** Field, message, detail and remedy of a refusal; commands without their backticks. */
const factsOf = (till: Till, command: Command) => {
  const { code, field, message, detail, remedy } = till.refusal(command)
  return { code, field, message, detail, remedy: remedy.replaceAll('`', '') }
}

describe('the remedy of a refusal', () => {
  test('the abort of a final transaction suggests a refund of what is left, or nothing', () => {
    const [till, paid, declined] = tillWith(saleOf(1), saleOf(1, {}, 'do-not-honor'))
    expect(factsOf(till, on('abort', paid)).remedy).toBe(`Refund it: tillbox refund ${paid.id} --amount 0.01`)
    till.open(on('void', paid))
    expect(factsOf(till, on('abort', paid)).remedy).toBe(`See what became of it: tillbox query ${paid.id}`)
    expect(factsOf(till, on('abort', declined)).remedy).toMatch(/^Nothing was charged/)
  })

  test('a follow-up on an original in the wrong state says what to do', () => {
    const [till, declined, voided, pending] = tillWith(
      payment('auth', 1000, {}, 'do-not-honor'),
      payment('auth', 1000),
      payment('auth', 1000, {}, 'late-approval'),
    )
    const capture = (auth: Transaction) => factsOf(till, on('post-auth', auth, { amount: 1 })).remedy
    expect(capture(pending)).toBe(`Wait until it completes: tillbox query ${pending.id}`)
    expect(capture(declined)).toMatch(/^Nothing was charged/)
    const voiding = till.open(on('void', voided, { pushToTerminal: false }, 'late-approval'))
    expect(capture(voided)).toBe(`Wait until it completes: tillbox query ${voiding.id}`)
    till.pass(60_000)
    expect(capture(voided)).toMatch(/^A void takes all of it back/)
  })

  test('the refusals of a second capture and of a refund name the capture, and not one that failed before', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.open(on('incremental-auth', auth, { amount: 1 }))
    till.open(on('post-auth', auth, { amount: 1 }, 'do-not-honor'))
    const pending = till.open(on('post-auth', auth, { amount: 1 }, 'late-approval'))
    const again = on('post-auth', auth, { amount: 1 })
    const remedy = `Wait until it completes: tillbox query ${pending.id}`
    expect(factsOf(till, again).remedy).toBe(remedy)
    till.pass(60_000)
    expect(factsOf(till, again).remedy).toContain(`Void or refund its capture: tillbox query ${pending.id}.`)
    till.open(on('void', pending))
    const second = till.open(on('post-auth', auth, { amount: 1 }))
    expect(till.open(on('void', second, {}, 'do-not-honor'))).toMatchObject({ status: 'FAIL' })
    expect(factsOf(till, again).remedy).toContain(`tillbox query ${second.id}.`)
    const refund = factsOf(till, on('refund', auth, { amount: 1 }))
    expect(refund.remedy).toContain(`Void or refund its capture: tillbox query ${second.id}.`)
  })

  test('a follow-up is refused while its authorisation is being raised, with the increment to wait for', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const raising = till.open(on('incremental-auth', auth, { amount: 1 }, 'late-approval'))
    for (const command of [on('post-auth', auth, { amount: 1 }), on('void', auth)])
      expect(factsOf(till, command)).toMatchObject({
        code: 'SBX_NOT_ALLOWED',
        detail: `transaction ${auth.id} is being raised by an incremental auth`,
        remedy: `Wait until it completes: tillbox query ${raising.id}`,
      })
  })

  test('the void of a refunded payment says what is left to refund, or that nothing is', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const pending = till.open(on('refund', sale, { amount: 1 }, 'late-approval'))
    expect(factsOf(till, on('void', sale)).remedy).toContain(pending.id)
    till.pass(60_000)
    const remedy = `Refund it: tillbox refund ${sale.id} --amount 9.99`
    expect(factsOf(till, on('void', sale)).remedy).toBe(remedy)
    till.open(on('refund', sale, { amount: 999 }))
    expect(factsOf(till, on('void', sale)).remedy).toBe('All of it went back already; nothing is left to do')
  })

  test('an operation of another type of transaction says what fits the one named', () => {
    const till = new Till()
    const [sale, auth, captured] = [saleOf(1000), payment('auth', 500), payment('auth', 500)].map((each) =>
      till.open(each),
    ) as [Transaction, Transaction, Transaction]
    const [page, closed] = [till.open(newSession(1)), till.open(newSession(1))]
    till.do(givingUp(closed))
    const capture = till.open(on('post-auth', captured, { amount: 500 }))
    const voided = till.open(saleOf(1))
    const others = [freeRefund(1), on('void', voided), on('void', capture), saleOf(1, {}, 'do-not-honor')]
    const [free, voiding, , declined] = others.map((each) => till.open(each)) as Transaction[]
    const remedies = (type: 'refund' | 'post-auth', ...originals: (Transaction | undefined)[]) =>
      originals.map((each) => each && factsOf(till, on(type, each, { amount: 1 })).remedy)
    expect(remedies('refund', auth, captured)).toEqual([
      `Capture it: tillbox post-auth ${auth.id} --amount 5.00. Or void it: tillbox void ${auth.id}`,
      `Capture it: tillbox post-auth ${captured.id} --amount 5.00. Or void it: tillbox void ${captured.id}`,
    ])
    const over = 'Nothing was charged and nothing is left to do; take a new payment if one is due'
    expect(remedies('post-auth', sale, page, closed, free, voiding, voided, declined)).toEqual([
      `See what became of it: tillbox query ${sale.id}`, // to refund it is not what was wanted
      `End its session: tillbox checkout expire --transaction-request-id ${page.transactionRequestId}`,
      over,
      `It is not linked to a payment; look at it: tillbox query ${free?.id}`,
      `See the payment it belongs to: tillbox query ${voided.id}`,
      `See what became of it: tillbox query ${voided.id}`,
      over,
    ])
    const waiting = till.open(saleOf(1, { terminalSn: attended }))
    expect(remedies('post-auth', waiting)).toEqual([`Wait until it completes: tillbox query ${waiting.id}`])
  })

  test.each([
    ['ORDER-1', true],
    ['1_a', true],
    ['a1', true],
    ['12', false],
    ['a b', false],
    ['a!', false],
    ['!a', false],
  ])('the original %j that does not exist may be the id of an order: %s', (id, mayBe) => {
    const asOrder = `Look it up as an order: tillbox list --reference-order-id ${id}`
    const { remedy } = factsOf(new Till(), on('void', { id } as Transaction))
    expect(remedy).toBe(mayBe ? asOrder : 'Check the id and the merchant it belongs to')
  })

  test('a settled tip stays, and the refusal says how the difference is paid', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 100 }))
    till.do(closing())
    const remedy = (tipAmount: number) => factsOf(till, on('tip-adjust', sale, { tipAmount })).remedy
    expect([101, 100, 99].map(remedy)).toEqual([
      'A settled tip stays. Take the rest as a new payment: tillbox sale --amount 0.01 --price-currency USD',
      `A settled tip stays. It is what you ask for: tillbox query ${sale.id}`,
      `A settled tip stays. Give the rest back: tillbox refund ${sale.id} --amount 0.00 --tip-amount 0.01`,
    ])
  })

  test('the void of a payment of another day suggests what its type allows', () => {
    const [till, sale, auth, refund] = tillWith(saleOf(1000), payment('auth', 1000), freeRefund(1))
    till.at += day
    const remedies = [sale, auth, refund].map((each) => factsOf(till, on('void', each)).remedy)
    expect(remedies).toEqual([
      `Refund it: tillbox refund ${sale.id} --amount 10.00`,
      'Do not capture it: an authorisation alone charges nothing, and expires by itself',
      'A refund of an earlier day or batch stays; take a new payment: tillbox sale --amount 0.01 --price-currency USD',
    ])
    const settled = till.open(saleOf(1000))
    till.do(closing())
    const remedy = `Refund it: tillbox refund ${settled.id} --amount 10.00`
    expect(factsOf(till, on('void', settled)).remedy).toBe(remedy)
  })

  test('the refusal of a capture that is too large names the limit and its setting', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { taxAmount: 100 }))
    const capture = (amount: number, more: object) => {
      const { field, detail, remedy } = factsOf(till, on('post-auth', auth, { amount, ...more }))
      return [field, detail, remedy]
    }
    expect(capture(1101, {})).toEqual([
      'amount',
      '11.01 requested, at most 11.00 USD: what was authorised',
      'Capture no more than was authorised, or raise it first with an incremental auth',
    ])
    expect(capture(100, { tipAmount: 101 })).toEqual([
      'tipAmount',
      '1.01 requested, at most 1.00 USD: 100 % of the order amount',
      'Send at most 1.00 (100 in minor units), or start the sandbox with --set captureTip=<percent>',
    ])
    expect(capture(100, { taxAmount: 266 })).toEqual([
      'taxAmount',
      '2.66 requested, at most 2.65 USD: 1.00 authorised, and 15 % of the authorised 11.00',
      'Send at most 2.65 (265 in minor units), or start the sandbox with --set captureExcess=<percent>',
    ])
    expect(capture(100, { surchargeAmount: 166 })[0]).toBe('surchargeAmount')
    const most = on('post-auth', auth, { amount: 1000, taxAmount: 265, tipAmount: 1000 })
    expect(till.open(most).status).toBe('SUCCESS')
  })
})

describe('api refund-2: the asked and the remaining amount', () => {
  const mixed = { tipAmount: 100, taxAmount: 20 }
  const leftOfMixed = '11.20 USD left (order 10.00, tax 0.20, tip 1.00)'
  const askedOfMixed = '1.02 USD requested (order 0.01, tax 0.00, tip 1.01)'
  const askedWithTip = '1.01 USD requested (order 0.01, tip 1.00), 10.00 USD left'
  const ofTip = '1.01 USD requested (order 0.00, tip 1.01), 1.00 USD left (order 0.00, tip 1.00)'

  test.each<[number, object, object, string, string?]>([
    [1000, {}, { amount: 1001 }, 'amount', '10.01 USD requested, 10.00 USD left'],
    [1000, mixed, { amount: 1121 }, 'amount', `11.21 USD requested, ${leftOfMixed}`],
    [1000, mixed, { amount: 1, tipAmount: 101 }, 'tipAmount', `${askedOfMixed}, ${leftOfMixed}`],
    [1000, mixed, { amount: 2000, tipAmount: 1 }, 'amount'],
    [1000, mixed, { amount: 0, tipAmount: 1000, taxAmount: 121 }, 'amount'],
    [1000, {}, { amount: 1, tipAmount: 100 }, 'tipAmount', askedWithTip],
    [0, { tipAmount: 100 }, { amount: 0, tipAmount: 101 }, 'amount', ofTip],
  ])('of %i with %j, the refusal of the refund %j names %s', (order, parts, asked, field, detail) => {
    const [till, sale] = tillWith(saleOf(order, parts))
    const refused = till.refusal(on('refund', sale, asked))
    expect([refused.code, refused.field]).toEqual(['SBX_OVER_REFUND', field])
    if (detail !== undefined) expect(refused.detail).toBe(detail)
  })

  test('the refusal counts another refund that is in flight', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const pending = till.open(on('refund', sale, { amount: 400 }, 'late-approval'))
    const left = `6.01 USD requested, 6.00 USD left while refund ${pending.id} is in flight`
    expect(factsOf(till, on('refund', sale, { amount: 601 })).detail).toBe(left)
    const rest = till.open(on('refund', sale, { amount: 600, pushToTerminal: false }))
    expect(rest.status).toBe('SUCCESS')
    const held = { code: 'SBX_OVER_REFUND', remedy: `Wait until it completes: tillbox query ${pending.id}` }
    expect(factsOf(till, on('refund', sale, { amount: 1 }))).toMatchObject(held)
    till.pass(60_000)
    const spent = { code: 'SBX_REFUNDED', detail: 'nothing is left of the 10.00 USD' }
    expect(factsOf(till, on('refund', sale, { amount: 1 }))).toMatchObject(spent)
  })

  test('a refund without reference must be pushed to a terminal', () => {
    const till = new Till()
    till.refuses(freeRefund(1, { pushToTerminal: false }), 'C17 pushToTerminal')
    expect(till.open(freeRefund(1, { pushToTerminal: true })).status).toBe('SUCCESS')
    expect(till.refusal(freeRefund(1, { referenceOrderId: null })).field).toBe('originalTransactionId')
  })
})

test('adjusting a tip may not leave a payment of zero', () => {
  const [till, sale] = tillWith(saleOf(0, { tipAmount: 5 }))
  till.refuses(on('tip-adjust', sale, { tipAmount: 0 }), 'C17 tipAmount')
  till.do(on('tip-adjust', sale, { tipAmount: 1 }))
  expect(sale.tip).toBe(1)
  const large = till.open(saleOf(5, { tipAmount: 100 }))
  till.do(on('tip-adjust', large, { tipAmount: 0 }))
  expect(large.tip).toBe(0)
})

describe('the currencies of a merchant', () => {
  const [application] = applications
  const tillTaking = (currencies: string[]) => {
    const merchants = application?.merchants.map((each) => ({ ...each, currencies })) ?? []
    return new Till(10_000_000, 'UTC', {}, application && { ...application, merchants })
  }

  test('a currency that the merchant does not take is refused, and the refusal lists those taken', () => {
    const till = tillTaking(['USD', 'EUR'])
    const { code, field, detail } = factsOf(till, saleOf(1, { priceCurrency: 'JPY' }))
    expect([code, field]).toEqual(['SBX_NO_CURRENCY', 'priceCurrency'])
    expect(detail).toMatch(/ takes USD, EUR, not JPY$/)
    expect(till.open(saleOf(1, { priceCurrency: 'EUR' })).status).toBe('SUCCESS')
    expect(factsOf(tillTaking([]), saleOf(1)).detail).toMatch(/ takes none, not USD$/)
  })

  test('a follow-up keeps the currency of its payment, even one that is no longer taken', () => {
    const till = tillTaking(['USD'])
    const sale = till.open(saleOf(100))
    const other = { ...sale, currency: 'JPY' }
    till.ledger.transactions.add(other)
    expect(till.open(on('refund', other, { amount: 1, pushToTerminal: false })).currency).toBe('JPY')
  })
})

test('the refusal names the busy terminal and its transaction', () => {
  const till = new Till()
  const atBusy = saleOf(1, { terminalSn: 'TBX-BUSY-001' })
  till.refuses(atBusy, 'SBX_TERM_BUSY terminalSn', 'TBX-BUSY-001 is always busy')
  expect(() => till.open(atBusy)).toThrow(expect.objectContaining({ remedy: 'Use another terminal' }))
  till.set(attended, { busy: 'reject' })
  const sale = till.open(saleOf(1, { terminalSn: attended }))
  till.refuses(saleOf(1, { terminalSn: attended }), 'SBX_TERM_BUSY', `${attended} is busy with ${sale.id}`)
})

test('a payment without a page has none to pay on', () => {
  const [till, sale] = tillWith(saleOf(1))
  const command = { ...paying(sale), sessionId: '' } as Command
  till.refuses(command, 'SBX_SESSION_NONE sessionId', 'it has no checkout page')
})

describe('the close of batches', () => {
  test('the refusal of a close names the terminal and currency when no batch is open', () => {
    const till = new Till()
    const detail = (more: object) => factsOf(till, closing(more)).detail
    expect(detail({})).toBe('no open batch has transactions; online payments settle outside of batches')
    expect(detail({ terminalSn: attended, channelCode: null, priceCurrency: 'EUR' })).toBe(
      `no open batch has transactions of ${attended}, EUR; online payments settle outside of batches`,
    )
  })

  test('an automatic close has its own id and lists the batches of each terminal', () => {
    const till = new Till(0, 'UTC', { autoClose: '18:00' })
    till.open(saleOf(1))
    till.open(saleOf(1, { terminalSn: 'TBX-TIP20-001' }))
    till.at = noon + 6 * 3_600_000
    const events = till.do({ type: 'close-of-day' })
    expect(events).toMatchObject([
      { type: 'batch-closed', terminalSn: 'TBX-AUTO-001', batchNos: [1], fingerprint: '' },
      { type: 'batch-closed', terminalSn: 'TBX-TIP20-001', batchNos: [1], fingerprint: '' },
    ])
    const ids = events.map((event) => ('transactionRequestId' in event ? event.transactionRequestId : ''))
    expect(ids[0]).toMatch(/^auto-close-\d{16}$/)
    expect(new Set(ids).size).toBe(1)
  })
})

test('time does nothing too early, out of turn, without a terminal or for an unknown transaction', () => {
  const atAttended = { terminalSn: attended }
  const [till, first, second] = tillWith(saleOf(1, atAttended), saleOf(1, atAttended))
  const acts = (transactionId = '') =>
    wake(till.ledger, { type: 'wake', transactionId }, { ...till.stamp(), at: noon })
  expect([acts('NONE'), acts(first.id), acts(second.id)]).toEqual([[], [], []])
  first.wakeAt = null
  second.wakeAt = noon
  expect([acts(first.id), acts(second.id)]).toEqual([[], []])
  till.ledger.terminals.delete(attended)
  first.wakeAt = noon
  expect(acts(first.id)).toEqual([])
})

describe('an automatic terminal', () => {
  const acts = (till: Till, { id }: Transaction) =>
    wake(till.ledger, { type: 'wake', transactionId: id }, { ...till.stamp(), at: till.at })

  test('an automatic terminal does nothing before the time of its screen, nor while it is offline', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { pace: 1000 })
    const shown = till.open(saleOf(1))
    expect(acts(till, shown)).toEqual([])
    const waiting = till.open(saleOf(1, { terminalSn: 'TBX-OFFLINE-001' }))
    waiting.wakeAt = till.at
    expect(acts(till, waiting)).toEqual([])
  })

  test('a terminal that becomes automatic inserts the card for which it waited', () => {
    const [till, sale] = tillWith(saleOf(30_000, { terminalSn: attended }))
    till.do({ type: 'present-card', terminalSn: attended, card: 'visa-contactless' })
    expect(sale.screen).toBe('insert-card')
    till.set(attended, { mode: 'auto' })
    expect(sale.status).toBe('SUCCESS')
  })

  test('assumption cards: a terminal that becomes automatic with a card that the request excludes declines', () => {
    const excluding = { terminalSn: attended, paymentMethod: { category: 'CARD-DEBIT' } }
    const [till, sale] = tillWith(saleOf(1, excluding))
    till.set(attended, { mode: 'auto', card: 'visa-contactless' })
    expect([sale.status, sale.rule]).toEqual(['FAIL', 'card'])
  })

  test('a terminal that becomes automatic signs for the person for whom it waited', () => {
    const [till, sale] = tillWith(saleOf(1, { terminalSn: attended }))
    till.do({ type: 'present-card', terminalSn: attended, card: 'discover-swipe' })
    till.set(attended, { mode: 'auto' })
    expect(momentNames(sale).slice(-3)).toEqual(['signature-asked', 'signed', 'approved'])
  })
})

describe('the settings of a terminal', () => {
  test('a terminal accepts known cards and outcomes, and one of two modes', () => {
    const till = new Till()
    const set = (changes: object) => factsOf(till, { type: 'set-terminal', terminalSn: attended, changes })
    for (const [field, name, near] of [
      ['card', 'visa-debt', 'visa-debit'],
      ['outcome', 'aprove', 'approve'],
    ] as const) {
      const [message, remedy] = [`There is no ${field} ${name}`, `Did you mean ${near}?`]
      expect(set({ [field]: name })).toMatchObject({ field, message, remedy })
    }
    expect(set({ mode: null })).toMatchObject({ code: 'C17', field: 'mode' })
    const unknown: Command = { type: 'set-terminal', terminalSn: 'NONE', changes: { online: false } }
    expect(factsOf(till, unknown).code).toBe('SBX_UNREGISTERED')
    till.set(attended, { card: null, outcome: null } as object)
    const profile = { ...plainTerminal('COUNTER-9'), card: 'gone' }
    expect(factsOf(till, { type: 'add-terminal', profile }).field).toBe('card')
  })

  test('a queued outcome must be known, except with times 0', () => {
    const till = new Till()
    const gone = { type: 'queue-outcome', terminalSn: attended, outcome: 'gone' } as const
    till.refuses({ ...gone, times: 1 }, 'C17 outcome')
    expect(till.do({ ...gone, times: 0 })).toHaveLength(1)
    till.refuses({ ...gone, times: 0, terminalSn: 'NONE' }, 'SBX_UNREGISTERED')
  })

  test('the remedy of a refused act names the terminal', () => {
    const till = new Till()
    const remedy = (command: Command) => factsOf(till, command).remedy
    const look = `Look at what it shows: tillbox terminal show ${attended}`
    expect(remedy({ type: 'cancel', terminalSn: attended })).toBe(look)
    till.open(saleOf(1, { terminalSn: attended }))
    const first = `First: tillbox terminal present ${attended} --card visa-chip-pin`
    expect(remedy({ type: 'sign', terminalSn: attended })).toBe(first)
    const late = { terminalSn: attended, timeExpire: '2026-11-20T12:00:00Z' }
    expect(till.refusal(saleOf(1, late)).field).toBe('timeExpire')
  })
})

import { describe, expect, test } from 'vitest'
import { cards, outcomes } from '../../../src/domain/fixtures.ts'
import { freeRefund, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const auto = 'TBX-AUTO-001'
const byAmount = outcomes.filter(({ amount }) => amount !== undefined)

test('every name and every amount is in the table of outcomes once', () => {
  expect(new Set(outcomes.map(({ name }) => name)).size).toBe(outcomes.length)
  expect(new Set(byAmount.map(({ amount }) => amount)).size).toBe(byAmount.length)
})

test.each(outcomes)('by header, $name gives $code, $status', ({ name, code, message, status, delay = 0 }) => {
  const [till, sale] = tillWith(saleOf(1000, {}, name))
  expect(sale.status).toBe(delay > 0 ? 'PROCESSING' : status)
  till.pass(delay)
  expect(sale).toMatchObject({ status, resultCode: code, resultMsg: message, outcome: name })
  expect([sale.rule, (sale.completedAt ?? 0) - sale.createdAt]).toEqual(['header', delay])
})

describe('an outcome by amount', () => {
  test.each(byAmount)('the amount $amount gives $name', ({ name, amount = 0, code, status, delay = 0 }) => {
    const [till, sale] = tillWith(saleOf(amount))
    till.pass(delay)
    expect(sale).toMatchObject({ status, resultCode: code, outcome: name, rule: 'amount' })
  })

  test('the orderAmount triggers an outcome, not the sum', () => {
    const till = new Till()
    expect(till.open(saleOf(9823, { tipAmount: 100 })).rule).toBe('amount')
    expect(till.open(saleOf(9723, { tipAmount: 100 })).rule).toBe('default')
    const amount = { orderAmount: 9823, priceCurrency: 'USD' }
    expect(till.open(saleOf(0, { amount })).outcome).toBe('do-not-honor')
  })

  test('an amount one more or one less than a trigger amount triggers nothing', () => {
    const till = new Till()
    for (const { amount = 0 } of byAmount)
      for (const near of [amount - 1, amount + 1])
        expect(till.open(saleOf(near))).toMatchObject({ status: 'SUCCESS', rule: 'default' })
  })

  test('the amount decides every payment, and no refund', () => {
    const [till, auth, sale] = tillWith(payment('auth', 20_000), saleOf(20_000))
    const all = [
      till.open(payment('auth', 9734)),
      till.open(payment('forced-auth', 9734)),
      till.open(on('incremental-auth', auth, { amount: 9734 })),
      till.open(on('post-auth', auth, { amount: 9734 })),
    ]
    for (const transaction of all)
      expect(transaction).toMatchObject({ status: 'FAIL', outcome: 'insufficient-funds', rule: 'amount' })
    const back = [
      till.open(on('refund', sale, { amount: 9734 })),
      till.open(on('refund', sale, { amount: 9734, pushToTerminal: false })),
      till.open(freeRefund(9734)),
    ]
    for (const refund of back) expect(refund).toMatchObject({ status: 'SUCCESS', rule: 'default' })
  })
})

test.each(cards)('the card $name decides the outcome that it has', ({ name, outcome }) => {
  const till = new Till()
  till.set(auto, { card: name })
  expect(till.open(saleOf(1000))).toMatchObject(
    outcome === undefined
      ? { status: 'SUCCESS', card: name, rule: 'default' }
      : { status: 'FAIL', card: name, outcome, rule: 'card' },
  )
})

const layers = ['header', 'queue', 'terminal', 'amount', 'card', 'default'] as const
const answers = {
  header: 'wrong-pin',
  queue: 'stolen-card',
  terminal: 'lost-card',
  amount: 'do-not-honor',
  card: 'expired-card',
  default: 'approve',
}

test.each(layers)('the rule %s wins over every rule after it', (rule) => {
  const till = new Till()
  const applies = (layer: (typeof layers)[number]) => layers.indexOf(layer) >= layers.indexOf(rule)
  if (applies('queue')) till.queue(auto, answers.queue)
  if (applies('terminal')) till.set(auto, { outcome: answers.terminal })
  if (applies('card')) till.set(auto, { card: 'visa-expired' })
  const sale = saleOf(applies('amount') ? 9823 : 1000, {}, applies('header') ? answers.header : null)
  expect(till.open(sale)).toMatchObject({ rule, outcome: answers[rule] })
})

describe('the queue of a terminal', () => {
  test('queued outcomes are used in order, each as often as it was queued', () => {
    const till = new Till()
    till.queue(auto, 'do-not-honor', 2)
    till.queue(auto, 'wrong-pin')
    const names = Array.from({ length: 4 }, () => till.open(saleOf(1000)).outcome)
    expect(names).toEqual(['do-not-honor', 'do-not-honor', 'wrong-pin', 'approve'])
    expect(till.terminal(auto).queue).toEqual([])
  })

  test('a transaction with an outcome in its header does not use the queue', () => {
    const till = new Till()
    till.queue(auto, 'do-not-honor')
    till.open(saleOf(1000, {}, 'approve'))
    expect(till.open(saleOf(1000)).outcome).toBe('do-not-honor')
  })

  test('a transaction that never asked the host does not use the queue', () => {
    const till = new Till()
    till.queue('TBX-CANCEL-001', 'do-not-honor')
    till.open(saleOf(1000, { terminalSn: 'TBX-CANCEL-001' }))
    expect(till.terminal('TBX-CANCEL-001').queue).toEqual([{ outcome: 'do-not-honor', times: 1 }])
  })

  test('a queue applies to the next transactions, those in line included', () => {
    const [till, late, next] = tillWith(saleOf(1000, {}, 'late-approval'), saleOf(1000))
    till.queue(auto, 'do-not-honor')
    till.pass(60_000)
    expect([late.status, next.status, next.rule]).toEqual(['SUCCESS', 'FAIL', 'queue'])
  })

  test('times 0 clears the queue', () => {
    const till = new Till()
    till.queue(auto, 'do-not-honor', 5)
    till.queue(auto, 'wrong-pin')
    till.queue(auto, 'approve', 0)
    expect(till.terminal(auto).queue).toEqual([])
    expect(till.open(saleOf(1000)).rule).toBe('default')
  })
})

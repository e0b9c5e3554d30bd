import { describe, expect, test } from 'vitest'
import { authorisedUntil } from '../../../src/domain/model/parts.ts'
import { relatedStatusOf } from '../../../src/domain/original-effects.ts'
import { paymentOfOrder } from '../../../src/domain/rules/refund.ts'
import { noon, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

test('assumption authorisations: an AUTH is valid from its completion, or until then from its opening', () => {
  const till = new Till(0, 'UTC', { authValidity: 1000 })
  const auth = till.open(payment('auth', 1000, {}, 'late-approval'))
  expect(authorisedUntil(till.ledger, auth)).toBe(noon + 1000)
  till.pass(60_000)
  expect(authorisedUntil(till.ledger, auth)).toBe(noon + 61_000)
})

test('assumption refund-without-reference: it takes the newest payment of the order of which something is left', () => {
  const till = new Till()
  const sell = (referenceOrderId: string, outcome?: string) =>
    till.open(saleOf(1000, { referenceOrderId }, outcome))
  const [older, newer] = [sell('ORDER-1'), sell('ORDER-1')]
  sell('ORDER-1', 'do-not-honor')
  sell('ORDER-2')
  const found = () => paymentOfOrder(till.ledger, 'ORDER-1')?.id
  expect(found()).toBe(newer.id)
  till.open(on('refund', newer, { amount: 1000 }))
  expect(found()).toBe(older.id)
  till.open(on('void', older))
  expect(found()).toBeUndefined()
})

describe('assumption statuses, batches', () => {
  test('relatedStatus names the last successful follow-up: raised, captured, refunded in part or whole, voided', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const marks = [relatedStatusOf(auth)]
    till.open(on('incremental-auth', auth, { amount: 1 }, 'do-not-honor'))
    marks.push(relatedStatusOf(auth))
    till.open(on('incremental-auth', auth, { amount: 1 }))
    marks.push(relatedStatusOf(auth))
    const capture = till.open(on('post-auth', auth, { amount: 1000 }))
    marks.push(relatedStatusOf(auth))
    till.open(on('refund', capture, { amount: 1 }))
    marks.push(relatedStatusOf(capture))
    till.open(on('refund', capture, { amount: 999 }))
    marks.push(relatedStatusOf(capture))
    const sale = till.open(saleOf(1))
    till.open(on('void', sale))
    marks.push(relatedStatusOf(sale))
    expect(marks).toEqual([...[null, null, 'INCREMENTAL', 'CAPTURE', 'PART_REFUNDED', 'REFUNDED', 'VOIDED']])
  })

  test('a batch is opened by its first transaction that counts, also after the clock was set back', () => {
    const till = new Till()
    const openedAt = () => [...till.ledger.batches.values()].map((batch) => batch.openedAt - noon)
    const sale = till.open(saleOf(1000))
    till.at += 1000
    till.open(saleOf(1000))
    expect(openedAt()).toEqual([0])
    till.at = noon - 500
    till.open(saleOf(1000))
    expect(openedAt()).toEqual([-500])
    const other = new Till()
    const only = other.open(saleOf(1000))
    other.open(on('void', only))
    other.at += 2000
    other.open(saleOf(1000))
    expect([...other.ledger.batches.values()].map((batch) => batch.openedAt - noon)).toEqual([2000])
    expect(sale.batchNo).toBe(1)
  })
})

import { describe, expect, test } from 'vitest'
import { evolve } from '../../../src/domain/evolve.ts'
import { type Event, isOfSameTransaction } from '../../../src/domain/model/events.ts'
import { minus, plus, take, totalOrZero } from '../../../src/domain/model/parts.ts'
import { rrnOf, stanOf, voucherNoOf } from '../../../src/domain/model/record-numbers.ts'
import { momentsOf } from '../../../src/domain/model/timeline.ts'
import type { Timeline, Transaction } from '../../../src/domain/model/transaction.ts'
import { notificationsAt } from '../../../src/domain/notifications.ts'
import { requireTransitions } from '../../../src/domain/rules/decide.ts'
import { outcomeFor } from '../../../src/domain/rules/terminal/host.ts'
import {
  ledgerText,
  momentNames,
  noon,
  on,
  payment,
  saleOf,
  Till,
  tillWith,
} from '../../support/domain/ledger.ts'

const auto = 'TBX-AUTO-001'
const attended = 'TBX-ATTENDED-001'

describe('api statuses: the check of the status changes of a decision', () => {
  /** What comes of events that are about a payment under way, and one that was made. */
  function allowed(events: (open: string, paid: string) => readonly Event[]) {
    const [till, open, paid] = tillWith(saleOf(1000, { terminalSn: attended }), saleOf(1000))
    const given = events(open.id, paid.id)
    return { given, returned: requireTransitions(till.ledger, given) }
  }
  type Events = Parameters<typeof allowed>[0]
  const closed = (id: string, reason: 'cancel' | 'abort' | 'expiry'): Event => ({
    type: 'closed',
    id,
    reason,
  })
  const declined = (id: string): Event => ({ type: 'declined', id, code: '005', message: 'M' })
  const opened = (id = 'NEW') => ({ type: 'opened', id }) as Event
  const takenUp: Event = { type: 'taken-up', id: 'NEW', screen: 'processing' }

  test.each<[string, Events]>([
    ['a payment under way is closed', (open) => [closed(open, 'cancel')]],
    ['a status that stays', (_, paid) => [{ type: 'signed', id: paid }]],
    ['no transaction', () => [{ type: 'terminal-removed', terminalSn: auto }]],
    ['one after another of the same transaction', () => [opened(), takenUp, declined('NEW')]],
    ['two transactions in turn', (open) => [closed(open, 'abort'), opened()]],
  ])('the check of status changes allows %s', (_, events) => {
    const { given, returned } = allowed(events)
    expect(returned).toEqual(given)
  })

  test.each<[string, Events, string]>([
    ['a final status', (_, paid) => [closed(paid, 'abort')], 'from SUCCESS to CLOSED by abort'],
    ['a second opening', (_, paid) => [opened(paid)], 'from SUCCESS to INITIAL by opened'],
    ['an unknown one', () => [declined('NONE')], 'from null to FAIL by declined'],
    [
      'what follows a final status within a decision',
      (open) => [closed(open, 'expiry'), declined(open)],
      'from CLOSED to FAIL by declined',
    ],
  ])('the check of status changes refuses %s', (_, events, text) =>
    expect(() => allowed(events)).toThrow(text),
  )
})

describe('an event that does not apply to the ledger', () => {
  test.each<Event>([
    { type: 'outcome-queued', terminalSn: 'NONE', outcome: 'approve', times: 1 },
    { type: 'outcome-queued', terminalSn: 'NONE', outcome: 'approve', times: 0 },
    { type: 'terminal-removed', terminalSn: 'NONE' },
    { type: 'delivery-posted', transactionId: 'NONE', event: null, url: 'http://127.0.0.1:9' },
    { type: 'delivery-again', number: 9 },
    { type: 'signed', id: 'NONE' },
  ])('$type for something unknown changes nothing', (event) => {
    const [till] = tillWith(saleOf(1000))
    const before = ledgerText(till.ledger)
    evolve(till.ledger, event, till.at)
    expect(ledgerText(till.ledger)).toBe(before)
  })

  test('a transaction of a removed terminal ends without it', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    till.queue(attended, 'approve')
    till.ledger.terminals.delete(attended)
    const asked = { type: 'host-asked', id: sale.id, outcome: 'approve' } as const
    evolve(till.ledger, { ...asked, rule: 'queue', screen: 'host' }, noon)
    evolve(till.ledger, { type: 'closed', id: sale.id, reason: 'abort' }, noon)
    expect([sale.status, sale.screen]).toEqual(['CLOSED', 'done'])
  })

  test('the end of a transaction that is not in line leaves the line as it is', () => {
    const waiting = () => saleOf(1000, { terminalSn: attended })
    const [till, first, second] = tillWith(waiting(), waiting())
    till.do(on('abort', second))
    expect([till.terminal(attended).line, till.terminal(attended).last]).toEqual([[first.id], second.id])
    evolve(till.ledger, { type: 'signed', id: second.id }, noon)
    expect(till.terminal(attended).line).toEqual([first.id])
  })

  test('a transaction that leaves the line from behind does not wake the next one', () => {
    const till = new Till()
    const [first, second, third] = [1, 2, 3].map(() => till.open(saleOf(1000, { terminalSn: attended })))
    const before = [first?.wakeAt, third?.wakeAt]
    till.at += 1000
    till.do(on('abort', second as Transaction), { still: true })
    expect([first?.wakeAt, third?.wakeAt]).toEqual(before)
  })

  test('an event registers a terminal that the ledger does not know', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: 'COUNTER-9' }))
    const replayed = new Till()
    const [opened] = till.entries.flatMap(({ events }) => events.filter((event) => event.type === 'opened'))
    evolve(replayed.ledger, opened as Event, noon)
    const terminal = replayed.terminal('COUNTER-9')
    expect([terminal.asGiven, terminal.registeredAt, terminal.line]).toEqual([true, noon, [sale.id]])
  })
})

const inPerson = { inCloud: false, instructions: null, timeline: [] as Timeline } as Transaction

test.each<[string, Partial<Transaction>, readonly (string | null)[]]>([
  ['opened', {}, []],
  ['card-presented', { pinAfter: 'tip-chosen' }, ['PAYMENT_PRESENTED']],
  ['card-presented', { pinAfter: 'card-presented' }, ['PAYMENT_PRESENTED', 'PIN_ENTERING']],
  ['tip-chosen', { pinAfter: 'tip-chosen' }, ['PIN_ENTERING']],
  ['tip-chosen', {}, []],
  ['approved', {}, [null, 'TRANSACTION_ENDED']],
  ['approved', { instructions: { print: true } }, [null, 'PRINTING', 'PRINT_COMPLETED', 'TRANSACTION_ENDED']],
  ['signature-asked', {}, []],
  ['signature-skipped', {}, []],
  ['signed', {}, ['SIGNATURE_CAPTURED']],
  ['pin-wrong', { pinAfter: 'card-presented' }, []],
])('assumption terminal-events: the moment %s of %j sends its terminal events', (moment, more, expected) => {
  expect(notificationsAt(moment, { ...inPerson, ...more })).toEqual(expected)
})

describe('arithmetic with parts', () => {
  const one = { order: 100, tip: 20, tax: 30, surcharge: 40, cashback: 50 }
  const other = { order: 1, tip: 2, tax: 3, surcharge: 4, cashback: 5 }

  test('each part is added by itself, and a missing part counts as zero', () => {
    expect(plus(one, other)).toEqual({ order: 101, tip: 22, tax: 33, surcharge: 44, cashback: 55 })
    expect(minus(one, other)).toEqual({ order: 99, tip: 18, tax: 27, surcharge: 36, cashback: 45 })
    expect([plus(one, null), minus(one, undefined), plus(null, one)]).toEqual([one, one, one])
    expect([totalOrZero(one), totalOrZero(null), totalOrZero(undefined)]).toEqual([240, 0, 0])
  })

  test.each([
    [240, one],
    [100, { order: 100, tip: 0, tax: 0, surcharge: 0, cashback: 0 }],
    [135, { order: 100, tip: 0, tax: 30, surcharge: 5, cashback: 0 }],
    [180, { order: 100, tip: 10, tax: 30, surcharge: 40, cashback: 0 }],
    [241, { ...one, order: 101 }],
    [0, { order: 0, tip: 0, tax: 0, surcharge: 0, cashback: 0 }],
  ])('assumption refund-parts: %i is taken from the parts in their order', (sum, taken) =>
    expect(take(sum, one)).toEqual(taken),
  )

  test('a part below zero gives nothing back', () => {
    expect(take(5, { ...one, order: -3 })).toEqual({ order: 0, tip: 0, tax: 5, surcharge: 0, cashback: 0 })
  })
})

test('assumption outcome-order: a void is not declined by its amount, and an unknown card decides nothing', () => {
  const [till, sale] = tillWith(saleOf(9000))
  const voided = till.open(on('void', { ...sale, order: 9823 } as Transaction, {}, null))
  const ofOne = (transaction: Transaction) => outcomeFor(till.ledger, transaction, undefined)
  expect(ofOne({ ...voided, order: 9823, card: null }).rule).toBe('default')
  expect(ofOne({ ...sale, order: 9823 }).rule).toBe('amount')
  expect(ofOne({ ...sale, order: 1, card: 'gone' }).rule).toBe('default')
  const person = { ...sale, rule: 'person' as const, outcome: 'lost-card' }
  expect(ofOne(person)).toMatchObject({ rule: 'person', outcome: { code: '041' } })
  expect(ofOne({ ...person, outcome: null }).rule).toBe('default')
})

test.each([
  ['2026-01-01T00:00:00Z', 1, '600100000001'],
  ['2026-11-20T12:00:00Z', 42, '632412000042'],
  ['2024-12-31T23:59:59Z', 999_999, '436623999999'],
])('assumption identifiers: at %s the trace %i makes the reference %s', (at, stan, rrn) => {
  const transaction = { createdAt: Date.parse(at), stan, voucherNo: 7 } as Transaction
  const numbers = [rrn, String(stan).padStart(6, '0'), '000007']
  expect([rrnOf(transaction), stanOf(transaction), voucherNoOf(transaction)]).toEqual(numbers)
})

test('the timeline of a declined payment has the code of the host, and that of a closed one the reason', () => {
  const [till, declined, closed] = tillWith(saleOf(1, {}, 'lost-card'), saleOf(1, { terminalSn: attended }))
  till.do(on('abort', closed))
  expect(momentsOf(declined).at(-1)).toMatchObject({ what: 'declined', detail: '041' })
  expect(momentsOf(closed).at(-1)).toMatchObject({ what: 'closed', detail: 'abort' })
})

test('a refund in the cloud leaves the terminal and its queued outcomes alone', () => {
  const [till, sale] = tillWith(saleOf(1000))
  till.queue(auto, 'lost-card')
  const refund = till.open(on('refund', sale, { amount: 1, pushToTerminal: false }))
  expect([refund.status, till.terminal(auto).last]).toEqual(['SUCCESS', sale.id])
  expect(till.terminal(auto).queue).toEqual([{ outcome: 'lost-card', times: 1 }])
})

test('a follow-up of a payment that was signed is not signed', () => {
  const till = new Till()
  till.set(auto, { card: 'discover-swipe' })
  const sale = till.open(saleOf(1000))
  const refund = till.open(on('refund', sale, { amount: 1 }))
  expect([momentNames(sale).includes('signed'), momentNames(refund).at(-1)]).toEqual([true, 'approved'])
})

test('the timelines of an AUTH and its capture name the operations on them', () => {
  const [till, auth] = tillWith(payment('auth', 1000))
  till.open(on('incremental-auth', auth, { amount: 1 }))
  const capture = till.open(on('post-auth', auth, { amount: 1000 }))
  till.do(on('tip-adjust', capture, { tipAmount: 5 }))
  expect(momentNames(auth).slice(-2)).toEqual(['incremental', 'post-auth'])
  expect(momentNames(capture).at(-1)).toBe('tip-adjusted')
})

const removed: Event = { type: 'terminal-removed', terminalSn: auto }
const [one, other] = ['1', '2'].map((id): Event => ({ type: 'signed', id })) as [Event, Event]

test.each<[Event, Event | undefined, boolean]>([
  [one, one, true],
  [one, other, false],
  [one, undefined, false],
  [one, removed, false],
  [removed, one, false],
  [removed, removed, false],
])('%j after %j are of the same transaction: %s', (event, before, same) => {
  expect(isOfSameTransaction(event, before)).toBe(same)
})

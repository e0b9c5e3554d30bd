import { describe, expect, test } from 'vitest'
import { terminalEvents } from '../../../src/contract/control/webhooks.ts'
import { evolve } from '../../../src/domain/evolve.ts'
import type { Event } from '../../../src/domain/model/events.ts'
import {
  attemptsInAll,
  createOutbox,
  type Delivery,
  deliveryState,
  enterDelivery,
  isFailing,
  noteAttempt,
  type Outbox,
  resendDelivery,
} from '../../../src/domain/model/outbox.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { deliveriesToFollowers } from '../../../src/domain/notifications.ts'
import { onlineRefund, walletPayment } from '../../support/domain/checkout.ts'
import {
  closing,
  day,
  freeRefund,
  ledgerText,
  on,
  payment,
  saleOf,
  Till,
  tillWith,
  WatchedTill,
} from '../../support/domain/ledger.ts'

const url = 'http://127.0.0.1:9/results'
const eventsUrl = 'http://127.0.0.1:9/events'
const urls = { notifyUrl: url, terminalEventNotifyUrl: eventsUrl }
const cloud = { pushToTerminal: false }
const result = 'result'
const [atOffline, attended] = [{ terminalSn: 'TBX-OFFLINE-001' }, { terminalSn: 'TBX-ATTENDED-001' }]

const all = ({ ledger }: Till): Delivery[] => [...ledger.outbox.deliveries.values()]

/** What was told of a transaction, in order. */
const notificationsOf = (till: Till, { id }: Transaction): string[] =>
  all(till)
    .filter(({ transactionId }) => transactionId === id)
    .map(({ event }) => event ?? result)

/** Names of the terminal events told of a transaction, in order. */
const terminalOf = (till: Till, transaction: Transaction): string[] =>
  notificationsOf(till, transaction).filter((what) => what !== result)

const usual = ['ORDER_RECEIVED', 'PAYMENT_PRESENTED', 'PAYMENT_PROCESSING', result, 'TRANSACTION_ENDED']
const withoutCard = ['ORDER_RECEIVED', 'PAYMENT_PROCESSING', result, 'TRANSACTION_ENDED']

describe('assumption terminal-events: the notifications of each type of transaction', () => {
  const first = (type: 'sale' | 'auth' | 'forced-auth') => (till: Till) =>
    till.open(payment(type, 1000, urls))
  const later = (type: 'refund' | 'void', more: object) => (till: Till) =>
    till.open(on(type, till.open(saleOf(1000)), { ...more, ...urls }))
  const ofAuth = (type: 'incremental-auth' | 'post-auth', more: object) => (till: Till) =>
    till.open(on(type, till.open(payment('auth', 1000)), { amount: 500, ...more, ...urls }))

  test.each<[string, (till: Till) => Transaction, readonly string[]]>([
    ['SALE', first('sale'), usual],
    ['AUTH', first('auth'), usual],
    ['FORCED_AUTH', first('forced-auth'), usual],
    ['REFUND', later('refund', { amount: 500 }), withoutCard],
    ['VOID', later('void', {}), withoutCard],
    ['INCREMENTAL', ofAuth('incremental-auth', {}), withoutCard],
    ['POST_AUTH', ofAuth('post-auth', {}), withoutCard],
    ['REFUND', (till) => till.open(freeRefund(500, urls)), usual],
    ['REFUND', later('refund', { amount: 500, ...cloud }), [result]],
    ['VOID', later('void', cloud), [result]],
    ['INCREMENTAL', ofAuth('incremental-auth', cloud), [result]],
    ['POST_AUTH', ofAuth('post-auth', cloud), [result]],
    ['SALE', (till) => till.open(walletPayment(1000, urls)), [result]],
    ['REFUND', (till) => till.open(onlineRefund(till.open(walletPayment(1000)), urls)), [result]],
  ])('a transaction of type %s sends its notifications in order', (type, make, expected) => {
    const till = new WatchedTill()
    const transaction = make(till)
    expect(transaction).toMatchObject({ type, status: 'SUCCESS' })
    expect(notificationsOf(till, transaction)).toEqual(expected)
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('a batch close and a tip adjustment send no notification', () => {
    const [till, sale] = tillWith(saleOf(1000, urls))
    const before = all(till).length
    till.do(on('tip-adjust', sale, { tipAmount: 100 }))
    till.do(closing(urls))
    expect(all(till)).toHaveLength(before)
  })
})

describe('the notification of a final status', () => {
  test.each<[string, string, object, (till: Till, sale: Transaction) => void]>([
    ['SUCCESS', 'approved', {}, () => undefined],
    ['FAIL', 'declined', { terminalSn: 'TBX-DECLINE-001' }, () => undefined],
    ['CLOSED', 'cancelled on the terminal', { terminalSn: 'TBX-CANCEL-001' }, () => undefined],
    ['SUCCESS', 'approved late', { terminalSn: 'TBX-LATE-001' }, (till) => till.pass(60_000)],
    ['CLOSED', 'expired', atOffline, (till) => till.pass(day)],
    ['CLOSED', 'aborted', attended, (till, sale) => void till.do(on('abort', sale))],
  ])('a final status is notified once: %s, %s', (status, _, more, end) => {
    const till = new WatchedTill()
    const sale = till.open(saleOf(1000, { ...urls, ...more }))
    end(till, sale)
    const results = all(till).filter(({ event }) => event === null)
    expect(results).toEqual([expect.objectContaining({ transactionId: sale.id, status, url })])
    expect(notificationsOf(till, sale).slice(-2)).toEqual([result, 'TRANSACTION_ENDED'])
    till.pass(2 * day)
    expect(all(till).filter(({ event }) => event === null)).toHaveLength(1)
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('ORDER_RECEIVED is sent once the terminal takes the payment up, not while it is offline or has another', () => {
    const till = new Till()
    till.open(saleOf(1000, {}, 'late-approval'))
    const [inLine, offline, other] = [{}, atOffline, atOffline].map((more) =>
      till.open(saleOf(1000, { ...urls, ...more })),
    ) as [Transaction, Transaction, Transaction]
    expect(all(till)).toEqual([])
    till.pass(60_000)
    till.do(on('abort', offline))
    till.set('TBX-OFFLINE-001', { online: true })
    for (const each of [inLine, other]) expect(notificationsOf(till, each)[0]).toBe('ORDER_RECEIVED')
    expect(notificationsOf(till, offline)).toEqual([result, 'TRANSACTION_ENDED'])
  })
})

describe('terminal events in their order', () => {
  const sell = (more: object, changes: object = {}) => {
    const till = new WatchedTill()
    till.set('TBX-AUTO-001', changes)
    const sale = till.open(saleOf(1000, { ...urls, ...more }))
    till.pass(600_000)
    return { till, sale, events: terminalOf(till, sale) }
  }
  const without = (...names: string[]) => terminalEvents.filter((name) => !names.includes(name))
  const signature = { signatureEntryLocation: 'ON_SCREEN' }

  const pinCard = { card: 'visa-chip-pin' }
  const noPrint = ['PRINTING', 'PRINT_COMPLETED']
  const plain = without('PIN_ENTERING', 'SIGNATURE_CAPTURED', ...noPrint)

  test.each<[string, object, object, readonly string[]]>([
    ['everything', { ...signature, printReceipt: 'BOTH' }, { ...pinCard, pace: 100 }, terminalEvents],
    ['a PIN', {}, pinCard, without('SIGNATURE_CAPTURED', ...noPrint)],
    ['a signature', signature, {}, without('PIN_ENTERING', ...noPrint)],
    ['a receipt', { printReceipt: 'MERCHANT' }, {}, without('PIN_ENTERING', 'SIGNATURE_CAPTURED')],
    ['no receipt', { printReceipt: 'NONE' }, {}, plain],
    ['a receipt that a decline prevents', { printReceipt: 'BOTH' }, { outcome: 'do-not-honor' }, plain],
    ['a tip, then a PIN', { tipConfig: {} }, pinCard, without('SIGNATURE_CAPTURED', ...noPrint)],
  ])('a payment with %s sends the events that belong to it', (_, more, changes, expected) => {
    expect(sell(more, changes).events).toEqual(expected)
  })

  test('PIN_ENTERING is sent once the tip was chosen, not before', () => {
    const till = new Till()
    till.set('TBX-SLOW-001', { card: 'visa-chip-pin' })
    const sale = till.open(saleOf(1000, { ...urls, tipConfig: {}, terminalSn: 'TBX-SLOW-001' }))
    while (sale.screen !== 'tip') till.pass(500)
    expect(terminalOf(till, sale)).toEqual(['ORDER_RECEIVED', 'PAYMENT_PRESENTED'])
    till.pass(2000)
    expect(terminalOf(till, sale)).toContain('PIN_ENTERING')
  })

  test.each([
    ['refund', { amount: 1000 }],
    ['void', {}],
  ] as const)('a %s with reference prints a receipt when printReceipt asks for it', (type, amount) => {
    const toldOf = (more: object) => {
      const till = new Till()
      const members = { ...urls, ...amount, printReceipt: 'BOTH', ...more }
      return notificationsOf(till, till.open(on(type, till.open(saleOf(1000)), members)))
    }
    expect(toldOf({}).slice(-3)).toEqual([...noPrint, 'TRANSACTION_ENDED'])
    expect(toldOf(cloud)).toEqual([result])
  })

  test('each event has the status of the transaction at its moment', () => {
    const { till } = sell({})
    const inStatus = (wanted: string) => all(till).filter(({ status }) => status === wanted)
    const [early, final] = ['PROCESSING', 'SUCCESS'].map((status) =>
      inStatus(status).map(({ event }) => event),
    )
    expect(early).toEqual(['ORDER_RECEIVED', 'PAYMENT_PRESENTED', 'PAYMENT_PROCESSING'])
    expect(final).toEqual([null, 'TRANSACTION_ENDED'])
  })
})

describe('addresses', () => {
  test.each<[string, object, number]>([
    ['nothing', {}, 0],
    ['only results', { notifyUrl: url }, 1],
    ['only terminal events', { terminalEventNotifyUrl: eventsUrl }, 4],
  ])('a payment whose address is for %s sends no others', (_, more, count) => {
    const till = new Till()
    till.open(saleOf(1000, more))
    expect(all(till)).toHaveLength(count)
  })

  test('the address of the request wins over that of the application, and terminal events have no default', () => {
    const till = new Till()
    Object.assign(till.ledger.settings, { notifyUrl: 'http://127.0.0.1:9/default' })
    till.open(saleOf(1000))
    till.open(saleOf(1000, { notifyUrl: url }))
    expect(all(till).map((each) => each.url)).toEqual(['http://127.0.0.1:9/default', url])
    expect(ledgerText({ ...till.replay(), settings: till.ledger.settings })).toBe(ledgerText(till.ledger))
  })
})

describe('the outbox', () => {
  const nothing: ReadonlySet<number> = new Set()
  const arrived = {
    type: 'delivery-attempted',
    last: 200,
    fault: null,
    delivered: true,
    nextAt: null,
  } as const
  const arrive = (till: Till, round?: number) =>
    till.do({ type: 'record-attempts', results: [{ ...arrived, number: 1, round }] })
  const shop = (count: number) => {
    const till = new WatchedTill()
    const sales = Array.from({ length: count }, () => till.open(saleOf(1000, { notifyUrl: url })))
    return { till, sales, outbox: till.ledger.outbox }
  }

  /** What waits for the address: its line, and what is retried first. */
  const waiting = ({ queues }: Outbox, address = url) => {
    const queue = queues.get(address)
    return { line: queue?.firstFew(99, nothing), retry: queue?.retry(nothing) }
  }

  test('numbers count up, and each address has its deliveries in order', () => {
    const { till, outbox } = shop(3)
    till.open(saleOf(1000, { notifyUrl: `${url}/other` }))
    expect(all(till).map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect([waiting(outbox).line, waiting(outbox, `${url}/other`).line]).toEqual([[1, 2, 3], [4]])
    expect(outbox.queues.get(url)?.firstFew(1, nothing)).toEqual([1])
  })

  test('the attempts of earlier rounds count', () => {
    expect([attemptsInAll({ attempts: 2 }), attemptsInAll({ attempts: 2, earlier: 3 })]).toEqual([2, 5])
  })

  test.each([
    [null, false, 0, true],
    [null, true, 2, false],
    [5, false, 0, false],
    [5, false, 1, true],
  ])('next at %s, delivered %s, %i attempts: is failing %s', (...[nextAt, delivered, attempts, failing]) => {
    expect(isFailing({ nextAt, delivered, attempts } as Delivery)).toBe(failing)
  })

  test('endpoints that follow get what they want, but nothing twice', () => {
    const [till, sale] = tillWith(saleOf(1000, { notifyUrl: url, tipAmount: 5 }))
    const wants = (_: unknown, { event, status }: Pick<Delivery, 'event' | 'status'>) =>
      event === null && status === 'SUCCESS'
    const followers = [
      { url, wants },
      { url, listener: 'mine', wants },
      { url: eventsUrl, wants },
      { url: `${url}/none`, wants: () => false },
    ]
    const approved = { ...till.entries.at(-1)?.events.at(-1), id: sale.id } as Event
    const posted = deliveriesToFollowers(till.ledger, approved, till.at, followers)
    const facts = { createdAt: till.at, status: 'SUCCESS', tip: 5 }
    const told = { type: 'delivery-posted', transactionId: sale.id, event: null, facts }
    expect(posted).toEqual([
      { ...told, url, listener: 'mine' },
      { ...told, url: eventsUrl },
    ])
    const ofAnother = { ...approved, id: '7' } as Event
    expect(deliveriesToFollowers(till.ledger, ofAnother, till.at, followers)).toEqual([])
    for (const event of posted) evolve(till.ledger, event, till.at)
    const [mine, other] = all(till).slice(-2)
    expect([mine?.listener, other?.url]).toEqual(['mine', eventsUrl])
    expect(other).not.toHaveProperty('listener')
    expect([...till.ledger.outbox.queues.keys()]).toEqual([url, `mine ${url}`, eventsUrl])
  })

  test('a delivery sent again goes to the end of its line and starts from its first attempt', () => {
    const { till, sales, outbox } = shop(2)
    arrive(till)
    till.at += 1000
    const what = [{ transactionId: sales[0]?.id ?? '', event: null, url }]
    till.do({ type: 'send-again', what })
    const again = { attempts: 0, earlier: 1, delivered: false, nextAt: till.at }
    expect(outbox.deliveries.get(1)).toMatchObject(again)
    expect(waiting(outbox)).toEqual({ line: [2, 1], retry: undefined })
    expect(waiting(till.replay().outbox)).toEqual(waiting(outbox))
    expect(outbox.lastNumber).toBe(2)
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('a delivery sent again during an attempt is not ended by the result of that attempt', () => {
    const { till, sales, outbox } = shop(1)
    const what = [{ transactionId: sales[0]?.id ?? '', event: null, url }]
    till.do({ type: 'send-again', what })
    expect(outbox.deliveries.get(1)).not.toHaveProperty('earlier')
    arrive(till) // it began before
    expect(outbox.deliveries.get(1)).toMatchObject({ attempts: 0, earlier: 1, last: 200, nextAt: till.at })
    expect(waiting(outbox).line).toEqual([1])
    arrive(till, 1)
    expect(outbox.deliveries.get(1)).toMatchObject({ attempts: 1, delivered: true, nextAt: null })
    expect(outbox.queues.size).toBe(0)
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('a delivery named twice is sent once, to its own address and to a new one', () => {
    const { till, sales, outbox } = shop(1)
    const own = { transactionId: sales[0]?.id ?? '', event: null, url }
    const other = { ...own, url: `${url}/other` }
    till.do({ type: 'send-again', what: [own, other, own, other] })
    expect(all(till)).toMatchObject([
      { number: 1, url },
      { number: 2, url: other.url },
    ])
    expect(outbox.deliveries.get(1)?.round).toBe(1)
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('sending to another address makes a new delivery of the same notification', () => {
    const { till, sales } = shop(1)
    const other = `${url}/other`
    const what = [{ transactionId: sales[0]?.id ?? '', event: null, url: other }]
    till.do({ type: 'send-again', what })
    expect(all(till)[1]).toMatchObject({ number: 2, url: other, status: 'SUCCESS', event: null })
    till.do({ type: 'send-again', what })
    expect(all(till)).toHaveLength(2)
    expect(till.do({ type: 'send-again', what, onlyMissing: true })).toEqual([])
    expect(ledgerText(till.replay())).toBe(ledgerText(till.ledger))
  })

  test('sending for an unknown transaction is refused and changes nothing', () => {
    const { till } = shop(1)
    const what = [{ transactionId: '7', event: null, url }]
    const unknown = { code: 'SBX_TXN_UNKNOWN', field: 'transactionId', message: 'There is no transaction 7' }
    expect(till.refusal({ type: 'send-again', what })).toMatchObject(unknown)
  })

  test('an attempt at an unknown delivery changes nothing', () => {
    const { till, outbox } = shop(1)
    const before = ledgerText(till.ledger)
    noteAttempt(outbox, 99, { round: undefined, last: 200, fault: null, delivered: true, nextAt: null })
    expect(ledgerText(till.ledger)).toBe(before)
  })

  test('a result has the tip of its moment, not a later one', () => {
    const [till, sale] = tillWith(saleOf(1000, { notifyUrl: url, tipAmount: 50 }))
    till.do(on('tip-adjust', sale, { tipAmount: 75 }))
    expect([sale.tip, all(till)[0]?.tip]).toEqual([75, 50])
  })
})

describe('assumption webhook-delivery: the state of a delivery', () => {
  const delivery = (more: Partial<Delivery> = {}): Delivery => ({
    ...{ number: 1, transactionId: '1', event: null, url, createdAt: 0, status: 'SUCCESS' as const, tip: 0 },
    ...{ attempts: 0, nextAt: 0, last: null, fault: null, delivered: false, ...more },
  })

  test.each([
    [{ nextAt: 0 }, 'pending'],
    [{ nextAt: 5, delivered: true }, 'pending'],
    [{ nextAt: null, delivered: true }, 'delivered'],
    [{ nextAt: null }, 'failed'],
  ])('a delivery with %j is %s', (more, state) => expect(deliveryState(delivery(more))).toBe(state))

  test('a delivery that is read back is in line, waits for its retry, or is finished', () => {
    const outbox = createOutbox()
    const none = new Set<number>()
    enterDelivery(outbox, delivery({ number: 3, nextAt: null, url: 'http://127.0.0.1:9/over' }))
    expect([outbox.lastNumber, outbox.queues.size]).toEqual([3, 0])
    enterDelivery(outbox, delivery({ number: 1 }))
    enterDelivery(outbox, delivery({ number: 2, attempts: 1, nextAt: 7 }))
    enterDelivery(outbox, delivery({ number: 4, nextAt: null }))
    const queue = outbox.queues.get(url)
    expect([outbox.lastNumber, outbox.queues.size, outbox.deliveries.size]).toEqual([4, 1, 4])
    expect([queue?.firstFew(9, none), queue?.retry(none)]).toEqual([[1], { number: 2, at: 7 }])
    expect(queue?.countOvertaking(none)).toBe(2) // those two entered the line after the first, and left it
    enterDelivery(outbox, delivery({ number: 5 }))
    expect([queue?.firstFew(9, none), queue?.countOvertaking(none)]).toEqual([[1, 5], 2])
  })

  test('an address whose deliveries are all finished keeps no queue', () => {
    const outbox = createOutbox()
    for (const number of [1, 2]) enterDelivery(outbox, delivery({ number }))
    const over = { round: undefined, last: 200, fault: null, delivered: true, nextAt: null }
    noteAttempt(outbox, 1, over)
    expect(outbox.queues.get(url)?.numbers()).toEqual([2])
    noteAttempt(outbox, 2, over)
    expect(outbox.queues.size).toBe(0)
    noteAttempt(outbox, 2, over)
    noteAttempt(outbox, 9, over)
    resendDelivery(outbox, 9, 0)
    expect([outbox.queues.size, outbox.deliveries.size]).toEqual([0, 2])
  })
})

import { type GenericSchema, safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { missingIn, recordChecks } from '../../../src/domain/record-checks.ts'
import {
  accessSettings,
  type ClockState,
  noSettings,
  sandboxTimeAt,
  settingsSchema,
  snapshotSettings,
} from '../../../src/domain/settings.ts'
import type { State } from '../../../src/domain/state.ts'
import { kind, listOf, objectOf, tupleOf, type Values } from '../../contract/values.ts'
import { on, saleOf, tillWith } from '../../support/domain/ledger.ts'

const orNull = ({ right, wrong }: Values): Values => ({
  right: [...right, null],
  wrong: wrong.filter(([, value]) => value !== null),
})
const maybe = (inner: Values): Values => ({ ...inner, mayLack: true })
const text = kind(['a', ''], 1, null)
const name = kind(['a'], '', 1, null)
const flag = kind([true, false], 0, null)
const onlyTrue = kind([true], false)
const whole = (least: number, most: number) =>
  kind([least, most], least - 1, most + 1, least + 0.5, String(most), null)
const count = whole(0, 2 ** 52)
const amount = whole(0, 1e15)
const balance = kind([-5, 0, 5], 0.5, 2 ** 53, null)
const moment = whole(0, Date.UTC(9999, 11, 31))
const sixDigits = whole(0, 999_999)
const id = kind(['1', '4503599627370496'], '0', '01', 'x1', '1x', '4503599627370497', '10000000000000000', 1)
const url = kind(['http://127.0.0.1/hook', 'https://shop.test'], 'file:///etc/passwd', 'http://', '', 1)
const currency = kind(['USD', 'JPY'], 'XXQ', 'usd', 1)
const words = (right: string) => kind(right.split(' '), 'another', '', null)
const statuses = words('INITIAL PROCESSING SUCCESS FAIL CLOSED')

/** Members of one kind. */
const all = (kind: Values, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, kind]))

const parts = objectOf(all(amount, 'order', 'tip', 'tax', 'surcharge', 'cashback'))
const product = objectOf({ name: text, amount, num: count })
const percent = kind([0, 12.5, 1000], -1, 1000.5)
const suggestion = objectOf({ percent: maybe(percent), amount: maybe(amount), name: maybe(text) })
const batch = objectOf({
  ...all(count, 'batchNo', 'count'),
  ...all(name, 'terminalSn', 'channelCode'),
  ...{ currency, openedAt: moment },
  ...all(balance, 'net', 'tip', 'surcharge', 'tax'),
})

const instructions = objectOf({
  ...all(maybe(text), 'category', 'method', 'subMethod', 'cardNetworkType', 'outcome'),
  tip: maybe(objectOf({ withTax: flag, choices: maybe(listOf(suggestion)) })),
  print: maybe(onlyTrue),
  signatureFrom: maybe(amount),
})

const online = objectOf({
  sessionId: orNull(name),
  wallet: orNull(words('GOOGLE_PAY APPLE_PAY')),
  returnUrl: orNull(url),
  products: listOf(product),
  ...all(flag, 'collectsBillingAddress', 'collectsShippingAddress'),
  tries: count,
  declined: orNull(objectOf({ code: text, message: text })),
})

const masked = kind(
  ['123456**1234', '123456*********1234'],
  ...['123456*1234', '123456**********1234', '12345**1234', 'x123456**1234', '123456**1234x', '123456**123'],
)
const cardRead = objectOf({
  maskedPan: orNull(masked),
  ...all(text, 'cardNetworkType', 'paymentMethod', 'authenticationMethod'),
  ...all(orNull(text), 'subPaymentMethod', 'entryMode'),
})

const followUps = objectOf({
  ...all(flag, 'voided', 'voiding', 'captured', 'capturing'),
  increments: count,
  ...all(orNull(parts), 'raised', 'raising', 'refunded', 'refunding'),
  children: listOf(id),
})

const timeline = kind(
  [[0, 'opened', null], [], [0, 'opened', 'a', 1, 'clock-set-back', '5']],
  ...[[0], [0, 'opened'], ['0', 'opened', null], [0.5, 'opened', null], [0, 1, null], [0, 'opened', 1]],
  ...[[0, 'opened', null, 1, 2, null], [0, 'clock-set-back', 'a'], [0, 'clock-set-back', null], 'a', null],
  ...[
    [-1, 'opened', null],
    [0, 'opened', null, Date.UTC(9999, 11, 31) + 1, 'approved', null],
  ],
)

const rules = words('header fault queue person terminal amount card default settled')
const screens = words('waiting present-card insert-card tip pin processing host signature done')

const transaction = objectOf({
  id,
  transactionRequestId: name,
  type: words('SALE AUTH FORCED_AUTH INCREMENTAL POST_AUTH REFUND VOID'),
  fingerprint: text,
  currency,
  ...all(amount, 'order', 'tip', 'tax', 'surcharge', 'cashback'),
  createdAt: moment,
  ...all(orNull(moment), 'expiresAt', 'completedAt', 'wakeAt'),
  terminalSn: orNull(name),
  inCloud: flag,
  originalId: orNull(id),
  ...all(orNull(text), 'orderId', 'description', 'attach', 'authCode', 'card'),
  ...all(orNull(text), 'resultCode', 'resultMsg', 'outcome'),
  ...all(orNull(url), 'notifyUrl', 'terminalEventNotifyUrl'),
  instructions: orNull(instructions),
  ...all(sixDigits, 'stan', 'voucherNo'),
  online: orNull(online),
  status: statuses,
  cardRead: orNull(cardRead),
  presentedByPerson: maybe(onlyTrue),
  rule: orNull(rules),
  screen: screens,
  batchNo: orNull(count),
  followUps: orNull(followUps),
  timeline,
  pinAfter: maybe(text),
  setBack: maybe(count),
})

const profile = objectOf({
  terminalSn: kind(['a'], 1, null),
  summary: text,
  mode: words('auto attended'),
  busy: maybe(words('queue reject')),
  ...all(maybe(text), 'label', 'outcome', 'card'),
  ...all(maybe(flag), 'online', 'occupied', 'cancels'),
  pace: maybe(count),
  tipPercent: maybe(whole(0, 100)),
  contactlessLimit: maybe(amount),
})

const terminal = objectOf({
  terminalSn: kind(['a'], 'another', '', 1),
  profile,
  asGiven: maybe(flag),
  line: listOf(id),
  queue: listOf(objectOf({ outcome: name, times: count })),
  last: orNull(id),
  batchNo: count,
  voucherNo: sixDigits,
  registeredAt: orNull(moment),
})

const code = kind(['ABC234', '000ZZZ'], 'abc234', 'ABC23', 'ABC2345', '-ABC234', 'ABC23-', 1)
const noTerminals = listOf(terminal).wrong.map(([, value]) => value)
const [aTerminal, aBatch] = [terminal, batch].map(({ right }) => right[0])

const ledger = objectOf({
  settings: objectOf({
    ...all(name, 'appId', 'merchantId'),
    timeZone: maybe(text),
    reserve: maybe(balance),
    currencies: maybe(orNull(listOf(text))),
    ...all(maybe(count), 'pace', 'authValidity', 'captureTip', 'captureExcess'),
    ...all(maybe(orNull(text)), 'notifyUrl', 'autoClose'),
  }),
  sequence: count,
  registeredAt: orNull(moment),
  name: orNull(text),
  lastStan: sixDigits,
  lastDelivery: count,
  terminals: kind([[aTerminal], []], ...noTerminals, [aTerminal, aTerminal]),
  removed: kind([[]], ...noTerminals, [aTerminal]),
  unpaired: listOf(objectOf({ profile, code })),
  pairedCodes: listOf(tupleOf(code, name)),
  batches: kind(
    [[['a|a|USD', aBatch]], []],
    ...batch.wrong.map(([, each]) => [['a|a|USD', each]]),
    ...[[['a|b|USD', aBatch]], [1, 2].map(() => ['a|a|USD', aBatch]), [['a|a|USD']]],
  ),
  balances: listOf(tupleOf(currency, balance)),
  holds: listOf(tupleOf(currency, amount)),
})

const records: Readonly<Record<string, Values>> = {
  ledger,
  transaction,
  close: objectOf({
    ...all(name, 'transactionRequestId'),
    fingerprint: text,
    closedAt: moment,
    batches: listOf(batch),
  }),
  usedId: objectOf({
    transactionRequestId: name,
    fingerprint: text,
    operation: words('abort tip-adjust'),
    transactionId: id,
  }),
  delivery: objectOf({
    number: whole(1, 2 ** 52),
    transactionId: id,
    event: orNull(words('ORDER_RECEIVED TRANSACTION_ENDED')),
    url,
    listener: maybe(name),
    createdAt: moment,
    status: statuses,
    tip: amount,
    attempts: count,
    ...all(maybe(count), 'round', 'earlier'),
    nextAt: orNull(moment),
    last: orNull(kind([200, 'timeout'], -1, 0.5, true)),
    fault: orNull(text),
    delivered: flag,
  }),
  request: objectOf({
    key: name,
    at: moment,
    fingerprint: text,
    transactionId: maybe(id),
    refusal: maybe(
      objectOf({
        code: words('C17 SBX_REFUNDED'),
        ...all(maybe(text), 'field', 'message', 'detail', 'remedy'),
      }),
    ),
  }),
  order: objectOf({
    ...all(count, 'latest', 'setBack'),
    removed: maybe(objectOf(all(count, 'sequence', 'delivery'))),
  }),
  end: count,
}

test.each(Object.entries(records))('assumption restore: a %s is taken if right', (name, { right, wrong }) => {
  const found = (value: unknown) => recordChecks()(name, value)
  for (const value of right) expect(found(value), JSON.stringify(value)).toBeUndefined()
  expect(wrong.filter(([, value]) => found(value) === undefined)).toEqual([])
})

const time = kind(['2026-01-31T12:00:00.000Z'], 'yesterday', '', 1)
const underAnyName = (inner: Values) => objectOf({ any: maybe(inner) }, false)
const aWhole = kind([0, -5], 0.5, 2 ** 53, '1')
const faultRule = objectOf({
  id: text,
  kind: kind(['http-503', 'lost-answer'], 'lost-anser', 1),
  ...all(orNull(text), 'operation', 'terminalSn', 'merchantId'),
  amount: orNull(kind([0, 5], '1', true)),
  times: orNull(kind([0, 5], -1, 0.5)),
  share: orNull(kind([0, 0.5, 1], -0.1, 1.1)),
  seed: aWhole,
  ...all(orNull(whole(0, 8.64e15)), 'from', 'until'),
  ...all(kind([0, 5], -1, 0.5, null), 'used', 'met'),
  since: maybe(underAnyName(kind([0, 5], -1, 0.5))),
})
const key = objectOf({
  key: text,
  environment: words('sandbox production'),
  ...all(maybe(time), 'since', 'validUntil'),
})
const clock = objectOf({
  offset: kind([0, 1000, -1000], 0.5, -1e12, 1e15, '1', null),
  frozenAt: orNull(kind([Date.UTC(2000, 0, 1), Date.UTC(9998, 0, 1)], 0, Date.UTC(9999, 0, 1), 0.5)),
  speed: maybe(kind([1, 3600], 0, 3601, 1.5, null)),
  from: maybe(aWhole),
})
const snapshot = {
  clock,
  faultRules: listOf(faultRule),
  webhookOrder: orNull(
    objectOf({ order: words('relaxed strict concurrent'), concurrency: kind([1, 50], 0, 51, 1.5, null) }),
  ),
  webhookHold: flag,
}
const application = objectOf({ appId: kind(['a', ''], '__proto__', 'toString', 1), merchants: listOf(text) })
const access = {
  applications: listOf(application),
  allowLists: underAnyName(listOf(kind(['127.0.0.1', '10.0.0.0/8'], 'localhost', '', 1))),
  keys: underAnyName(listOf(key)),
  secrets: underAnyName(
    objectOf({ current: text, previous: maybe(objectOf({ secret: text, validUntil: time })) }),
  ),
}

test.each<[string, GenericSchema, Values]>([
  ['state file', settingsSchema, objectOf({ ...snapshot, ...access, followers: underAnyName(text) })],
  ['snapshot', snapshotSettings, objectOf(snapshot)],
  ['export with secrets', accessSettings, objectOf(access)],
])('the settings of a %s are taken with right members alone', (_, schema, { right, wrong }) => {
  expect(right.filter((value) => !safeParse(schema, value).success)).toEqual([])
  expect(wrong.filter(([, value]) => safeParse(schema, value).success)).toEqual([])
})

test('a new sandbox has settings as a state file has them', () => {
  expect(safeParse(settingsSchema, noSettings()).success).toBe(true)
})

test.each<[string, ClockState, number]>([
  ['runs', { offset: 500, frozenAt: null }, 1500],
  ['is frozen', { offset: 500, frozenAt: 7 }, 7],
  ['runs three times as fast since 400', { offset: 500, frozenAt: null, speed: 3, from: 400 }, 2700],
  ['is at its end', { offset: 9e15, frozenAt: null }, Date.UTC(9999, 11, 31)],
])('assumption clocks: the sandbox time at 1000 of a clock that %s', (_, state, time) => {
  expect(sandboxTimeAt(state, 1000)).toBe(time)
})

/** The first valid record of a kind, with other members. */
const recordOf = (name: string, more: object = {}): object => ({
  ...(records[name]?.right?.at(0) as object | undefined),
  ...more,
})

describe('what is said of a wrong record', () => {
  const settings = { appId: 'a', merchantId: 'a' }

  test.each<[string, string, object]>([
    ['its kind "wat" is unknown', 'wat', {}],
    ['its kind "toString" is unknown', 'toString', {}],
    ['the member "wat" of order is unknown', 'order', { wat: 1 }],
    ['the member "wat" of ledger.settings is unknown', 'ledger', { settings: { ...settings, wat: 1 } }],
    ['transaction.currency: must be an active ISO 4217 code', 'transaction', { currency: 'XXQ' }],
    ['transaction.id: must be a transaction id', 'transaction', { id: '0' }],
    ['delivery.url: must be a URL with http:// or https://', 'delivery', { url: 'file:' }],
  ])('%s', (said, name, more) => expect(recordChecks()(name, recordOf(name, more))).toBe(said))

  test.each<[string, string, object]>([
    ['ledger of a', 'ledger', { settings: { ...settings, merchantId: 'b' } }],
    ['transaction 1', 'transaction', { id: '2' }],
    ['request a', 'request', { key: 'b' }],
    ['delivery 1 of a', 'delivery', { number: 2 }],
    ['close a of a', 'close', { transactionRequestId: 'b' }],
    ['usedId a of a', 'usedId', { transactionRequestId: 'b' }],
  ])('the %s stands in a snapshot once', (said, name, other) => {
    const check = recordChecks()
    if (name !== 'ledger') check('ledger', recordOf('ledger'))
    const found = [{}, other, {}].map((more) => check(name, recordOf(name, more)))
    expect(found).toEqual([undefined, undefined, `the ${said} stands there twice`])
  })

  test('a snapshot has one order and one end', () => {
    const check = recordChecks()
    const found = ['order', 'order', 'end', 'end'].map((name) => check(name, records[name]?.right[0]))
    const [order, end] = ['the order stands there twice', 'the end stands there twice']
    expect(found).toEqual([undefined, order, undefined, end])
  })

  test('two merchants may have closes and deliveries of the same name', () => {
    const check = recordChecks()
    for (const merchantId of ['a', 'b']) {
      const all = [recordOf('ledger', { settings: { ...settings, merchantId } })]
      const found = ['ledger', 'close', 'usedId', 'delivery'].map((name) =>
        check(name, all.shift() ?? recordOf(name)),
      )
      expect(found.filter(Boolean)).toEqual([])
    }
  })
})

describe('a record that a snapshot lacks', () => {
  const [auto, attended] = ['TBX-AUTO-001', 'TBX-ATTENDED-001']

  /** A state with a sale, its refund, a tip-adjust with an id of its own, and another sale in line. */
  function sold() {
    const [till, paid] = tillWith(saleOf(1000, { terminalSn: auto, notifyUrl: 'http://127.0.0.1:9/' }))
    till.do(on('tip-adjust', paid, { tipAmount: 10, transactionRequestId: 'ADJUST' }))
    const refund = till.open(on('refund', paid, { amount: 100 }))
    const next = till.open(saleOf(1000, { terminalSn: attended }))
    const { ledger } = till
    const state = { ledgers: new Map([[ledger.settings.merchantId, ledger]]) } as unknown as State
    const [first, second] = [till.terminal(auto), till.terminal(attended)]
    return { state, ledger, paid, refund, next, first, second, later: paid.followUps?.children ?? [] }
  }

  test('a state with everything that it names lacks nothing', () => {
    expect(missingIn(sold().state)).toBeUndefined()
  })

  test.each<[string, (all: ReturnType<typeof sold>) => unknown]>([
    [
      'two transactions have the same transactionRequestId',
      ({ refund, paid: { transactionRequestId } }) => Object.assign(refund, { transactionRequestId }),
    ],
    ['the original 7 of transaction NEXT is missing', ({ next }) => Object.assign(next, { originalId: '7' })],
    ['the follow-up 7 of transaction PAID is missing', ({ later }) => later.push('7')],
    ['the follow-up NEXT of transaction PAID is missing', ({ later, next }) => later.push(next.id)],
    [
      `the last transaction 7 of terminal ${auto} is missing`,
      ({ first }) => Object.assign(first, { last: '7' }),
    ],
    [
      `the line of terminal ${attended} has a transaction twice`,
      ({ second, next }) => second.line.push(next.id),
    ],
    [
      `transaction PAID in the line of terminal ${attended} is missing`,
      (all) => all.second.line.push(all.paid.id),
    ],
    [`transaction 7 in the line of terminal ${auto} is missing`, ({ first }) => first.line.push('7')],
    [
      'the transaction 7 of delivery 1 is missing',
      ({ ledger }) => Object.assign(ledger.outbox.deliveries.get(1) ?? {}, { transactionId: '7' }),
    ],
    [
      'the transaction 7 of request ADJUST is missing',
      ({ ledger }) => Object.assign(ledger.usedIds.get('ADJUST') ?? {}, { transactionId: '7' }),
    ],
  ])('%s', (said, forge) => {
    const all = sold()
    forge(all)
    const named = said.replace('PAID', all.paid.id).replace('NEXT', all.next.id)
    expect(missingIn(all.state)).toBe(`${named}, merchant ${all.ledger.settings.merchantId}`)
  })
})

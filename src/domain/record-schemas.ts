import * as v from 'valibot'
import type { Product } from '../contract/answers.ts'
import { isCurrency } from '../contract/currencies.ts'
import { errorTable } from '../contract/errors.ts'
import { limits } from '../contract/headers.ts'
import { amendingNames } from '../contract/operations.ts'
import { cardEntries } from '../contract/sandbox/screens.ts'
import { terminalEvents } from '../contract/sandbox/webhooks.ts'
import { channels, moneyDirection, statusLetters } from '../contract/statuses.ts'
import type { TerminalProfile } from '../fixtures.ts'
import { isHttpUrl } from '../text/http-url.ts'
import type { LedgerRecord } from './ledger-record.ts'
import type {
  Batch,
  BatchClose,
  MerchantSettings,
  Terminal,
  UnpairedTerminal,
  UsedId,
} from './model/ledger.ts'
import { batchKey } from './model/ledger.ts'
import type { Delivery } from './model/outbox.ts'
import { largestNumber } from './model/reference-numbers.ts'
import type {
  FollowUps,
  Online,
  OutcomeRule,
  Screen,
  TerminalInstructions,
  Timeline,
  TipSuggestion,
  Transaction,
} from './model/transaction.ts'
import type { RequestMark, State } from './state.ts'

/**
 * The schema of each stored record. A state folder belongs to this sandbox, and checksums protect it; a checkpoint may
 * come from anybody, so its records are checked.
 */

/** A record with exactly the members of T. The compiler requires every one. */
const recordOf =
  <T>() =>
  <const E extends { readonly [K in keyof T]-?: v.GenericSchema<unknown, T[K]> }>(entries: E) =>
    v.strictObject(entries)

/** One of the names of an object. */
const nameIn = <K extends string>(names: Readonly<Record<K, unknown>>) =>
  v.picklist(Object.keys(names) as K[])

/** Above any real count, and low enough that adding one stays exact. */
const mostCounted = 2 ** 52

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
const count = whole(0, mostCounted)
/** Minor units. Sums may exceed the limit of one request. */
const amount = whole(0, limits.amount * 1_000)
const balance = v.pipe(v.number(), v.safeInteger())
const lastMoment = Date.UTC(9999, 11, 31)
/** Milliseconds within the range of a date. */
const moment = whole(0, lastMoment)
const isDate = (time: number): boolean => time >= 0 && time <= lastMoment
const sixDigits = whole(0, largestNumber)
const orNull = <const S extends v.GenericSchema>(schema: S) => v.nullable(schema)
const maybe = <const S extends v.GenericSchema>(schema: S) => v.exactOptional(schema)
const text = v.string()
const name = v.pipe(v.string(), v.nonEmpty())
const flag = v.boolean()
const currency = v.pipe(v.string(), v.check(isCurrency, 'must be an active ISO 4217 code'))
const url = v.pipe(v.string(), v.check(isHttpUrl, 'must be a URL with http:// or https://'))

/** A transaction id; ids count up, so there must be a next one. */
const id = v.pipe(
  v.string(),
  v.check(
    (digits) => /^[1-9]\d{0,15}$/.test(digits) && Number(digits) <= mostCounted,
    'must be a transaction id',
  ),
)

const status = nameIn(statusLetters)
const screens = {
  waiting: 0,
  'present-card': 0,
  'insert-card': 0,
  tip: 0,
  pin: 0,
  processing: 0,
  host: 0,
  signature: 0,
  done: 0,
} satisfies Readonly<Record<Screen, 0>>
const rules = {
  header: 0,
  queue: 0,
  person: 0,
  terminal: 0,
  amount: 0,
  card: 0,
  default: 0,
  settled: 0,
} satisfies Readonly<Record<OutcomeRule, 0>>

const parts = v.strictObject({ order: amount, tip: amount, tax: amount, surcharge: amount, cashback: amount })

const followUps = recordOf<FollowUps>()({
  voided: flag,
  voiding: flag,
  captured: flag,
  capturing: flag,
  increments: count,
  raised: orNull(parts),
  raising: orNull(parts),
  refunded: orNull(parts),
  refunding: orNull(parts),
  children: v.array(id),
})

const tipSuggestion = recordOf<TipSuggestion>()({
  percent: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1_000))),
  amount: maybe(amount),
  name: maybe(text),
})

const instructions = recordOf<TerminalInstructions>()({
  category: maybe(text),
  method: maybe(text),
  subMethod: maybe(text),
  cardNetworkType: maybe(text),
  tip: maybe(v.strictObject({ withTax: flag, choices: maybe(v.array(tipSuggestion)) })),
  print: maybe(v.literal(true)),
  signatureFrom: maybe(amount),
  outcome: maybe(text),
})

const online = recordOf<Online>()({
  sessionId: orNull(name),
  wallet: orNull(v.picklist(['GOOGLE_PAY', 'APPLE_PAY'])),
  returnUrl: orNull(url),
  products: v.array(recordOf<Product>()({ name: text, amount, num: count })),
  collectsBillingAddress: flag,
  collectsShippingAddress: flag,
  tries: count,
  declined: orNull(v.strictObject({ code: text, message: text })),
})

/** Flat triples: milliseconds from the opening, event, detail. Checked by hand, because there are many. */
const timeline = v.custom<Timeline>((all) => {
  if (!Array.isArray(all) || all.length % 3 !== 0) return false
  for (let at = 0; at < all.length; at += 3) if (!isMoment(all[at], all[at + 1], all[at + 2])) return false
  return true
}, 'must be times, names and details in turn')

function isMoment(after: unknown, what: unknown, detail: unknown): boolean {
  if (!Number.isSafeInteger(after) || typeof what !== 'string') return false
  if (what === 'clock-set-back') return Number.isSafeInteger(Number(detail ?? Number.NaN))
  return detail === null || typeof detail === 'string'
}

const transaction = v.pipe(
  recordOf<Transaction>()({
    id,
    transactionRequestId: name,
    orderId: orNull(text),
    type: nameIn(moneyDirection),
    status,
    fingerprint: text,
    currency,
    order: amount,
    tip: amount,
    tax: amount,
    surcharge: amount,
    cashback: amount,
    createdAt: moment,
    completedAt: orNull(moment),
    terminalSn: orNull(name),
    inCloud: flag,
    originalId: orNull(id),
    expiresAt: orNull(moment),
    description: orNull(text),
    attach: orNull(text),
    notifyUrl: orNull(url),
    terminalEventNotifyUrl: orNull(url),
    instructions: orNull(instructions),
    stan: sixDigits,
    voucherNo: sixDigits,
    authCode: orNull(text),
    card: orNull(text),
    entry: orNull(v.picklist(cardEntries)),
    resultCode: orNull(text),
    resultMsg: orNull(text),
    outcome: orNull(text),
    rule: orNull(nameIn(rules)),
    screen: nameIn(screens),
    wakeAt: orNull(moment),
    batchNo: orNull(count),
    followUps: orNull(followUps),
    online: orNull(online),
    timeline,
    channel: maybe(v.picklist(channels.map(({ channelCode }) => channelCode))),
    setBack: maybe(count),
  }),
  v.check(({ timeline: all, createdAt }) => {
    for (let at = 0; at < all.length; at += 3) if (!isDate(createdAt + Number(all[at]))) return false
    return true
  }, 'its timeline must be times that a date can have'),
)

const profile = recordOf<TerminalProfile>()({
  terminalSn: name,
  summary: text,
  label: maybe(text),
  mode: v.picklist(['auto', 'attended']),
  online: maybe(flag),
  busy: maybe(v.picklist(['queue', 'reject'])),
  occupied: maybe(flag),
  pace: maybe(count),
  outcome: maybe(text),
  cancels: maybe(flag),
  tipPercent: maybe(whole(0, 100)),
  contactlessLimit: maybe(amount),
  card: maybe(text),
})

const terminal = v.pipe(
  recordOf<Terminal>()({
    terminalSn: name,
    profile,
    asGiven: maybe(flag),
    line: v.array(id),
    queue: v.array(v.strictObject({ outcome: name, times: count })),
    last: orNull(id),
    batchNo: count,
    voucherNo: sixDigits,
    registeredAt: orNull(moment),
  }),
  v.check((one) => one.profile.terminalSn === one.terminalSn, 'its profile is of another terminal'),
)

const pairingCode = v.pipe(v.string(), v.regex(/^[0-9A-Z]{6}$/, 'must be a pairing code'))

const unpaired = recordOf<UnpairedTerminal>()({ profile, code: pairingCode })

const batch = recordOf<Batch>()({
  batchNo: count,
  terminalSn: name,
  channelCode: name,
  currency,
  openedAt: moment,
  count,
  net: balance,
  tip: balance,
  surcharge: balance,
  tax: balance,
})

/** The settings of the current start apply: only the two names are read. */
const settings = v.strictObject({
  appId: name,
  merchantId: name,
  timeZone: maybe(text),
  reserve: maybe(balance),
  currencies: v.nullish(v.array(text)),
  pace: maybe(count),
  notifyUrl: v.nullish(text),
  authValidity: maybe(count),
  captureTip: maybe(count),
  captureExcess: maybe(count),
  autoClose: v.nullish(text),
} satisfies Readonly<Record<keyof MerchantSettings, v.GenericSchema>>)

const byCurrency = <const S extends v.GenericSchema>(value: S) => v.array(v.strictTuple([currency, value]))

const isUnlike = (names: readonly string[]): boolean => new Set(names).size === names.length

const ledger = v.pipe(
  v.strictObject({
    settings,
    sequence: count,
    registeredAt: orNull(moment),
    name: orNull(text),
    lastStan: sixDigits,
    lastDelivery: count,
    terminals: v.array(terminal),
    removed: v.array(terminal),
    unpaired: v.array(unpaired),
    pairedCodes: v.array(v.strictTuple([pairingCode, name])),
    batches: v.array(v.strictTuple([text, batch])),
    balances: byCurrency(balance),
    holds: byCurrency(amount),
  } satisfies Readonly<Record<keyof LedgerRecord, v.GenericSchema>>),
  v.check(
    ({ terminals, removed }) => isUnlike([...terminals, ...removed].map(({ terminalSn }) => terminalSn)),
    'it has a terminal twice',
  ),
  v.check(
    ({ batches }) =>
      isUnlike(batches.map(([key]) => key)) &&
      batches.every(
        ([key, { terminalSn, channelCode, currency: code }]) =>
          key === batchKey(terminalSn, channelCode, code),
      ),
    'its batches are not under their own names',
  ),
)

/** The schemas of records, by their names in a snapshot. */
export const recordSchemas = {
  ledger,
  settings,
  terminal,
  unpaired,
  batch,
  transaction,
  close: recordOf<BatchClose>()({
    transactionRequestId: name,
    fingerprint: text,
    closedAt: moment,
    batches: v.array(batch),
  }),
  usedId: recordOf<UsedId>()({
    transactionRequestId: name,
    fingerprint: text,
    operation: v.picklist(amendingNames),
    transactionId: id,
  }),
  delivery: recordOf<Delivery>()({
    number: whole(1, mostCounted),
    transactionId: id,
    event: orNull(v.picklist(terminalEvents)),
    url,
    createdAt: moment,
    status,
    tip: amount,
    round: maybe(count),
    attempts: count,
    earlier: maybe(count),
    nextAt: orNull(moment),
    last: orNull(v.union([count, text])),
    fault: orNull(text),
    delivered: flag,
  }),
  request: recordOf<RequestMark>()({
    key: name,
    at: moment,
    fingerprint: text,
    transactionId: maybe(id),
    refusal: maybe(
      v.strictObject({
        code: nameIn(errorTable),
        field: maybe(text),
        detail: maybe(text),
        remedy: maybe(text),
      }),
    ),
  }),
  order: recordOf<State['journalOrder']>()({ latest: count, setBack: count }),
  end: count,
} as const

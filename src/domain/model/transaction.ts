import * as v from 'valibot'
import { totalOf } from '../../contract/amounts.ts'
import { mostTipPercent } from '../../contract/fields.ts'
import { moneyDirection, statusLetters } from '../../contract/statuses.ts'
import type { CardRead } from '../../fixtures.ts'
import {
  amount,
  count,
  currency,
  flag,
  id,
  isDate,
  listOf,
  maybe,
  moment,
  name,
  nameIn,
  orNull,
  sixDigits,
  text,
  url,
} from './kinds.ts'

/** The one schema of a transaction: its type, and the check of one that comes from a snapshot or an export. */

const screen = v.picklist([
  'waiting',
  'present-card',
  'insert-card',
  'tip',
  'pin',
  'processing',
  'host',
  'signature',
  'done',
])
/** Progress of a transaction: the screen of its terminal, or the host. */
export type Screen = v.InferOutput<typeof screen>

const tipSuggestion = v.strictObject({
  percent: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(mostTipPercent))),
  amount: maybe(amount),
  name: maybe(text),
})
/** A tip that is suggested: a share of the amount in percent, or an amount in minor units. */
export type TipSuggestion = Readonly<v.InferOutput<typeof tipSuggestion>>

const instructions = v.strictObject({
  category: maybe(text),
  method: maybe(text),
  /** Sub-method that was asked for, which the record states. */
  subMethod: maybe(text),
  cardNetworkType: maybe(text),
  /** Show the tip screen; `withTax`: percentages include tax in their base. */
  tip: maybe(v.strictObject({ withTax: flag, choices: maybe(listOf(tipSuggestion)) })),
  /** Print a receipt. */
  print: maybe(v.literal(true)),
  /** Require a signature from this amount on. */
  signatureFrom: maybe(amount),
  /** Outcome by name, from the request header. */
  outcome: maybe(text),
})
/** Instructions of a request for the terminal. Absent ones were not requested. */
export type TerminalInstructions = Readonly<v.InferOutput<typeof instructions>>

const parts = v.strictObject({
  order: amount,
  tip: amount,
  tax: amount,
  surcharge: amount,
  cashback: amount,
})

const followUps = v.strictObject({
  voided: flag,
  voiding: flag,
  captured: flag,
  capturing: flag,
  increments: count,
  /** Sum of the increments: successful, and in flight. */
  raised: orNull(parts),
  raising: orNull(parts),
  refunded: orNull(parts),
  refunding: orNull(parts),
  /** Ids of the transactions that act on this one, in order. */
  children: v.array(id),
})
/** The effects of follow-ups on their original. Null: none; `…ing`: of those in flight. */
export type FollowUps = v.InferOutput<typeof followUps>

const onlineOrder = v.strictObject({
  /** Its hosted page; null for a direct payment and an online refund. */
  sessionId: orNull(name),
  /** On a hosted page: the wallet of the last try. */
  wallet: orNull(v.picklist(['GOOGLE_PAY', 'APPLE_PAY'])),
  returnUrl: orNull(url),
  products: listOf(v.strictObject({ name: text, amount, num: count })),
  collectsBillingAddress: flag,
  collectsShippingAddress: flag,
})
/** The data of an online payment when it is opened. */
export type OnlineOrder = Readonly<v.InferOutput<typeof onlineOrder>>

const online = v.strictObject({
  ...onlineOrder.entries,
  /** Number of declined tries on the hosted page, and the host's answer to the last one. */
  tries: count,
  declined: orNull(v.strictObject({ code: text, message: text })),
})
/** Data of an online payment. */
export type Online = v.InferOutput<typeof online>

const cardRead = v.strictObject({
  maskedPan: orNull(v.pipe(v.string(), v.regex(/^\d{6}\*{2,9}\d{4}$/, 'must be a masked card number'))),
  cardNetworkType: text,
  paymentMethod: text,
  subPaymentMethod: orNull(text),
  entryMode: orNull(text),
  authenticationMethod: text,
} satisfies Readonly<Record<keyof CardRead, v.GenericSchema>>)

const rule = v.picklist(['header', 'queue', 'person', 'terminal', 'amount', 'card', 'default', 'settled'])
/** The rule that decided an outcome, in the order they are tried. assumption: outcome-order */
export type OutcomeRule = v.InferOutput<typeof rule>

/**
 * The moments of a transaction in a flat list of three entries each: milliseconds since the opening, name, and detail.
 */
export type Timeline = readonly (number | string | null)[]

/** Checked by hand, because there are many. */
const timeline = v.custom<Timeline>((all) => {
  if (!Array.isArray(all) || all.length % 3 !== 0) return false
  for (let at = 0; at < all.length; at += 3) if (!isMoment(all[at], all[at + 1], all[at + 2])) return false
  return true
}, 'must have a time, a name and a detail for each moment')

function isMoment(after: unknown, what: unknown, detail: unknown): boolean {
  if (!Number.isSafeInteger(after) || typeof what !== 'string') return false
  if (what === 'clock-set-back') return Number.isSafeInteger(Number(detail ?? Number.NaN))
  return detail === null || typeof detail === 'string'
}

/** What a request gives a transaction: it never changes. */
const given = v.strictObject({
  id,
  transactionRequestId: name,
  orderId: orNull(text),
  type: nameIn(moneyDirection),
  /** Equal for repetitions of the same request. */
  fingerprint: text,
  currency,
  order: amount,
  tax: amount,
  surcharge: amount,
  cashback: amount,
  createdAt: moment,
  /** Null for an online payment. */
  terminalSn: orNull(name),
  inCloud: flag,
  originalId: orNull(id),
  expiresAt: orNull(moment),
  description: orNull(text),
  attach: orNull(text),
  notifyUrl: orNull(url),
  terminalEventNotifyUrl: orNull(url),
  instructions: orNull(instructions),
  /** Numbers of the system trace and of the voucher; the record writes each with six digits. */
  stan: sixDigits,
  voucherNo: sixDigits,
  /** Of an online payment; null in person. */
  online: orNull(online),
})
/** What a request gives a transaction. */
export type Given = Readonly<v.InferOutput<typeof given>>

/** What changes while it runs, and after. */
const progress = v.strictObject({
  status: nameIn(statusLetters),
  tip: amount,
  completedAt: orNull(moment),
  authCode: orNull(text),
  /** Name of the card in the fixture, once presented, and what was read of it: later fixtures may differ. */
  card: orNull(text),
  cardRead: orNull(cardRead),
  /** Present when a person presented the card at an attended terminal. */
  presentedByPerson: maybe(v.literal(true)),
  resultCode: orNull(text),
  resultMsg: orNull(text),
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: orNull(text),
  rule: orNull(rule),
  screen,
  /** When it acts by itself next; null: never. */
  wakeAt: orNull(moment),
  batchNo: orNull(count),
  followUps: orNull(followUps),
  timeline,
  /** Moment after which the terminal asked for the PIN; absent: it did not. */
  pinAfter: maybe(text),
  /** Total set-back of the sandbox clock at the last moment; absent: none. Milliseconds. */
  setBack: maybe(count),
})

/** One transaction. Times in milliseconds of the sandbox clock, amounts in minor units of `currency`. */
export type Transaction = Given & v.InferOutput<typeof progress>

/** The schema of a transaction. */
export const transactionSchema = v.pipe(
  v.strictObject({ ...given.entries, ...progress.entries }),
  v.check(({ timeline: all, createdAt }) => {
    for (let at = 0; at < all.length; at += 3) if (!isDate(createdAt + Number(all[at]))) return false
    return true
  }, 'its timeline must be times that a date can have'),
)

/** The follow-ups of a new transaction. */
export const noFollowUps = (): FollowUps => ({
  voided: false,
  voiding: false,
  captured: false,
  capturing: false,
  increments: 0,
  raised: null,
  raising: null,
  refunded: null,
  refunding: null,
  children: [],
})

/** Transaction amount in minor units: the sum of the parts. */
export const amountOf = (transaction: Transaction): number => totalOf(transaction)

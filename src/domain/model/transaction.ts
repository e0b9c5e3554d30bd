import * as v from 'valibot'
import { totalOf } from '../../contract/amounts.ts'
import { mostTipPercent, wallets } from '../../contract/fields.ts'
import { moneyDirection, statusLetters } from '../../contract/statuses.ts'
import type { CardRead } from '../fixtures.ts'
import * as kind from './kinds.ts'

/** The one schema of a transaction: its type, and the check of one that a snapshot or an export has. */

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
  percent: kind.maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(mostTipPercent))),
  amount: kind.maybe(kind.amount),
  name: kind.maybe(kind.text),
})
/** A tip that is suggested: a share of the amount in percent, or an amount in minor units. */
export type TipSuggestion = Readonly<v.InferOutput<typeof tipSuggestion>>

const instructions = v.strictObject({
  category: kind.maybe(kind.text),
  method: kind.maybe(kind.text),
  /** Sub-method that was asked for, which the record states. */
  subMethod: kind.maybe(kind.text),
  cardNetworkType: kind.maybe(kind.text),
  /** Show the tip screen; `withTax`: percentages include tax in their base. */
  tip: kind.maybe(v.strictObject({ withTax: kind.flag, choices: kind.maybe(kind.listOf(tipSuggestion)) })),
  /** Print a receipt. */
  print: kind.maybe(v.literal(true)),
  /** Require a signature from this amount on. */
  signatureFrom: kind.maybe(kind.amount),
  /** Signed on the receipt or not at all: no signature screen is shown. */
  signature: kind.maybe(v.picklist(['ON_RECEIPT', 'NONE'])),
  /** Outcome by name, from the request header, or from an injected fault. */
  outcome: kind.maybe(kind.text),
  isInjected: kind.maybe(v.literal(true)),
})
/** Instructions of a request for the terminal. Absent ones were not requested. */
export type TerminalInstructions = Readonly<v.InferOutput<typeof instructions>>

const parts = v.strictObject({
  order: kind.amount,
  tip: kind.amount,
  tax: kind.amount,
  surcharge: kind.amount,
  cashback: kind.amount,
})

const followUps = v.strictObject({
  voided: kind.flag,
  voiding: kind.flag,
  captured: kind.flag,
  capturing: kind.flag,
  increments: kind.count,
  /** Sum of the increments: successful, and in flight. */
  raised: kind.orNull(parts),
  raising: kind.orNull(parts),
  refunded: kind.orNull(parts),
  refunding: kind.orNull(parts),
  /** Ids of the transactions that act on this one, in order. */
  children: v.array(kind.id),
})
/** The effects of follow-ups on their original. Null: none; `…ing`: of those in flight. */
export type FollowUps = v.InferOutput<typeof followUps>

const onlineOrder = v.strictObject({
  /** Its hosted page; null for a direct payment and an online refund. */
  sessionId: kind.orNull(kind.name),
  /** On a hosted page: the wallet of the last try. */
  wallet: kind.orNull(v.picklist(wallets)),
  returnUrl: kind.orNull(kind.url),
  products: kind.listOf(v.strictObject({ name: kind.text, amount: kind.amount, num: kind.count })),
  collectsBillingAddress: kind.flag,
  collectsShippingAddress: kind.flag,
})
/** The data of an online payment when it is opened. */
export type OnlineOrder = Readonly<v.InferOutput<typeof onlineOrder>>

const online = v.strictObject({
  ...onlineOrder.entries,
  /** Number of declined tries on the hosted page, and the host's answer to the last one. */
  tries: kind.count,
  declined: kind.orNull(v.strictObject({ code: kind.text, message: kind.text })),
})
/** Data of an online payment. */
export type Online = v.InferOutput<typeof online>

const cardRead = v.strictObject({
  maskedPan: kind.orNull(v.pipe(v.string(), v.regex(/^\d{6}\*{2,9}\d{4}$/, 'must be a masked card number'))),
  cardNetworkType: kind.text,
  paymentMethod: kind.text,
  subPaymentMethod: kind.orNull(kind.text),
  entryMode: kind.orNull(kind.text),
  authenticationMethod: kind.text,
} satisfies Readonly<Record<keyof CardRead, v.GenericSchema>>)

const rule = v.picklist([
  'header',
  'fault',
  'queue',
  'person',
  'terminal',
  'amount',
  'card',
  'default',
  'settled',
])
/** The rule that decided an outcome, in the order they are tried. assumption: outcome-order */
export type OutcomeRule = v.InferOutput<typeof rule>

/**
 * The moments of a transaction in a flat list of three entries each: milliseconds since the opening, name,
 * and detail.
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
  id: kind.id,
  transactionRequestId: kind.name,
  orderId: kind.orNull(kind.text),
  type: kind.nameIn(moneyDirection),
  /** Equal for repetitions of the same request. */
  fingerprint: kind.text,
  currency: kind.currency,
  order: kind.amount,
  tax: kind.amount,
  surcharge: kind.amount,
  cashback: kind.amount,
  createdAt: kind.epochMs,
  /** Null for an online payment. */
  terminalSn: kind.orNull(kind.name),
  inCloud: kind.flag,
  originalId: kind.orNull(kind.id),
  expiresAt: kind.orNull(kind.epochMs),
  description: kind.orNull(kind.text),
  attach: kind.orNull(kind.text),
  notifyUrl: kind.orNull(kind.url),
  terminalEventNotifyUrl: kind.orNull(kind.url),
  instructions: kind.orNull(instructions),
  /** Numbers of the system trace and of the voucher; the record writes each with six digits. */
  stan: kind.sixDigits,
  voucherNo: kind.sixDigits,
  /** Of an online payment; null in person. */
  online: kind.orNull(online),
})
/** What a request gives a transaction. */
export type Given = Readonly<v.InferOutput<typeof given>>

/** What changes while it runs, and after. */
const progress = v.strictObject({
  status: kind.nameIn(statusLetters),
  tip: kind.amount,
  completedAt: kind.orNull(kind.epochMs),
  authCode: kind.orNull(kind.text),
  /** Name of the card in the fixture, once presented, and what was read of it: later fixtures may differ. */
  card: kind.orNull(kind.text),
  cardRead: kind.orNull(cardRead),
  /** Present when a person presented the card at an attended terminal. */
  presentedByPerson: kind.maybe(v.literal(true)),
  resultCode: kind.orNull(kind.text),
  resultMsg: kind.orNull(kind.text),
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: kind.orNull(kind.text),
  rule: kind.orNull(rule),
  screen,
  /** When it acts by itself next; null: never. */
  wakeAt: kind.orNull(kind.epochMs),
  batchNo: kind.orNull(kind.count),
  followUps: kind.orNull(followUps),
  timeline,
  /** Moment after which the terminal asked for the PIN; absent: it did not. */
  pinAfter: kind.maybe(kind.text),
  /** Total set-back of the sandbox clock at the last moment; absent: none. Milliseconds. */
  setBack: kind.maybe(kind.count),
})

/** One transaction. Times in milliseconds of the sandbox clock, amounts in minor units of `currency`. */
export type Transaction = Given & v.InferOutput<typeof progress>

/** The schema of a transaction. */
export const transactionSchema = v.pipe(
  v.strictObject({ ...given.entries, ...progress.entries }),
  v.check(({ timeline: all, createdAt }) => {
    for (let at = 0; at < all.length; at += 3) if (!kind.isDate(createdAt + Number(all[at]))) return false
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

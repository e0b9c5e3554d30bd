import * as v from 'valibot'
import {
  amount,
  described,
  list,
  named,
  one,
  shape,
  text,
  textOrNull,
  whether,
  word,
} from '../answer-kinds.ts'
import { isoTime, name, oneOf, optional, ruledText, statuses, transactionType } from '../member-kinds.ts'
import { followUpNames } from '../operations.ts'
import { relatedStatuses, statuses as statusNames, transactionTypes } from '../statuses.ts'
import { parseDecimal } from '../written-amount.ts'
import { waiting } from './waiting.ts'

/** Value of the terminal filter for transactions on no terminal. */
export const onlineTerminal = 'online'

/** Maximum number of transactions in one answer. */
export const mostListed = 10_000

/** At most this many, as a member of a query: a whole number from `least` to `most`. */
export const limitFrom = (least: 0 | 1, most: number) =>
  optional(
    v.pipe(
      v.string('must be a whole number'),
      v.regex(/^\d+$/, 'must be a whole number'),
      v.check((digits) => Number(digits) >= least && Number(digits) <= most, `must be ${least} to ${most}`),
      v.description('At most this many'),
    ),
  )

/** As many as one answer lists. */
export const asManyAsPossible = { limit: String(mostListed) }

/** The limit of a list of records. */
export const limitMember = limitFrom(1, mostListed)

/** Filters of the list of transactions: members of a query. assumption: list-filters */
export const wantedTransactions = {
  status: optional(statuses('Of this status, or of several with commas between them')),
  type: optional(transactionType('Of this type')),
  terminal: optional(
    name(`On this terminal, by serial number, or ${onlineTerminal} for payments without a terminal`),
  ),
  order: optional(name('Of this order, by referenceOrderId')),
  last4: optional(
    ruledText(
      'Paid with a card whose number ends so',
      v.regex(/^\d{4}$/, 'must be the last four digits of a card number'),
    ),
  ),
  merchant: optional(name('Of this merchant; left out, of all')),
  since: optional(isoTime('Created at this time or later')),
  amount: optional(
    ruledText(
      'Of this amount, or in this range',
      v.check(
        (value) => readAmountRange(value) !== undefined,
        'must be an amount such as 1000 or 10.00, or a range such as 10.00..20.00',
      ),
      v.check((value) => {
        const range = readAmountRange(value)
        return range === undefined || !endsBeforeItBegins(range)
      }, 'must be a range with the smaller amount first, such as 10.00..20.00'),
    ),
  ),
  allows: optional(oneOf('That allow this follow-up now', followUpNames)),
  limit: limitMember,
}

const transactionRow = named(
  'TransactionRow',
  'A transaction of a list. Amounts in minor units; times in ISO 8601 with offset',
  {
    transactionId: text,
    transactionRequestId: text,
    referenceOrderId: textOrNull,
    originalTransactionId: textOrNull,
    merchantId: text,
    terminalSn: textOrNull,
    type: word(transactionTypes),
    status: one(statusNames),
    relatedTransactionStatus: described(
      v.nullable(word(relatedStatuses)),
      'What later transactions did to it; null: nothing',
    ),
    screen: described(text, 'What its terminal shows of it'),
    amount,
    currency: text,
    card: described(textOrNull, 'Network and masked number, once a card was read'),
    resultCode: textOrNull,
    resultMessage: textOrNull,
    waiting: described(v.nullable(waiting), 'Of an open transaction; null if it waits for nothing'),
    createdAt: text,
    completedAt: textOrNull,
  },
)
export type TransactionRow = v.InferOutput<typeof transactionRow>

export const onlineTotals = named(
  'OnlineTotals',
  'Answer of `online-totals`: by currency, the successful online payments and refunds, and payments less refunds. No batch has them',
  { totals: list(shape({ currency: text, count: amount, net: amount })) },
)
export type OnlineTotals = v.InferOutput<typeof onlineTotals>

export const transactionList = named(
  'TransactionList',
  'Answer of `transactions`, newest first. `more`: there are older ones that match',
  { transactions: list(transactionRow), more: whether },
)
export type TransactionList = v.InferOutput<typeof transactionList>

/** An amount as it is written: a whole number in minor units, one with a decimal point in major units. */
export interface AmountBound {
  readonly units: 'minor' | 'major'
  readonly value: number
}

/** A range of amounts, with both ends included; null: no end. */
export interface AmountRange {
  readonly from: AmountBound | null
  readonly to: AmountBound | null
}

/** Reads `1000`, `10.00`, `10.00..20.00`, `10.00..` and `..20.00`; undefined for anything else. */
export function readAmountRange(text: string): AmountRange | undefined {
  const [first = '', last = first, ...more] = text.split('..')
  if (first + last === '' || more.length > 0) return undefined
  const [from, to] = [parseBound(first), parseBound(last)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** True for a range that holds no amount; ends in different units are not compared: currencies differ. */
export const endsBeforeItBegins = ({ from, to }: AmountRange): boolean =>
  from !== null && to !== null && from.units === to.units && from.value > to.value

/** Null for no bound; undefined for no amount. */
function parseBound(text: string): AmountBound | null | undefined {
  if (text === '') return null
  const bound = readMajorUnits(text)
  return bound && (text.includes('.') ? bound : { ...bound, units: 'minor' })
}

/**
 * Reads `10` and `10.50` as major units; undefined for anything else. 15 digits and four decimals at most:
 * the bound is for amounts of every currency.
 */
export function readMajorUnits(text: string): AmountBound | undefined {
  const digits = parseDecimal(text, 'refused')
  const fits = digits && digits.integer.length <= 15 && digits.decimals.length <= 4
  return fits ? { units: 'major', value: Number(text) } : undefined
}

/** True for an amount of minor units within the range; `exponent`: decimals of the currency. */
export function isWithin({ from, to }: AmountRange, minorUnits: number, exponent: number): boolean {
  const inUnitsOf = ({ units }: AmountBound) => (units === 'minor' ? minorUnits : minorUnits / 10 ** exponent)
  return (from === null || inUnitsOf(from) >= from.value) && (to === null || inUnitsOf(to) <= to.value)
}

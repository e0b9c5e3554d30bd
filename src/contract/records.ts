import type * as v from 'valibot'
import { amount, amountOrNull, shape, text, textOrNull, word } from './answer-kinds.ts'
import type { BatchStatus, RelatedStatus, StatusLetter, TransactionType } from './statuses.ts'

/**
 * The specification's record: flat, every member present, `null` where there is no value. Amounts in minor units; times
 * are `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone.
 */
export const specRecordSchema = shape({
  /** Id of the service. */
  transactionId: text,
  /** Id that the request gave it. */
  transactionRequestId: text,
  /** Initial, processing, successful, failed or closed. */
  transactionStatus: word<StatusLetter>(),
  transactionType: word<TransactionType>(),
  /** When it was opened. */
  createTime: text,
  /** Number of the order at the merchant. */
  referenceOrderId: textOrNull,
  /** When it became final. */
  completeTime: textOrNull,
  /** ISO 4217. */
  priceCurrency: text,
  /** Price of the goods. */
  orderAmount: amount,
  /** Sum of the parts. */
  transactionAmount: amount,
  taxAmount: amount,
  surchargeAmount: amount,
  tipAmount: amount,
  cashbackAmount: amount,
  /** First six and last four digits. */
  maskedPan: textOrNull,
  /** Brand of the card. */
  cardNetworkType: textOrNull,
  paymentMethod: textOrNull,
  subPaymentMethod: textOrNull,
  /** Number of the batch at its terminal. */
  batchNo: amountOrNull,
  /** Number of the receipt. */
  voucherNo: text,
  /** System trace audit number. */
  stan: text,
  /** Retrieval reference number. */
  rrn: text,
  /** Code of the approval. */
  authCode: textOrNull,
  /** How the card was read. */
  entryMode: textOrNull,
  /** How the cardholder was verified. */
  authenticationMethod: textOrNull,
  /** Result code of the host. */
  transactionResultCode: textOrNull,
  /** The result in words. */
  transactionResultMsg: textOrNull,
  /** Serial number of the terminal. */
  terminalSn: textOrNull,
  description: textOrNull,
  /** What the request attached. */
  attach: textOrNull,
})
export type SpecRecord = v.InferOutput<typeof specRecordSchema>

type MoneyMember = 'priceCurrency' | Extract<keyof SpecRecord, `${string}Amount`>
type ReshapedMember = MoneyMember | 'paymentMethod' | 'subPaymentMethod' | 'batchNo'

/** True for a member of the specification's record that the SDKs' record has, too. */
export const isShared = (member: string): boolean =>
  !member.endsWith('Amount') &&
  !['priceCurrency', 'paymentMethod', 'subPaymentMethod', 'batchNo'].includes(member)

/** Names of the members that may be null. */
type NullMember<T> = { [M in keyof T]: null extends T[M] ? M : never }[keyof T]
type AbsentWhereNull<T> = Omit<T, NullMember<T>> & {
  readonly [M in NullMember<T>]?: Exclude<T[M], null> | undefined
}

/** The members that both records have, absent where there is no value. */
export type SharedMembers = AbsentWhereNull<Omit<SpecRecord, ReshapedMember>>

/** The amounts of a transaction as the SDKs model them: nested. */
export type NestedAmount = Pick<SpecRecord, MoneyMember> & {
  /** The same as `transactionAmount`. */
  readonly transAmount: number
}

/** Amounts that the specification's record does not have. assumption: dialect */
interface RemainingAmounts {
  /** Total that can be captured of an AUTH: its own amount and its increments. */
  readonly totalAuthorizedAmount?: number | undefined
  /** What may still be refunded of a payment. */
  readonly refundableAmount?: number | undefined
}

interface MethodIds {
  /** The same as `paymentMethod`. */
  readonly paymentMethodId?: string | undefined
  /** The same as `subPaymentMethod`. */
  readonly subPaymentMethodId?: string | undefined
}

/** The record as the public SDKs model it: nested amount, `batchNo` as text, no members without a value. */
export interface SdkRecord extends SharedMembers, MethodIds, RemainingAmounts {
  readonly amount: NestedAmount
  readonly batchNo?: string | undefined
  readonly relatedTransactionStatus?: RelatedStatus | undefined
  readonly transactionBatchStatus?: BatchStatus | undefined
}

/** The specification's record and the SDK members that plain clients read. assumption: dialect */
export interface PlainRecord extends SpecRecord, MethodIds, RemainingAmounts {
  readonly amount: NestedAmount
}

/** Answer of the query: one of the shapes, by dialect. */
export type TransactionRecord = SpecRecord | PlainRecord | SdkRecord

/** Shape of the record that the query answers; `auto` chooses by User-Agent. assumption: dialect */
export type Dialect = 'auto' | 'spec' | 'sdk'

/**
 * What the caller can read: the specification's record, that with SDK members (plain), the SDKs' record, or only what
 * the strictest SDK accepts.
 */
export type Reader = 'spec' | 'plain' | 'sdk' | 'strict-sdk'

/** The SDK that a User-Agent begins with, such as `SunbayNexusSDK-Go/1.0.0`; undefined for anything else. */
export const sdkOf = (userAgent: string | undefined): string | undefined =>
  userAgent?.startsWith('SunbayNexusSDK-') ? userAgent.split(' ', 1)[0] : undefined

/** The reader for a dialect and a User-Agent. The Python SDK fails on members that it does not know. */
export function readerOf(dialect: Dialect, userAgent: string | undefined): Reader {
  if (dialect === 'spec') return 'spec'
  const sdk = sdkOf(userAgent)
  if (sdk?.startsWith('SunbayNexusSDK-Python/')) return 'strict-sdk'
  return dialect === 'sdk' || sdk !== undefined ? 'sdk' : 'plain'
}

/** True for a caller that reads the specification's members and ignores others. */
export const readsSpec = (reader: Reader): boolean => reader === 'spec' || reader === 'plain'

/** A batch number as the caller reads it: a number in the specification, text in the SDKs. assumption: dialect */
export const batchNoFor = (reader: Reader, batchNo: number): number | string =>
  readsSpec(reader) ? batchNo : String(batchNo)

/** Envelope of every answer. `code` "0" means accepted, not paid. assumption: envelope */
export interface Envelope<T = unknown> {
  readonly code: string
  readonly msg: string
  readonly traceId: string
  readonly data?: T
  /** On an error: the wrong member or header, what is wrong, and what to do. assumption: envelope, extras */
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
  /** On an error of the headers: further errors of the headers. assumption: order-of-handling, extras */
  readonly others?: readonly OtherError[]
}

/** A further error of a request. */
export interface OtherError {
  readonly code: string
  readonly msg: string
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
}

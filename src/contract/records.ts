import type * as v from 'valibot'
import { amount, amountOrNull, shape, text, textOrNull, word } from './answer-kinds.ts'
import type { BatchStatus, RelatedStatus, StatusLetter, TransactionType } from './statuses.ts'

/**
 * The specification's record: flat, every member present, `null` where there is no value. Amounts in minor units; times
 * are `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone.
 */
export const specRecordSchema = shape({
  transactionId: text,
  transactionRequestId: text,
  transactionStatus: word<StatusLetter>(),
  transactionType: word<TransactionType>(),
  createTime: text,
  referenceOrderId: textOrNull,
  completeTime: textOrNull,
  priceCurrency: text,
  orderAmount: amount,
  transactionAmount: amount,
  taxAmount: amount,
  surchargeAmount: amount,
  tipAmount: amount,
  cashbackAmount: amount,
  maskedPan: textOrNull,
  cardNetworkType: textOrNull,
  paymentMethod: textOrNull,
  subPaymentMethod: textOrNull,
  batchNo: amountOrNull,
  voucherNo: text,
  stan: text,
  rrn: text,
  authCode: textOrNull,
  entryMode: textOrNull,
  authenticationMethod: textOrNull,
  transactionResultCode: textOrNull,
  transactionResultMsg: textOrNull,
  terminalSn: textOrNull,
  description: textOrNull,
  attach: textOrNull,
})
export type SpecRecord = v.InferOutput<typeof specRecordSchema>

type MoneyMember = 'priceCurrency' | Extract<keyof SpecRecord, `${string}Amount`>
type SharedRecord = Omit<SpecRecord, MoneyMember | 'paymentMethod' | 'subPaymentMethod' | 'batchNo'>

/** Members that may be null, and the others. */
type NullMember<T> = { [M in keyof T]: null extends T[M] ? M : never }[keyof T]
type AbsentWhereNull<T> = Omit<T, NullMember<T>> & {
  readonly [M in NullMember<T>]?: Exclude<T[M], null> | undefined
}

/** What the money of a transaction is, as the SDKs model it: nested, and with `transAmount` for the transaction amount. */
export type NestedAmount = Pick<SpecRecord, MoneyMember> & { readonly transAmount: number }

/** What the specification's record has no member for. assumption: remaining-amounts */
interface RemainingAmounts {
  /** What an AUTH may capture in all: its own amount and its increments. */
  readonly totalAuthorizedAmount?: number | undefined
  /** What may still be refunded of a payment. */
  readonly refundableAmount?: number | undefined
}

interface MethodIds {
  readonly paymentMethodId?: string | undefined
  readonly subPaymentMethodId?: string | undefined
}

/** The record as the public SDKs model it: nested amount, textual batchNo, absent where there is no value. */
export interface SdkRecord extends AbsentWhereNull<SharedRecord>, MethodIds, RemainingAmounts {
  readonly amount: NestedAmount
  readonly batchNo?: string | undefined
  readonly relatedTransactionStatus?: RelatedStatus | undefined
  readonly transactionBatchStatus?: BatchStatus | undefined
}

/** The specification's record, and beside it what clients without an SDK read of the SDKs'. assumption: dialect */
export interface PlainRecord extends SpecRecord, MethodIds, RemainingAmounts {
  readonly amount: NestedAmount
}

/** What the query answers: one of the shapes, by dialect. */
export type TransactionRecord = SpecRecord | PlainRecord | SdkRecord

/** Which shape of the record the query answers. `auto` looks at the User-Agent. assumption: dialect */
export type Dialect = 'auto' | 'spec' | 'sdk'

/**
 * What the caller can read: the specification's record alone, what a plain HTTP client reads of both, the SDKs' record, or
 * what the strictest SDK accepts.
 */
export type Reader = 'spec' | 'plain' | 'sdk' | 'strict-sdk'

/** The name of the SDK that a User-Agent begins with, such as `SunbayNexusSDK-Go/1.0.0`; undefined for anything else. */
export const sdkOf = (userAgent: string | undefined): string | undefined =>
  userAgent?.startsWith('SunbayNexusSDK-') ? userAgent.split(' ', 1)[0] : undefined

/** The caller's shape. The Python SDK raises an error on members that it does not know. */
export function readerOf(dialect: Dialect, userAgent: string | undefined): Reader {
  if (dialect === 'spec') return 'spec'
  const sdk = sdkOf(userAgent)
  if (sdk?.startsWith('SunbayNexusSDK-Python/')) return 'strict-sdk'
  return dialect === 'sdk' || sdk !== undefined ? 'sdk' : 'plain'
}

/** True for a caller that reads the specification's members, and lets others pass. */
export const readsSpec = (reader: Reader): boolean => reader === 'spec' || reader === 'plain'

/** A batch number as the caller reads it: the specification's is a number, the SDKs' a text. assumption: dialect */
export const batchNoFor = (reader: Reader, batchNo: number): number | string =>
  readsSpec(reader) ? batchNo : String(batchNo)

/** Envelope of every answer. `code` "0" means accepted, not paid. assumption: envelope */
export interface Envelope<T = unknown> {
  readonly code: string
  readonly msg: string
  readonly traceId: string
  readonly data?: T
  /** On an error: the wrong member or header, what exactly is wrong, and what to do. assumption: error-members, extras */
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
  /** On an error of the headers: what else is wrong with them. assumption: all-wrong-headers, extras */
  readonly others?: readonly OtherError[]
}

/** What is wrong with a request beside what answers it. */
export interface OtherError {
  readonly code: string
  readonly msg: string
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
}

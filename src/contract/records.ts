import type * as v from 'valibot'
import { amount, amountOrNull, shape, text, textOrNull, word } from './answer-kinds.ts'
import type { BatchStatus, RelatedStatus, StatusLetter, TransactionType } from './statuses.ts'

/**
 * The specification's record: flat, every member present, `null` where there is no value. Amounts in minor units; times
 * are `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone.
 */
export const specRecord = shape({
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
export type SpecRecord = v.InferOutput<typeof specRecord>

type Amount = 'priceCurrency' | Extract<keyof SpecRecord, `${string}Amount`>
type SharedRecord = Omit<SpecRecord, Amount | 'paymentMethod' | 'subPaymentMethod' | 'batchNo'>

/** Members that may be null, and the others. */
type NullMember<T> = { [M in keyof T]: null extends T[M] ? M : never }[keyof T]
type AbsentWhereNull<T> = Omit<T, NullMember<T>> & {
  readonly [M in NullMember<T>]?: Exclude<T[M], null> | undefined
}

/** The record as the public SDKs model it: nested amount, textual batchNo, absent where there is no value. */
export interface SdkRecord extends AbsentWhereNull<SharedRecord> {
  readonly amount: Pick<SpecRecord, Amount> & { readonly transAmount: number }
  readonly paymentMethodId?: string | undefined
  readonly subPaymentMethodId?: string | undefined
  readonly batchNo?: string | undefined
  readonly relatedTransactionStatus?: RelatedStatus | undefined
  readonly transactionBatchStatus?: BatchStatus | undefined
}

/** What the query answers: one of the two shapes, by dialect. */
export type TransactionRecord = SpecRecord | SdkRecord

/** Which shape of the record the query answers. `auto` looks at the User-Agent. assumption: dialect */
export type Dialect = 'auto' | 'spec' | 'sdk'

/** What the caller can read: the specification's record, the SDKs', or what the strictest SDK accepts. */
export type Reader = 'spec' | 'sdk' | 'strict-sdk'

/** The caller's shape. The Python SDK raises an error on members that it does not know. */
export function readerOf(dialect: Dialect, userAgent: string | undefined): Reader {
  const sdk = userAgent?.startsWith('SunbayNexusSDK-') ?? false
  if (sdk && userAgent?.startsWith('SunbayNexusSDK-Python/') && dialect !== 'spec') return 'strict-sdk'
  if (dialect === 'auto') return sdk ? 'sdk' : 'spec'
  return dialect
}

/** Envelope of every answer. `code` "0" means accepted, not paid. assumption: envelope */
export interface Envelope<T = unknown> {
  readonly code: string
  readonly msg: string
  readonly traceId: string
  readonly data?: T
  /** On an error: the wrong member or header, what exactly is wrong, and what to do. assumption: error-members */
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
}

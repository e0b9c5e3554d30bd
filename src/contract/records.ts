import * as v from 'valibot'
import { amount, described, list, named, text, word } from './answer-kinds.ts'
import type { Behaviour } from './control/sandbox-options.ts'
import { batchStatuses, relatedStatuses, transactionTypes, wireLetters } from './statuses.ts'

/** Members that every record has. */
const always = {
  transactionId: described(text, 'Assigned by the service, 16 digits'),
  transactionRequestId: described(text, 'As the request sent it'),
  transactionStatus: described(word(wireLetters), 'Letter of its status: I, P, S, F or C'),
  transactionType: described(word(transactionTypes), 'What it is, such as `SALE` or `REFUND`'),
  createTime: described(
    text,
    "When it was opened: `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone, without offset",
  ),
  voucherNo: described(text, 'Number of the receipt, 6 digits'),
  stan: described(text, 'System trace number, 6 digits'),
  rrn: described(text, 'Retrieval reference number, 12 digits'),
}

/** Members that may have no value: null in the specification's record, absent in that of the SDKs. */
const sometimes = {
  referenceOrderId: described(text, "The merchant's order id; a follow-up has its original's"),
  completeTime: described(text, 'When its status became final, in the form of `createTime`'),
  maskedPan: described(text, 'Card number with the first six and last four digits visible'),
  cardNetworkType: described(text, 'Network type of the card: `CREDIT`, `DEBIT`, …'),
  authCode: described(text, 'Code of the approval, 6 characters'),
  entryMode: described(text, 'How the card was read, such as `CONTACTLESS`'),
  authenticationMethod: described(text, 'How the cardholder was verified'),
  transactionResultCode: described(text, 'Result code of the host; `000` is approved'),
  transactionResultMsg: described(text, 'The result in words'),
  terminalSn: described(text, 'Serial number of the terminal'),
  description: described(text, 'As the request sent it'),
  attach: described(text, 'As the request sent it, unchanged'),
}

/** Amounts in minor units: flat in the specification's record, nested in that of the SDKs. */
const money = {
  priceCurrency: described(text, 'Currency, an ISO 4217 code'),
  orderAmount: described(amount, 'Amount of the order'),
  transactionAmount: described(amount, 'Order amount plus tax, surcharge, tip and cashback'),
  taxAmount: described(amount, 'Tax'),
  surchargeAmount: described(amount, 'Surcharge'),
  tipAmount: described(amount, 'Tip'),
  cashbackAmount: described(amount, 'Cashback'),
}

type Nullable<E extends v.ObjectEntries> = { readonly [M in keyof E]: v.NullableSchema<E[M], undefined> }
const nullable = <const E extends v.ObjectEntries>(entries: E) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, member]) => [name, v.nullable(member)]),
  ) as Nullable<E>

/** Every member is present, `null` where there is no value. docs/api.md#record */
export const specRecordSchema = named(
  'SpecRecord',
  "The specification's record: flat, every member present, `null` where there is no value. Amounts in minor units; times are `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone",
  {
    ...always,
    ...money,
    ...nullable({
      ...sometimes,
      paymentMethod: described(text, 'Brand of the card: `VISA`, `MASTERCARD`, …'),
      subPaymentMethod: described(
        text,
        'Online: the wallet. With EBT: `SNAP`, or the sub-method of the request',
      ),
      batchNo: described(amount, 'Number of the batch that it joined'),
    }),
  },
)
export type SpecRecord = v.InferOutput<typeof specRecordSchema>

export const nestedAmountSchema = named(
  'NestedAmount',
  'The amounts of a transaction as the SDKs model them: nested',
  { ...money, transAmount: described(amount, 'The same as `transactionAmount`') },
)
export type NestedAmount = v.InferOutput<typeof nestedAmountSchema>

/** Members that only the SDKs have. public: sdk-record. assumption: dialect */
const added = {
  amount: nestedAmountSchema,
  paymentMethodId: v.optional(described(text, 'The same as `paymentMethod`')),
  subPaymentMethodId: v.optional(described(text, 'The same as `subPaymentMethod`')),
  totalAuthorizedAmount: v.optional(
    described(amount, 'Total that can be captured of an AUTH: its own amount and its increments'),
  ),
  refundableAmount: v.optional(described(amount, 'What may still be refunded of a payment')),
}

const plainRecord = named(
  'PlainRecord',
  "The specification's record and the SDK members that plain clients read",
  { ...specRecordSchema.entries, ...added },
)
export type PlainRecord = v.InferOutput<typeof plainRecord>

const shared = v.object({ ...always, ...v.partial(v.object(sometimes)).entries })
/** The members that both records have, absent where there is no value. */
export type SharedMembers = Readonly<v.InferOutput<typeof shared>>

/** True for a member of the specification's record that the SDKs' record has, too. */
export const isShared = (member: string): boolean => member in shared.entries

const sdkRecord = named(
  'SdkRecord',
  'The record as the public SDKs model it: nested amount, `batchNo` as text, no members without a value',
  {
    ...shared.entries,
    ...added,
    batchNo: v.optional(text),
    relatedTransactionStatus: v.optional(word(relatedStatuses)),
    transactionBatchStatus: v.optional(word(batchStatuses)),
  },
)
export type SdkRecord = v.InferOutput<typeof sdkRecord>

/** Answer of the query: one of the shapes, by dialect. */
export const transactionRecord = v.pipe(
  v.union([specRecordSchema, plainRecord, sdkRecord]),
  v.title('TransactionRecord'),
)
export type TransactionRecord = v.InferOutput<typeof transactionRecord>

/**
 * What the caller can read: the specification's record, that with SDK members (plain), the SDKs' record, or
 * only what the strictest SDK accepts.
 */
export type Reader = 'spec' | 'plain' | 'sdk' | 'strict-sdk'

/** The reader for a dialect and a User-Agent. The Python SDK fails on unknown members. assumption: dialect */
export function readerFor(dialect: Behaviour['dialect'], userAgent = ''): Reader {
  if (dialect === 'spec') return 'spec'
  if (userAgent.startsWith('SunbayNexusSDK-Python/')) return 'strict-sdk'
  return dialect === 'sdk' || userAgent.startsWith('SunbayNexusSDK-') ? 'sdk' : 'plain'
}

/** True for a caller that reads the specification's members and ignores others. */
export const readsSpec = (reader: Reader): boolean => reader === 'spec' || reader === 'plain'

/** A batch number as the caller reads it: a number in the specification, text in SDKs. assumption: dialect */
export const batchNoFor = (reader: Reader, batchNo: number): number | string =>
  readsSpec(reader) ? batchNo : String(batchNo)

const otherError = named('OtherError', 'A further error of a request', {
  code: text,
  msg: text,
  field: v.exactOptional(text),
  detail: v.exactOptional(text),
  remedy: v.exactOptional(text),
})
export type OtherError = v.InferOutput<typeof otherError>

export const refusedEnvelope = named('RefusedEnvelope', 'The envelope of a refused request', {
  code: text,
  msg: text,
  traceId: text,
  field: v.exactOptional(described(text, 'The wrong member or header')),
  detail: v.exactOptional(described(text, 'What is wrong')),
  remedy: v.exactOptional(described(text, 'What to do; commands stand in backticks')),
  others: v.exactOptional(described(list(otherError), 'Further errors of the headers')),
})

/** Envelope of answers. `code` "0": accepted, not paid. assumption: envelope, order-of-handling, extras */
export type Envelope<T = unknown> = v.InferOutput<typeof refusedEnvelope> & { readonly data?: T }

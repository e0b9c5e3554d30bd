import type { TransactionRecord } from '../contract/records.ts'
import { parseStatus, type RelatedStatus } from '../contract/statuses.ts'
import { isObject } from '../shared/is-object.ts'
import { asNumber, asText } from './tolerant.ts'

/** A transaction as it is displayed, read from either shape of the record. Amounts in minor units. */
export type RecordView = Readonly<ReturnType<typeof recordView>>

/** Reads the specification's flat record, or the SDKs' nested one; another service may leave members out. */
export function recordView(record: TransactionRecord) {
  const members: Readonly<Record<string, unknown>> = { ...record }
  const isNested = 'amount' in members
  const amounts = isNested ? (isObject(members.amount) ? members.amount : {}) : members
  const text = (name: string) => asText(members[name])
  const amount = (name: string) => asNumber(amounts[name])
  const [method, subMethod] = isNested
    ? [text('paymentMethodId'), text('subPaymentMethodId')]
    : [text('paymentMethod'), text('subPaymentMethod')]
  return {
    transactionId: text('transactionId') ?? '',
    transactionRequestId: text('transactionRequestId') ?? '',
    referenceOrderId: text('referenceOrderId'),
    status: parseStatus(text('transactionStatus') ?? ''),
    relatedTransactionStatus: text('relatedTransactionStatus') as RelatedStatus | undefined,
    type: text('transactionType') ?? '',
    currency: asText(amounts.priceCurrency) ?? '',
    transactionAmount: amount('transactionAmount') ?? amount('transAmount') ?? amount('orderAmount') ?? 0,
    orderAmount: amount('orderAmount') ?? 0,
    tipAmount: amount('tipAmount') ?? 0,
    taxAmount: amount('taxAmount') ?? 0,
    surchargeAmount: amount('surchargeAmount') ?? 0,
    cashbackAmount: amount('cashbackAmount') ?? 0,
    createTime: text('createTime'),
    completeTime: text('completeTime'),
    card: [method, text('maskedPan')].filter(Boolean).join(' ') || undefined,
    entry:
      [subMethod, text('entryMode'), text('authenticationMethod')].filter(Boolean).join(', ') || undefined,
    batchNo: text('batchNo'),
    authCode: text('authCode'),
    resultCode: text('transactionResultCode'),
    resultMessage: text('transactionResultMsg'),
    terminalSn: text('terminalSn'),
  }
}

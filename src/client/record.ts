import type { SdkRecord, TransactionRecord } from '../api/records.ts'
import { type Status, statusOf } from '../api/statuses.ts'

/** A transaction as we show it, from either shape of the record. Amounts in minor units. */
export interface RecordView {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly referenceOrderId: string | undefined
  readonly status: Status | undefined
  readonly type: string
  readonly currency: string
  readonly transactionAmount: number
  readonly orderAmount: number
  readonly tipAmount: number
  readonly taxAmount: number
  readonly surchargeAmount: number
  readonly cashbackAmount: number
  readonly createTime: string | undefined
  readonly completeTime: string | undefined
  readonly card: string | undefined
  readonly entry: string | undefined
  readonly batchNo: string | undefined
  readonly authCode: string | undefined
  readonly resultCode: string | undefined
  readonly resultMessage: string | undefined
  readonly terminalSn: string | undefined
}

/** Reads the flat record of the specification, or the nested one of the SDKs. */
export function viewOf(record: TransactionRecord): RecordView {
  const amounts = 'amount' in record ? fromNested(record.amount ?? {}) : record
  const method = 'amount' in record ? record.paymentMethodId : record.paymentMethod
  const subMethod = 'amount' in record ? record.subPaymentMethodId : record.subPaymentMethod
  return {
    transactionId: record.transactionId,
    transactionRequestId: record.transactionRequestId,
    referenceOrderId: record.referenceOrderId ?? undefined,
    status: statusOf(record.transactionStatus),
    type: record.transactionType,
    currency: amounts.priceCurrency,
    transactionAmount: amounts.transactionAmount,
    orderAmount: amounts.orderAmount,
    tipAmount: amounts.tipAmount ?? 0,
    taxAmount: amounts.taxAmount ?? 0,
    surchargeAmount: amounts.surchargeAmount ?? 0,
    cashbackAmount: amounts.cashbackAmount ?? 0,
    createTime: record.createTime,
    completeTime: record.completeTime ?? undefined,
    card: [method, record.maskedPan].filter(Boolean).join(' ') || undefined,
    entry: [subMethod, record.entryMode, record.authenticationMethod].filter(Boolean).join(', ') || undefined,
    batchNo: record.batchNo == null ? undefined : String(record.batchNo),
    authCode: record.authCode ?? undefined,
    resultCode: record.transactionResultCode ?? undefined,
    resultMessage: record.transactionResultMsg ?? undefined,
    terminalSn: record.terminalSn ?? undefined,
  }
}

/** Another service may leave members out. */
const fromNested = (amount: Partial<SdkRecord['amount']>) => ({
  ...amount,
  priceCurrency: amount.priceCurrency ?? '',
  orderAmount: amount.orderAmount ?? 0,
  transactionAmount: amount.transactionAmount ?? amount.transAmount ?? amount.orderAmount ?? 0,
})

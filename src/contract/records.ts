import type { BatchStatus, RelatedStatus, StatusLetter, TransactionType } from './statuses.ts'

/** Members that both shapes of the record share. Times are `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
interface CommonRecord {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly transactionStatus: StatusLetter
  readonly transactionType: TransactionType
  readonly createTime: string
}

/** The specification's record: flat, every member present, `null` where there is no value. Amounts in minor units. */
export interface SpecRecord extends CommonRecord {
  readonly referenceOrderId: string | null
  readonly completeTime: string | null
  readonly priceCurrency: string
  readonly orderAmount: number
  readonly transactionAmount: number
  readonly taxAmount: number
  readonly surchargeAmount: number
  readonly tipAmount: number
  readonly cashbackAmount: number
  readonly maskedPan: string | null
  readonly cardNetworkType: string | null
  readonly paymentMethod: string | null
  readonly subPaymentMethod: string | null
  readonly batchNo: number | null
  readonly voucherNo: string
  readonly stan: string
  readonly rrn: string
  readonly authCode: string | null
  readonly entryMode: string | null
  readonly authenticationMethod: string | null
  readonly transactionResultCode: string | null
  readonly transactionResultMsg: string | null
  readonly terminalSn: string | null
  readonly description: string | null
  readonly attach: string | null
}

/** The record as the public SDKs model it: nested amount, textual batchNo, absent where there is no value. */
export interface SdkRecord extends CommonRecord {
  readonly referenceOrderId?: string | undefined
  readonly completeTime?: string | undefined
  readonly amount: {
    readonly priceCurrency: string
    readonly transAmount: number
    readonly transactionAmount: number
    readonly orderAmount: number
    readonly taxAmount: number
    readonly surchargeAmount: number
    readonly tipAmount: number
    readonly cashbackAmount: number
  }
  readonly maskedPan?: string | undefined
  readonly cardNetworkType?: string | undefined
  readonly paymentMethodId?: string | undefined
  readonly subPaymentMethodId?: string | undefined
  readonly batchNo?: string | undefined
  readonly voucherNo: string
  readonly stan: string
  readonly rrn: string
  readonly authCode?: string | undefined
  readonly entryMode?: string | undefined
  readonly authenticationMethod?: string | undefined
  readonly transactionResultCode?: string | undefined
  readonly transactionResultMsg?: string | undefined
  readonly terminalSn?: string | undefined
  readonly description?: string | undefined
  readonly attach?: string | undefined
  readonly relatedTransactionStatus?: RelatedStatus | undefined
  readonly transactionBatchStatus?: BatchStatus | undefined
}

/** What the query answers: one of the two shapes, by dialect. */
export type TransactionRecord = SpecRecord | SdkRecord

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

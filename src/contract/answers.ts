import type { NestedAmount } from './records.ts'
import type { StatusLetter } from './statuses.ts'

/** The original as the request named it. */
interface OriginalPair {
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
}

/** What an operation that opens a transaction answers. Members per operation: wire facts of the public SDKs. */
export interface OpenedAnswer extends OriginalPair {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly transactionStatus: StatusLetter
  readonly referenceOrderId?: string
}

/** What abort answers. */
export interface AbortAnswer extends OriginalPair {
  readonly transactionStatus: StatusLetter
}

/** What tip adjust answers. */
export interface TipAdjustAnswer extends OriginalPair {
  readonly tipAmount: number
}

/** Totals of a batch. Amounts in minor units; `batchNo` by dialect. */
interface BatchTotals {
  readonly batchNo: number | string
  readonly priceCurrency: string
  readonly netAmount: number
  readonly tipAmount: number
  readonly surchargeAmount: number
  readonly taxAmount: number
}

/** An open batch; `startTime` in ISO 8601 with offset. SDKs, which name a terminal, are not told it. */
export interface BatchSummary extends BatchTotals {
  readonly terminalSn?: string
  readonly startTime: string
  readonly channelCode: string
  readonly totalCount: number
}

/** What batch query answers: one entry a terminal, channel and currency. docs/api.md#operation-4-1 */
export interface BatchQueryAnswer {
  readonly batchList: readonly BatchSummary[]
}

/** A batch that was closed. */
export interface ClosedBatchSummary extends BatchTotals {
  readonly terminalSn: string
  readonly batchTime: string
  readonly transactionCount: number
}

/** What batch close answers: the first batch, and the others when several were closed. docs/api.md#operation-4-2 */
export interface BatchCloseAnswer extends ClosedBatchSummary {
  readonly batchList?: readonly (ClosedBatchSummary & { readonly channelCode: string })[]
}

/** A closed batch of the list; `mid` and `tid` are the acquirer's ids of merchant and terminal. */
interface SettledBatch {
  readonly batchNo: number | string
  readonly batchStatus: 'S'
  readonly batchTime: string
  readonly totalCount: number
  readonly netAmount: number
  readonly priceCurrency: string
  readonly channelCode: string
  readonly terminalSn: string
  readonly mid: string
  readonly tid: string
}

/** What the list of closed batches answers. */
export interface BatchCloseListAnswer {
  readonly batchCloseList: readonly SettledBatch[]
}

/** A settlement channel. */
interface Channel {
  readonly channelCode: string
  readonly channelName: string
}

/** What the merchant look-up answers. docs/api.md#merchants */
export interface MerchantAnswer {
  readonly merchantId: string
  readonly dbaName: string
  /** ISO 18245. */
  readonly mcc: string
  /** ISO 3166-1 alpha-3. */
  readonly country: string
  readonly stateName: string
  readonly cityName: string
  readonly street: string
  readonly detailAddress: string
  readonly zipCode: string
  readonly status: 'Y' | 'N'
  /** `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
  readonly createTime: string
  readonly midList: readonly (Channel & { readonly mid: string })[]
}

/** A terminal of the look-up. */
interface TerminalEntry {
  readonly terminalId: string
  readonly sn: string
  readonly vendor: string
  readonly model: string
  readonly createTime: string
  readonly tidList: readonly (Channel & { readonly tid: string })[]
}

/** What the look-up of terminals answers: up to 100, and where the next ones begin. */
export interface TerminalsAnswer {
  readonly merchantId: string
  readonly nextToken?: string
  readonly terminals: readonly TerminalEntry[]
}

/** The amount that a session was asked for, in minor units, with the parts that it has. */
export interface EchoedAmount {
  readonly priceCurrency: string
  readonly orderAmount: number
  readonly taxAmount?: number
  readonly surchargeAmount?: number
  readonly tipAmount?: number
  readonly cashbackAmount?: number
}

/** What create session answers. `expiresAt` in ISO 8601. docs/api.md#operation-2-1 */
export interface SessionAnswer {
  readonly checkoutUrl: string
  readonly sessionId: string
  readonly expiresAt: string
  readonly merchantId: string
  readonly transactionRequestId: string
  readonly referenceOrderId?: string
  readonly amount: EchoedAmount
  readonly description?: string
  readonly productList?: readonly Product[]
}

/** A line of an order. `amount`: of one, in minor units. */
export interface Product {
  readonly name: string
  readonly amount: number
  readonly num: number
}

/** What direct payment answers; the status is asked for with a query. docs/api.md#operation-2-2 */
export interface DirectPaymentAnswer {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly referenceOrderId?: string
}

/** What expire session answers. `expiredAt` in ISO 8601. docs/api.md#operation-2-3 */
export interface ExpiredAnswer {
  readonly sessionId: string
  readonly sessionStatus: 'EXPIRED'
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly expiredAt: string
}

/** What online refund answers. Amounts in minor units. docs/api.md#operation-2-4 */
export interface OnlineRefundAnswer {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly originalTransactionId: string
  readonly transactionStatus: StatusLetter
  readonly transactionType: 'REFUND'
  /** `totalAmount` is the sum of the parts, as `transAmount` is. */
  readonly amount: NestedAmount & { readonly totalAmount: number }
  readonly createTime: string
  readonly completeTime?: string | undefined
  readonly transactionResultCode?: string | undefined
  readonly transactionResultMsg?: string | undefined
  readonly description?: string | undefined
}

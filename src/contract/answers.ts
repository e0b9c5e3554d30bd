import type { NestedAmount } from './records.ts'
import type { StatusLetter } from './statuses.ts'

/** The original as the request named it. */
interface OriginalPair {
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
}

/** Answer of an operation that opens a transaction. Its members per operation come from the public SDKs. */
export interface OpenedAnswer extends OriginalPair {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly transactionStatus: StatusLetter
  readonly referenceOrderId?: string
}

/** Answer of abort. */
export interface AbortAnswer extends OriginalPair {
  readonly transactionStatus: StatusLetter
}

/** Answer of tip adjust. */
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

/** An open batch; `startTime` in ISO 8601 with offset. SDKs get no `terminalSn`: they name a terminal. */
export interface BatchSummary extends BatchTotals {
  readonly terminalSn?: string
  readonly startTime: string
  readonly channelCode: string
  readonly totalCount: number
}

/** Answer of batch query: one entry a terminal, channel and currency. docs/api.md#operation-4-1 */
export interface BatchQueryAnswer {
  readonly batchList: readonly BatchSummary[]
}

/** A batch that was closed. */
export interface ClosedBatchSummary extends BatchTotals {
  readonly terminalSn: string
  readonly batchTime: string
  readonly transactionCount: number
}

/** Answer of batch close: the first batch, and the others when several were closed. docs/api.md#operation-4-2 */
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

/** Answer of the list of closed batches. */
export interface BatchCloseListAnswer {
  readonly batchCloseList: readonly SettledBatch[]
}

/** A settlement channel. */
interface Channel {
  readonly channelCode: string
  readonly channelName: string
}

/** Answer of the merchant look-up. docs/api.md#merchants */
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

/** Answer of the look-up of terminals: up to 100, and the token of the next page. */
export interface TerminalsAnswer {
  readonly merchantId: string
  readonly nextToken?: string
  readonly terminals: readonly TerminalEntry[]
}

/** The amount that a session asks for, in minor units; parts of zero are absent. */
export interface EchoedAmount {
  readonly priceCurrency: string
  readonly orderAmount: number
  readonly taxAmount?: number
  readonly surchargeAmount?: number
  readonly tipAmount?: number
  readonly cashbackAmount?: number
}

/** Answer of create session. `expiresAt` in ISO 8601. docs/api.md#operation-2-1 */
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

/** A line of an order. `amount`: price of one, in minor units. */
export interface Product {
  readonly name: string
  readonly amount: number
  readonly num: number
}

/** Answer of direct payment; query tells the status. docs/api.md#operation-2-2 */
export interface DirectPaymentAnswer {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly referenceOrderId?: string
}

/** Answer of expire session. `expiredAt` in ISO 8601. docs/api.md#operation-2-3 */
export interface ExpiredAnswer {
  readonly sessionId: string
  readonly sessionStatus: 'EXPIRED'
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly expiredAt: string
}

/** Answer of online refund. Amounts in minor units. docs/api.md#operation-2-4 */
export interface OnlineRefundAnswer {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly originalTransactionId: string
  readonly transactionStatus: StatusLetter
  readonly transactionType: 'REFUND'
  /** `totalAmount` equals `transAmount`: the sum of the parts. */
  readonly amount: NestedAmount & { readonly totalAmount: number }
  readonly createTime: string
  readonly completeTime?: string | undefined
  readonly transactionResultCode?: string | undefined
  readonly transactionResultMsg?: string | undefined
  readonly description?: string | undefined
}

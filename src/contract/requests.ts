import * as v from 'valibot'
import { amountParts, fields } from './fields.ts'
import { optional } from './member-kinds.ts'

/** The schema of each operation's request. docs/api.md#fields */

const {
  appId,
  merchantId,
  terminalSn,
  transactionId,
  transactionRequestId,
  queriedTransactionRequestId,
  channelCode,
} = fields
const { priceCurrency, description, attach, notifyUrl, terminalEventNotifyUrl, tipConfig, pushToTerminal } =
  fields
const { ownTransactionRequestId, originalTransactionId, originalTransactionRequestId } = fields
const referenceOrderId = optional(fields.referenceOrderId)

const merchant = { appId, merchantId }
const parties = { ...merchant, terminalSn }
const followUpParties = { ...merchant, terminalSn: fields.followUpTerminalSn }
const batchParties = { ...merchant, terminalSn: fields.batchTerminalSn }
const money = { amount: fields.amount, priceCurrency, ...amountParts }
const urls = { notifyUrl, terminalEventNotifyUrl }
const original = { originalTransactionId, originalTransactionRequestId }
const extras = { description, attach, ...urls, printReceipt: fields.printReceipt }

/** The members by which a request names its original. */
export interface OriginalReference {
  readonly originalTransactionId?: string | null | undefined
  readonly originalTransactionRequestId?: string | null | undefined
}

export const opening = v.object({
  ...money,
  transactionRequestId,
  referenceOrderId,
  ...parties,
  ...extras,
  paymentMethod: fields.paymentMethod,
  cardNetworkType: fields.cardNetworkType,
  timeExpire: fields.timeExpire,
  signatureConfig: fields.signatureConfig,
  signatureEntryLocation: fields.signatureEntryLocation,
})

export const sale = v.object({ ...opening.entries, tipConfig })

export const followUp = v.object({
  ...original,
  ...money,
  transactionRequestId,
  ...followUpParties,
  pushToTerminal,
  ...extras,
})

export const postAuth = v.object({ ...followUp.entries, tipConfig })

export const refund = v.object({
  ...original,
  ...opening.entries,
  ...followUpParties,
  pushToTerminal,
})

export const voiding = v.object({
  ...original,
  transactionRequestId,
  ...followUpParties,
  pushToTerminal,
  ...extras,
})

export const abort = v.object({
  ...original,
  transactionRequestId: ownTransactionRequestId,
  ...followUpParties,
  description,
  attach,
})

export const tipAdjust = v.object({
  ...original,
  tipAmount: fields.tipAmount,
  transactionRequestId: ownTransactionRequestId,
  ...followUpParties,
  attach,
})

export const query = v.object({
  transactionId,
  transactionRequestId: queriedTransactionRequestId,
  ...merchant,
})

export const batchQuery = v.object(batchParties)

export const batchClose = v.object({
  transactionRequestId,
  ...batchParties,
  channelCode,
  priceCurrency,
  description,
  attach,
  printReceipt: fields.printBatch,
  ...urls,
})

export const batchCloseList = v.object({
  ...batchParties,
  channelCode,
  startTime: fields.startTime,
  endTime: fields.endTime,
})

export const merchantQuery = v.object(merchant)

export const terminalsQuery = v.object({ ...merchant, nextToken: fields.nextToken })

const order = {
  ...money,
  transactionRequestId,
  referenceOrderId,
  ...merchant,
  description,
  attach,
  productList: fields.productList,
  notifyUrl,
  merchantReturnUrl: fields.merchantReturnUrl,
}

export const createSession = v.object({
  ...order,
  collectBillingAddress: fields.collectBillingAddress,
  collectShippingAddress: fields.collectShippingAddress,
  terminalEventNotifyUrl,
})

export const directPayment = v.object({
  ...order,
  paymentMethod: fields.wallet,
  cardEncryptedData: fields.cardEncryptedData,
  customerName: fields.customerName,
  customerEmail: fields.customerEmail,
  billingAddress: fields.billingAddress,
  shippingAddress: fields.shippingAddress,
})

export const expireSession = v.object({
  sessionId: optional(fields.sessionId),
  transactionRequestId: queriedTransactionRequestId,
  referenceOrderId,
  ...merchant,
  reason: fields.reason,
})

export const onlineRefund = v.object({
  ...original,
  amount: fields.refundAmount,
  priceCurrency,
  ...amountParts,
  transactionRequestId,
  ...merchant,
  description,
  attach,
  notifyUrl,
})

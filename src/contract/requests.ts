import * as v from 'valibot'
import { amountParts, fields } from './fields.ts'
import { optional } from './member-kinds.ts'

/** The request of each operation, as its members. docs/api.md#fields */

const parties = { appId: fields.appId, merchantId: fields.merchantId, terminalSn: fields.terminalSn }

const money = { amount: fields.amount, priceCurrency: fields.priceCurrency, ...amountParts }

const extras = {
  description: fields.description,
  attach: fields.attach,
  notifyUrl: fields.notifyUrl,
  terminalEventNotifyUrl: fields.terminalEventNotifyUrl,
  printReceipt: fields.printReceipt,
}

const cardChoice = {
  paymentMethod: fields.paymentMethod,
  cardNetworkType: fields.cardNetworkType,
  timeExpire: fields.timeExpire,
  signatureConfig: fields.signatureConfig,
  signatureEntryLocation: fields.signatureEntryLocation,
}

const original = {
  originalTransactionId: fields.originalTransactionId,
  originalTransactionRequestId: fields.originalTransactionRequestId,
}

export const opening = v.object({
  ...money,
  transactionRequestId: fields.transactionRequestId,
  referenceOrderId: optional(fields.referenceOrderId),
  ...parties,
  ...extras,
  ...cardChoice,
})

export const sale = v.object({ ...opening.entries, tipConfig: fields.tipConfig })

export const followUp = v.object({
  ...original,
  ...money,
  transactionRequestId: fields.transactionRequestId,
  ...parties,
  pushToTerminal: fields.pushToTerminal,
  ...extras,
})

export const postAuth = v.object({ ...followUp.entries, tipConfig: fields.tipConfig })

export const refund = v.object({ ...original, ...opening.entries, pushToTerminal: fields.pushToTerminal })

export const voiding = v.object({
  ...original,
  transactionRequestId: fields.transactionRequestId,
  ...parties,
  pushToTerminal: fields.pushToTerminal,
  ...extras,
})

export const abort = v.object({
  ...original,
  ...parties,
  description: fields.description,
  attach: fields.attach,
})

export const tipAdjust = v.object({
  ...original,
  tipAmount: fields.tipAmount,
  ...parties,
  attach: fields.attach,
})

export const query = v.object({
  transactionId: fields.transactionId,
  transactionRequestId: fields.queriedRequestId,
  appId: fields.appId,
  merchantId: fields.merchantId,
})

export const batchQuery = v.object({ ...parties })

export const batchClose = v.object({
  transactionRequestId: fields.transactionRequestId,
  ...parties,
  channelCode: fields.channelCode,
  description: fields.description,
  attach: fields.attach,
  printReceipt: fields.printBatch,
  notifyUrl: fields.notifyUrl,
  terminalEventNotifyUrl: fields.terminalEventNotifyUrl,
})

export const batchCloseList = v.object({
  ...parties,
  channelCode: fields.channelCode,
  startTime: fields.startTime,
  endTime: fields.endTime,
})

export const merchantQuery = v.object({ appId: fields.appId, merchantId: fields.merchantId })

export const terminalsQuery = v.object({
  appId: fields.appId,
  merchantId: fields.merchantId,
  nextToken: fields.nextToken,
})

const order = {
  ...money,
  transactionRequestId: fields.transactionRequestId,
  referenceOrderId: optional(fields.referenceOrderId),
  appId: fields.appId,
  merchantId: fields.merchantId,
  description: fields.description,
  attach: fields.attach,
  productList: fields.productList,
  notifyUrl: fields.notifyUrl,
  merchantReturnUrl: fields.merchantReturnUrl,
}

export const createSession = v.object({
  ...order,
  collectBillingAddress: fields.collectBillingAddress,
  collectShippingAddress: fields.collectShippingAddress,
  terminalEventNotifyUrl: fields.terminalEventNotifyUrl,
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
  transactionRequestId: fields.queriedRequestId,
  referenceOrderId: optional(fields.referenceOrderId),
  appId: fields.appId,
  merchantId: fields.merchantId,
  reason: fields.reason,
})

export const onlineRefund = v.object({
  ...original,
  amount: fields.refundAmount,
  priceCurrency: fields.priceCurrency,
  ...amountParts,
  transactionRequestId: fields.transactionRequestId,
  appId: fields.appId,
  merchantId: fields.merchantId,
  description: fields.description,
  attach: fields.attach,
  notifyUrl: fields.notifyUrl,
})

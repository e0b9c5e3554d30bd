import type * as v from 'valibot'
import { amountParts, fields } from '../fields.ts'
import { optional } from '../member-kinds.ts'

/** Members that the requests of several operations have. docs/api.md#fields */

const { priceCurrency, description, attach, notifyUrl, terminalEventNotifyUrl } = fields

export const merchant = { appId: fields.appId, merchantId: fields.merchantId }
export const batchParties = { ...merchant, terminalSn: fields.batchTerminalSn }
export const followUpParties = { ...merchant, terminalSn: fields.followUpTerminalSn }
export const money = { amount: fields.amount, priceCurrency, ...amountParts }
export const urls = { notifyUrl, terminalEventNotifyUrl }
export const extras = { description, attach, ...urls, printReceipt: fields.printReceipt }

export const referenceOrderId = optional(fields.referenceOrderId)

/** The members by which a request names its original. */
export const original = {
  originalTransactionId: fields.originalTransactionId,
  originalTransactionRequestId: fields.originalTransactionRequestId,
}

/** The original as a request names it. */
export type OriginalReference = v.InferOutput<v.ObjectSchema<typeof original, undefined>>

import * as v from 'valibot'
import { amount, described, list, named, one, shape, text, word } from '../answer-kinds.ts'
import { amountParts, fields } from '../fields.ts'
import { optional } from '../member-kinds.ts'
import { nestedAmountSchema } from '../records.ts'
import { wireLetters } from '../statuses.ts'
import { answer, forbids, id, type Operation } from './operation.ts'
import { merchant, money, original, referenceOrderId } from './request-members.ts'

/** Hosted payment pages and digital wallets. */

export const checkoutBase = '/v1/checkout'
const { transactionRequestId, priceCurrency, description, attach, notifyUrl } = fields

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

const product = named('Product', 'A line of an order. `amount`: price of one, in minor units', {
  name: text,
  amount,
  num: amount,
})
export type Product = v.InferOutput<typeof product>

const echoedAmount = named(
  'EchoedAmount',
  'The amount that a session asks for, in minor units; parts of zero are absent',
  {
    priceCurrency: text,
    orderAmount: amount,
    taxAmount: v.exactOptional(amount),
    surchargeAmount: v.exactOptional(amount),
    tipAmount: v.exactOptional(amount),
  },
)
export type EchoedAmount = v.InferOutput<typeof echoedAmount>

/** docs/api.md#operation-2-1 */
const sessionAnswer = answer('SessionAnswer', 'Answer of create session', ['checkoutUrl', 'sessionId'], {
  checkoutUrl: described(id, 'Page of the shopper'),
  sessionId: id,
  expiresAt: described(text, 'When it closes unpaid, ISO 8601'),
  merchantId: text,
  transactionRequestId: text,
  referenceOrderId: v.exactOptional(text),
  amount: echoedAmount,
  description: v.exactOptional(text),
  productList: v.exactOptional(list(product)),
})
export type SessionAnswer = v.InferOutput<typeof sessionAnswer>

/** docs/api.md#operation-2-2 */
const directPaymentAnswer = answer(
  'DirectPaymentAnswer',
  'Answer of direct payment; query tells the status',
  ['transactionId'],
  { transactionId: id, transactionRequestId: text, referenceOrderId: v.exactOptional(text) },
)
export type DirectPaymentAnswer = v.InferOutput<typeof directPaymentAnswer>

/** docs/api.md#operation-2-3 */
const expiredAnswer = answer(
  'ExpiredAnswer',
  'Answer of expire session. `expiredAt` in ISO 8601',
  ['sessionId'],
  {
    sessionId: id,
    sessionStatus: one(['EXPIRED']),
    transactionId: text,
    transactionRequestId: text,
    expiredAt: text,
  },
)
export type ExpiredAnswer = v.InferOutput<typeof expiredAnswer>

/** docs/api.md#operation-2-4 */
const onlineRefundAnswer = answer(
  'OnlineRefundAnswer',
  'Answer of online refund. Amounts in minor units',
  ['transactionId'],
  {
    transactionId: id,
    transactionRequestId: text,
    originalTransactionId: text,
    transactionStatus: word(wireLetters),
    transactionType: one(['REFUND']),
    amount: described(
      shape({ ...nestedAmountSchema.entries, totalAmount: amount }),
      '`totalAmount` equals `transAmount`: the sum of the parts',
    ),
    createTime: text,
    completeTime: v.optional(text),
    transactionResultCode: v.optional(text),
    transactionResultMsg: v.optional(text),
    description: v.optional(text),
  },
)
export type OnlineRefundAnswer = v.InferOutput<typeof onlineRefundAnswer>

export const checkout = {
  'create-session': {
    command: 'checkout create',
    number: '2.1',
    method: 'POST',
    path: `${checkoutBase}/create-session`,
    summary: 'Open a hosted payment page for an order',
    runs: 'cloud',
    opens: 'SALE',
    opensPage: true,
    input: v.object({
      ...order,
      collectBillingAddress: fields.collectBillingAddress,
      collectShippingAddress: fields.collectShippingAddress,
      terminalEventNotifyUrl: fields.terminalEventNotifyUrl,
    }),
    answer: sessionAnswer,
  },
  'direct-payment': {
    command: 'checkout sale',
    number: '2.2',
    method: 'POST',
    path: `${checkoutBase}/sale`,
    summary: 'Take an online payment from a digital wallet',
    runs: 'cloud',
    opens: 'SALE',
    input: v.object({
      ...order,
      paymentMethod: fields.wallet,
      cardEncryptedData: fields.cardEncryptedData,
      customerName: fields.customerName,
      customerEmail: fields.customerEmail,
      billingAddress: fields.billingAddress,
      shippingAddress: fields.shippingAddress,
    }),
    answer: directPaymentAnswer,
  },
  'expire-session': {
    command: 'checkout expire',
    number: '2.3',
    method: 'POST',
    path: `${checkoutBase}/expire-session`,
    summary: 'Close a hosted payment page that is not paid yet',
    runs: 'cloud',
    ends: true,
    argument: 'sessionId',
    input: v.object({
      sessionId: optional(fields.sessionId),
      transactionRequestId: fields.queriedTransactionRequestId,
      referenceOrderId,
      ...merchant,
      reason: fields.reason,
    }),
    answer: expiredAnswer,
  },
  'online-refund': {
    command: 'checkout refund',
    number: '2.4',
    method: 'POST',
    path: `${checkoutBase}/refund`,
    summary: 'Refund an online payment, in part or in full',
    runs: 'cloud',
    opens: 'REFUND',
    argument: 'originalTransactionId',
    forbids,
    input: v.object({
      ...original,
      amount: fields.refundAmount,
      priceCurrency,
      ...amountParts,
      transactionRequestId,
      ...merchant,
      description,
      attach,
      notifyUrl,
    }),
    answer: onlineRefundAnswer,
  },
} as const satisfies Record<string, Operation>

import * as v from 'valibot'
import { limits } from './headers.ts'
import {
  currency,
  flag,
  freeText,
  httpUrl,
  identifier,
  isoTime,
  listOf,
  minorUnits,
  objectOf,
  oneOf,
  optional,
  ruledText,
  text,
  whole,
} from './member-kinds.ts'

/**
 * The members of requests, each with its rule and its help line. Lengths and character sets that the
 * specification does not show come from the public SDKs. public: sdk-fields. assumption: field-limits
 */

/** Digital wallets. */
export const wallets = ['GOOGLE_PAY', 'APPLE_PAY'] as const
export type Wallet = (typeof wallets)[number]

/** Amounts in addition to `orderAmount`, each in minor units. */
export const amountParts = {
  tipAmount: optional(minorUnits('Tip, part of the transaction amount')),
  taxAmount: optional(minorUnits('Tax, part of the transaction amount')),
  surchargeAmount: optional(minorUnits('Surcharge, part of the transaction amount')),
  cashbackAmount: optional(minorUnits('Cashback, part of the transaction amount')),
}

/** A higher percentage of tip is a mistake. */
export const mostTipPercent = 1_000

/** `names` label `values`: as many names as values, or none. */
const suggestion = v.pipe(
  v.object(
    {
      feeMode: optional(oneOf('Meaning of the values', ['RATE', 'AMOUNT'])),
      names: optional(listOf(v.string('must be a string'), 3, 'Labels: one for each value, or none')),
      values: optional(
        listOf(
          v.pipe(v.number('must be a number'), v.minValue(0, 'must be at least 0')),
          3,
          `Percentages up to ${mostTipPercent}; as amounts, integers up to ${limits.amount}`,
        ),
      ),
    },
    'must be an object',
  ),
  v.forward(
    v.check(
      ({ names, values }) => !names?.length || names.length === values?.length,
      'must have as many entries as values, or none',
    ),
    ['names'],
  ),
  v.forward(
    v.check(
      ({ feeMode, values }) =>
        (values ?? []).every((value) =>
          feeMode === 'AMOUNT' ? Number.isInteger(value) && value <= limits.amount : value <= mostTipPercent,
        ),
      `must be at most ${mostTipPercent} percent, or integers up to ${limits.amount} as amounts`,
    ),
    ['values'],
  ),
)

/** True for the path of the only numbers of a request that may have decimals: the `values` above. */
export const mayBeFraction = (path: string): boolean => /\bsuggestions\.(\d+\.)?values\.\d+$/.test(path)

const tipConfig = objectOf('Tip screen of the terminal, as JSON', {
  onScreenTip: optional(flag('Ask for a tip on the screen')),
  tipMode: optional(oneOf('When the tip is given', ['ON_SALE', 'AFTER_SALE'])),
  tipWithTax: optional(flag('Count tax into the base of a percentage')),
  useHostConfig: optional(flag('Use what the platform is set to')),
  suggestions: optional(v.lazy((value) => (Array.isArray(value) ? listOf(suggestion, 3) : suggestion))),
})

const signatureConfig = objectOf('Signature screen of the terminal, as JSON', {
  useHostConfig: optional(flag('Use what the platform is set to')),
  entryLocation: optional(oneOf('Where to sign', ['ON_SCREEN', 'ON_RECEIPT', 'NONE'])),
  threshold: optional(minorUnits('Amount from which a signature is requested')),
})

const paymentMethod = objectOf('Payment method to ask for, as JSON', {
  category: optional(
    oneOf('Kind of payment', ['CARD', 'CARD-CREDIT', 'CARD-DEBIT', 'QR-MPM', 'QR-CPM', 'EBT']),
  ),
  id: optional(text('Payment method', 32)),
  subId: optional(text('Sub-method of the payment method', 32)),
})

/** The SDKs' amount object. docs/api.md#fields. assumption: amount-shapes */
const amountObject = v.object({
  orderAmount: minorUnits('Order amount'),
  priceCurrency: optional(currency),
  ...amountParts,
  totalAmount: optional(minorUnits('Order amount plus all parts')),
  tipConfig: optional(tipConfig),
})

/** The amount object of an online refund: parts, or only their sum. */
const refundObject = v.object({ ...amountObject.entries, orderAmount: optional(minorUnits('Order amount')) })

const product = v.object(
  {
    name: text('Name of the product', 128),
    amount: minorUnits('Price of one, in minor units'),
    num: whole('How many', 1, 1_000_000),
  },
  'must be an object',
)

const address = objectOf('Address, as JSON', {
  line1: optional(text('First line', 128)),
  line2: optional(text('Second line', 128)),
  city: optional(text('City', 64)),
  state: optional(text('State', 64)),
  postalCode: optional(text('Postal code', 16)),
  country: optional(text('Country', 64)),
  countryCode: optional(text('Country', 3)),
})

const amountInteger = minorUnits('Transaction amount in minor units')

/** Every member that a request may have. `amount` is an integer (specification) or an object (SDKs). */
export const fields = {
  appId: optional(text('Application; default: that of the API key', 32)),
  merchantId: optional(text('Merchant; default: the first of the application', 32)),
  terminalSn: optional(text('Serial number of the terminal; default: the first of the merchant', 32)),
  followUpTerminalSn: optional(
    text('Serial number of the terminal; default: that of the original, or the first of the merchant', 32),
  ),
  batchTerminalSn: optional(
    text('Serial number of the terminal; default: every terminal of the merchant', 32),
  ),
  transactionId: optional(text('Transaction id assigned by the service', 64)),
  transactionRequestId: identifier('Idempotency id, new for every transaction'),
  ownTransactionRequestId: optional(identifier('Idempotency id of this request, if it has one')),
  queriedTransactionRequestId: optional(identifier('Idempotency id that the transaction was opened with')),
  referenceOrderId: ruledText(
    'Your order id; one order can have many transactions',
    v.regex(/^[A-Za-z0-9_\-|*\\]{6,32}$/, 'must be 6 to 32 characters out of A–Z a–z 0–9 _ - | * \\'),
  ),
  originalTransactionId: optional(text('Transaction that this one acts on', 64)),
  originalTransactionRequestId: optional(identifier('Original transaction, by its transaction request id')),
  amount: v.pipe(
    v.lazy((value) => (typeof value === 'object' && value !== null ? amountObject : amountInteger)),
    v.description('Order amount'),
  ),
  priceCurrency: optional(currency),
  tipAmount: minorUnits('The new tip; it replaces the old one'),
  pushToTerminal: optional(flag('Process on the terminal (default), or in the cloud')),
  description: optional(freeText('Free text', 128)),
  attach: optional(freeText('Your own data, returned unchanged', 4096)),
  notifyUrl: optional(httpUrl('Where the result is sent')),
  terminalEventNotifyUrl: optional(httpUrl('Where terminal events are sent')),
  timeExpire: optional(
    isoTime('When an unpaid transaction closes, ISO 8601 with offset: 3 minutes to 1 day ahead'),
  ),
  printReceipt: optional(oneOf('Receipts to print', ['NONE', 'MERCHANT', 'CUSTOMER', 'BOTH', 'AUTO'])),
  refundAmount: optional(
    v.pipe(
      v.lazy((value) => (typeof value === 'object' && value !== null ? refundObject : amountInteger)),
      v.description('Amount to refund; default: the whole remainder'),
    ),
  ),
  sessionId: text('Session of the hosted payment page', 64),
  productList: optional(listOf(product, 100, 'Products as JSON; they add up to the order amount')),
  collectBillingAddress: optional(flag('Ask the shopper for a billing address')),
  collectShippingAddress: optional(flag('Ask the shopper for a shipping address')),
  merchantReturnUrl: optional(httpUrl('Where the browser goes after the payment')),
  wallet: oneOf('Digital wallet', wallets),
  cardEncryptedData: text('The wallet’s payload, a JSON object as a string', 65_536),
  customerName: optional(text('Name of the customer', 128)),
  customerEmail: optional(text('E-mail address of the customer', 254)),
  billingAddress: optional(address),
  shippingAddress: optional(address),
  reason: optional(text('Reason, in free text', 128)),
  printBatch: optional(oneOf('Batch report to print', ['TOTAL', 'DETAIL', 'BOTH', 'NONE', 'AUTO'])),
  channelCode: optional(text('Settlement channel; default: all', 32)),
  startTime: optional(isoTime('Start of the period, ISO 8601 with offset; at most 30 days before its end')),
  endTime: optional(isoTime('End of the period, ISO 8601 with offset. Without both times: the last 7 days')),
  nextToken: optional(text('Where the next page begins, from the answer before', 128)),
  cardNetworkType: optional(
    oneOf('Card network type to ask for', ['CREDIT', 'DEBIT', 'EBT', 'EGC', 'UNKNOWN']),
  ),
  paymentMethod: optional(paymentMethod),
  tipConfig: optional(tipConfig),
  signatureConfig: optional(signatureConfig),
  signatureEntryLocation: optional(oneOf('Where to sign (older form)', ['ON_SCREEN', 'ON_RECEIPT', 'NONE'])),
}

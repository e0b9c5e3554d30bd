import * as v from 'valibot'
import { amountParts, fields, optional } from './fields.ts'
import type { StatusLetter } from './statuses.ts'

/** Where an operation is processed. spec: Endpoints, column Pushed to terminal */
type Runs = 'terminal' | 'configurable' | 'cloud'

/** A row of the table: everything the server, the client, the commands and the documents say of an operation. */
export interface Operation {
  /** Number in the specification. */
  readonly number: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly runs: Runs
  /** Members that the specification forbids here, refused even though unknown members are ignored. */
  readonly forbids?: readonly string[]
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
}

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

const opening = v.object({
  ...money,
  transactionRequestId: fields.transactionRequestId,
  referenceOrderId: optional(fields.referenceOrderId),
  ...parties,
  ...extras,
  ...cardChoice,
})

const sale = v.object({ ...opening.entries, tipConfig: fields.tipConfig })

const followUp = v.object({
  ...original,
  ...money,
  transactionRequestId: fields.transactionRequestId,
  ...parties,
  pushToTerminal: fields.pushToTerminal,
  ...extras,
})

const postAuth = v.object({ ...followUp.entries, tipConfig: fields.tipConfig })

const refund = v.object({ ...original, ...opening.entries, pushToTerminal: fields.pushToTerminal })

const voiding = v.object({
  ...original,
  transactionRequestId: fields.transactionRequestId,
  ...parties,
  pushToTerminal: fields.pushToTerminal,
  ...extras,
})

const abort = v.object({ ...original, ...parties, description: fields.description, attach: fields.attach })

const tipAdjust = v.object({ ...original, tipAmount: fields.tipAmount, ...parties, attach: fields.attach })

const query = v.object({
  transactionId: fields.transactionId,
  transactionRequestId: fields.queriedRequestId,
  appId: fields.appId,
  merchantId: fields.merchantId,
})

/** spec: Rules for referenceOrderId and transactionRequestId 2 */
const forbids = ['referenceOrderId']
const inPerson = '/v1/semi-integration/transaction'

/** The operations of the service, in the order of the specification. spec: Endpoints */
export const operations = {
  sale: {
    number: '1.1',
    method: 'POST',
    path: `${inPerson}/sale`,
    summary: 'Take a payment on a terminal',
    runs: 'terminal',
    input: sale,
  },
  auth: {
    number: '1.2',
    method: 'POST',
    path: `${inPerson}/auth`,
    summary: 'Pre-authorise an amount on a terminal',
    runs: 'terminal',
    input: opening,
  },
  'forced-auth': {
    number: '1.3',
    method: 'POST',
    path: `${inPerson}/forced-auth`,
    summary: 'Force an authorisation on a terminal',
    runs: 'terminal',
    input: opening,
  },
  'incremental-auth': {
    number: '1.4',
    method: 'POST',
    path: `${inPerson}/incremental-auth`,
    summary: 'Raise the amount of a pre-authorisation',
    runs: 'configurable',
    forbids,
    input: followUp,
  },
  'post-auth': {
    number: '1.5',
    method: 'POST',
    path: `${inPerson}/post-auth`,
    summary: 'Complete a pre-authorisation',
    runs: 'configurable',
    forbids,
    input: postAuth,
  },
  refund: {
    number: '1.6',
    method: 'POST',
    path: `${inPerson}/refund`,
    summary: 'Refund a transaction, in part or in full, or without a reference',
    runs: 'configurable',
    input: refund,
  },
  void: {
    number: '1.7',
    method: 'POST',
    path: `${inPerson}/void`,
    summary: 'Void a transaction of the same day',
    runs: 'configurable',
    forbids,
    input: voiding,
  },
  abort: {
    number: '1.8',
    method: 'POST',
    path: `${inPerson}/abort`,
    summary: 'Abort a transaction that is not paid yet',
    runs: 'terminal',
    forbids,
    input: abort,
  },
  'tip-adjust': {
    number: '1.9',
    method: 'POST',
    path: `${inPerson}/tip-adjust`,
    summary: 'Replace the tip of a completed transaction',
    runs: 'cloud',
    forbids,
    input: tipAdjust,
  },
  query: {
    number: '3.1',
    method: 'GET',
    path: '/v1/transaction/query',
    summary: 'Show a transaction of any type',
    runs: 'cloud',
    input: query,
  },
} as const satisfies Record<string, Operation>

/** Name of an operation; also the name of its command. */
export type OperationName = keyof typeof operations

/** Names in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[]

/** Validated request of an operation. */
export type Input<N extends OperationName> = v.InferOutput<(typeof operations)[N]['input']>

/** What an operation that opens a transaction answers. Members per operation: wire facts of the public SDKs. */
export interface OpenedAnswer {
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly transactionStatus: StatusLetter
  readonly referenceOrderId?: string
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
}

/** What abort answers. */
export interface AbortAnswer {
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
  readonly transactionStatus: StatusLetter
}

/** What tip adjust answers. */
export interface TipAdjustAnswer {
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
  readonly tipAmount: number
}

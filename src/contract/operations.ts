import type * as v from 'valibot'
import * as requests from './requests.ts'

/** Where an operation is processed. spec: Endpoints, column Pushed to terminal */
type Runs = 'terminal' | 'configurable' | 'cloud'

/** A row of the table: everything the server, the client, the commands and the documents say of an operation. */
export interface Operation {
  /** Number in the specification; null for what only the public SDKs know. */
  readonly number: string | null
  /** The command, as it is typed. */
  readonly command: string
  readonly method: 'GET' | 'POST'
  /** A method that some SDKs use instead, for a look-up. */
  readonly otherMethod?: 'POST'
  readonly path: string
  readonly summary: string
  readonly runs: Runs
  /** Members that the specification forbids here, refused even though unknown members are ignored. */
  readonly forbids?: readonly string[]
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
}

/** spec: Rules for referenceOrderId and transactionRequestId 2 */
const forbids = ['referenceOrderId']
const inPerson = '/v1/semi-integration/transaction'
const checkout = '/v1/checkout'
const settlement = '/v1/settlement'

/** The operations of the service, in the order of the specification. spec: Endpoints */
export const operations = {
  sale: {
    command: 'sale',
    number: '1.1',
    method: 'POST',
    path: `${inPerson}/sale`,
    summary: 'Take a payment on a terminal',
    runs: 'terminal',
    input: requests.sale,
  },
  auth: {
    command: 'auth',
    number: '1.2',
    method: 'POST',
    path: `${inPerson}/auth`,
    summary: 'Pre-authorise an amount on a terminal',
    runs: 'terminal',
    input: requests.opening,
  },
  'forced-auth': {
    command: 'forced-auth',
    number: '1.3',
    method: 'POST',
    path: `${inPerson}/forced-auth`,
    summary: 'Force an authorisation on a terminal',
    runs: 'terminal',
    input: requests.opening,
  },
  'incremental-auth': {
    command: 'incremental-auth',
    number: '1.4',
    method: 'POST',
    path: `${inPerson}/incremental-auth`,
    summary: 'Raise the amount of a pre-authorisation',
    runs: 'configurable',
    forbids,
    input: requests.followUp,
  },
  'post-auth': {
    command: 'post-auth',
    number: '1.5',
    method: 'POST',
    path: `${inPerson}/post-auth`,
    summary: 'Complete a pre-authorisation',
    runs: 'configurable',
    forbids,
    input: requests.postAuth,
  },
  refund: {
    command: 'refund',
    number: '1.6',
    method: 'POST',
    path: `${inPerson}/refund`,
    summary: 'Refund a transaction, in part or in full, or without a reference',
    runs: 'configurable',
    input: requests.refund,
  },
  void: {
    command: 'void',
    number: '1.7',
    method: 'POST',
    path: `${inPerson}/void`,
    summary: 'Void a transaction of the same day',
    runs: 'configurable',
    forbids,
    input: requests.voiding,
  },
  abort: {
    command: 'abort',
    number: '1.8',
    method: 'POST',
    path: `${inPerson}/abort`,
    summary: 'Abort a transaction that is not paid yet',
    runs: 'terminal',
    forbids,
    input: requests.abort,
  },
  'tip-adjust': {
    command: 'tip-adjust',
    number: '1.9',
    method: 'POST',
    path: `${inPerson}/tip-adjust`,
    summary: 'Replace the tip of a completed transaction',
    runs: 'cloud',
    forbids,
    input: requests.tipAdjust,
  },
  'create-session': {
    command: 'checkout create',
    number: '2.1',
    method: 'POST',
    path: `${checkout}/create-session`,
    summary: 'Open a hosted payment page for an order',
    runs: 'cloud',
    input: requests.createSession,
  },
  'direct-payment': {
    command: 'checkout sale',
    number: '2.2',
    method: 'POST',
    path: `${checkout}/sale`,
    summary: 'Take an online payment from a digital wallet',
    runs: 'cloud',
    input: requests.directPayment,
  },
  'expire-session': {
    command: 'checkout expire',
    number: '2.3',
    method: 'POST',
    path: `${checkout}/expire-session`,
    summary: 'Close a hosted payment page that is not paid yet',
    runs: 'cloud',
    input: requests.expireSession,
  },
  'online-refund': {
    command: 'checkout refund',
    number: '2.4',
    method: 'POST',
    path: `${checkout}/refund`,
    summary: 'Refund an online payment, in part or in full',
    runs: 'cloud',
    forbids,
    input: requests.onlineRefund,
  },
  query: {
    command: 'query',
    number: '3.1',
    method: 'GET',
    path: '/v1/transaction/query',
    summary: 'Show a transaction of any type',
    runs: 'cloud',
    input: requests.query,
  },
  'batch-query': {
    command: 'batch query',
    number: '4.1',
    method: 'GET',
    otherMethod: 'POST',
    path: `${settlement}/batch-query`,
    summary: 'Show the open batches of a terminal with their totals',
    runs: 'cloud',
    input: requests.batchQuery,
  },
  'batch-close': {
    command: 'batch close',
    number: '4.2',
    method: 'POST',
    path: `${settlement}/batch-close`,
    summary: 'Close the open batches of a terminal and settle them',
    runs: 'cloud',
    input: requests.batchClose,
  },
  'batch-close-list': {
    command: 'batch list',
    number: null,
    method: 'GET',
    path: `${settlement}/batch-close-list`,
    summary: 'List the closed batches of a terminal',
    runs: 'cloud',
    input: requests.batchCloseList,
  },
  'merchant-query': {
    command: 'merchant show',
    number: null,
    method: 'GET',
    path: '/v1/merchant/query',
    summary: 'Show the merchant',
    runs: 'cloud',
    input: requests.merchantQuery,
  },
  'merchant-terminals': {
    command: 'merchant terminals',
    number: null,
    method: 'GET',
    path: '/v1/merchant/terminals/query',
    summary: 'List the terminals of the merchant',
    runs: 'cloud',
    input: requests.terminalsQuery,
  },
} as const satisfies Record<string, Operation>

/** Name of an operation. */
export type OperationName = keyof typeof operations

/** Names in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[]

/** Validated request of an operation. */
export type Input<N extends OperationName> = v.InferOutput<(typeof operations)[N]['input']>

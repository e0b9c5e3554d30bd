import type * as v from 'valibot'
import * as answers from './answer-schemas.ts'
import * as requests from './requests.ts'
import type { TransactionType } from './statuses.ts'

/** Where an operation is processed. docs/api.md#processing */
type RunLocation = 'terminal' | 'configurable' | 'cloud'

/** A row of the table: everything that the server, the client, the commands and the documents say of an operation. */
export interface Operation {
  /** Number in the specification; null if only the public SDKs have the operation. */
  readonly number: string | null
  /** The command, as it is typed. */
  readonly command: string
  readonly method: 'GET' | 'POST'
  /** A method that some SDKs use instead to look something up. */
  readonly otherMethod?: 'POST'
  readonly path: string
  readonly summary: string
  readonly runs: RunLocation
  /** Type of the transaction that it opens, if any. Each has an outcome; one at a terminal can be aborted. */
  readonly opens?: TransactionType
  /** The transaction waits for a shopper on a hosted page, and the answer names the page. */
  readonly opensPage?: true
  /** It ends a transaction, or a batch, that another operation opened: its command can wait for webhooks (`--wait-webhooks`). */
  readonly ends?: true
  /** The member that is the argument of its command, if any; the others are flags. */
  readonly argument?: 'originalTransactionId' | 'transactionId' | 'sessionId'
  /** The public SDKs do not accept the ids of the original in its answer. */
  readonly sdksRefuseOriginal?: true
  /** Members that the specification forbids here: refused, although unknown members are ignored. */
  readonly forbids?: readonly string[]
  /** The member whose value is hidden before a request is logged, if any. */
  readonly secret?: 'cardEncryptedData'
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** What clients require of the answer. Unknown members are allowed. */
  readonly answer: v.GenericSchema
}

/** docs/api.md#ids-2 */
const forbids = ['referenceOrderId']
const inPerson = '/v1/semi-integration/transaction'
const checkout = '/v1/checkout'
const settlement = '/v1/settlement'

/** The operations of the service, in the order of the specification. docs/api.md#operations */
export const operations = {
  sale: {
    command: 'sale',
    number: '1.1',
    method: 'POST',
    path: `${inPerson}/sale`,
    summary: 'Take a payment on a terminal',
    runs: 'terminal',
    opens: 'SALE',
    input: requests.sale,
    answer: answers.opened,
  },
  auth: {
    command: 'auth',
    number: '1.2',
    method: 'POST',
    path: `${inPerson}/auth`,
    summary: 'Pre-authorise an amount on a terminal',
    runs: 'terminal',
    opens: 'AUTH',
    input: requests.opening,
    answer: answers.opened,
  },
  'forced-auth': {
    command: 'forced-auth',
    number: '1.3',
    method: 'POST',
    path: `${inPerson}/forced-auth`,
    summary: 'Force an authorisation on a terminal',
    runs: 'terminal',
    opens: 'FORCED_AUTH',
    input: requests.opening,
    answer: answers.opened,
  },
  'incremental-auth': {
    command: 'incremental-auth',
    number: '1.4',
    method: 'POST',
    path: `${inPerson}/incremental-auth`,
    summary: 'Raise the amount of a pre-authorisation',
    runs: 'configurable',
    opens: 'INCREMENTAL',
    sdksRefuseOriginal: true,
    argument: 'originalTransactionId',
    forbids,
    input: requests.followUp,
    answer: answers.opened,
  },
  'post-auth': {
    command: 'post-auth',
    number: '1.5',
    method: 'POST',
    path: `${inPerson}/post-auth`,
    summary: 'Capture a pre-authorisation',
    runs: 'configurable',
    opens: 'POST_AUTH',
    argument: 'originalTransactionId',
    forbids,
    input: requests.postAuth,
    answer: answers.opened,
  },
  refund: {
    command: 'refund',
    number: '1.6',
    method: 'POST',
    path: `${inPerson}/refund`,
    summary: 'Refund a payment in full, in part, or without a reference',
    runs: 'configurable',
    opens: 'REFUND',
    argument: 'originalTransactionId',
    input: requests.refund,
    answer: answers.opened,
  },
  void: {
    command: 'void',
    number: '1.7',
    method: 'POST',
    path: `${inPerson}/void`,
    summary: 'Void a transaction of the same day',
    runs: 'configurable',
    opens: 'VOID',
    argument: 'originalTransactionId',
    forbids,
    input: requests.voiding,
    answer: answers.opened,
  },
  abort: {
    command: 'abort',
    number: '1.8',
    method: 'POST',
    path: `${inPerson}/abort`,
    summary: 'Abort a transaction that is not paid yet',
    runs: 'terminal',
    ends: true,
    argument: 'originalTransactionId',
    forbids,
    input: requests.abort,
    answer: answers.aborted,
  },
  'tip-adjust': {
    command: 'tip-adjust',
    number: '1.9',
    method: 'POST',
    path: `${inPerson}/tip-adjust`,
    summary: 'Replace the tip of a completed transaction',
    runs: 'cloud',
    argument: 'originalTransactionId',
    forbids,
    input: requests.tipAdjust,
    answer: answers.tipAdjusted,
  },
  'create-session': {
    command: 'checkout create',
    number: '2.1',
    method: 'POST',
    path: `${checkout}/create-session`,
    summary: 'Open a hosted payment page for an order',
    runs: 'cloud',
    opens: 'SALE',
    opensPage: true,
    input: requests.createSession,
    answer: answers.session,
  },
  'direct-payment': {
    command: 'checkout sale',
    number: '2.2',
    method: 'POST',
    path: `${checkout}/sale`,
    summary: 'Take an online payment from a digital wallet',
    runs: 'cloud',
    opens: 'SALE',
    secret: 'cardEncryptedData',
    input: requests.directPayment,
    answer: answers.directlyPaid,
  },
  'expire-session': {
    command: 'checkout expire',
    number: '2.3',
    method: 'POST',
    path: `${checkout}/expire-session`,
    summary: 'Close a hosted payment page that is not paid yet',
    runs: 'cloud',
    ends: true,
    argument: 'sessionId',
    input: requests.expireSession,
    answer: answers.expired,
  },
  'online-refund': {
    command: 'checkout refund',
    number: '2.4',
    method: 'POST',
    path: `${checkout}/refund`,
    summary: 'Refund an online payment, in part or in full',
    runs: 'cloud',
    opens: 'REFUND',
    argument: 'originalTransactionId',
    forbids,
    input: requests.onlineRefund,
    answer: answers.refundedOnline,
  },
  query: {
    command: 'query',
    number: '3.1',
    method: 'GET',
    path: '/v1/transaction/query',
    summary: 'Show a transaction of any type',
    runs: 'cloud',
    argument: 'transactionId',
    input: requests.query,
    answer: answers.record,
  },
  'batch-query': {
    command: 'batch query',
    number: '4.1',
    method: 'GET',
    otherMethod: 'POST',
    path: `${settlement}/batch-query`,
    summary: 'Show the open batches with their totals',
    runs: 'cloud',
    input: requests.batchQuery,
    answer: answers.openBatches,
  },
  'batch-close': {
    command: 'batch close',
    number: '4.2',
    method: 'POST',
    path: `${settlement}/batch-close`,
    summary: 'Close the open batches and settle them',
    runs: 'cloud',
    ends: true,
    input: requests.batchClose,
    answer: answers.batchClose,
  },
  'batch-close-list': {
    command: 'batch list',
    number: null,
    method: 'GET',
    path: `${settlement}/batch-close-list`,
    summary: 'List the closed batches',
    runs: 'cloud',
    input: requests.batchCloseList,
    answer: answers.closedBatches,
  },
  'merchant-query': {
    command: 'merchant show',
    number: null,
    method: 'GET',
    path: '/v1/merchant/query',
    summary: 'Show the merchant',
    runs: 'cloud',
    input: requests.merchantQuery,
    answer: answers.merchant,
  },
  'merchant-terminals': {
    command: 'merchant terminals',
    number: null,
    method: 'GET',
    path: '/v1/merchant/terminals/query',
    summary: 'List the terminals of the merchant',
    runs: 'cloud',
    input: requests.terminalsQuery,
    answer: answers.terminals,
  },
} as const satisfies Record<string, Operation>

/** Name of an operation. */
export type OperationName = keyof typeof operations

/** Names in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[]

/** Paths of the payment API. */
export const operationPaths: ReadonlySet<string> = new Set(
  operationNames.map((name) => operations[name].path),
)

/** Names of the operations whose rows match `F`. */
export type OperationsWith<F> = {
  [N in OperationName]: (typeof operations)[N] extends F ? N : never
}[OperationName]

/**
 * Operations that change an earlier transaction and open none; their ids are kept apart.
 * assumption: duplicates
 */
export type AmendingName = Exclude<
  OperationsWith<{ readonly method: 'POST'; readonly argument: 'originalTransactionId' }>,
  OperationsWith<{ readonly opens: TransactionType }>
>

export const isAmending = (name: string): name is AmendingName => amendingNames.some((each) => each === name)

export const amendingNames = operationNames.filter((name): name is AmendingName => {
  const { method, argument, opens }: Operation = operations[name]
  return method === 'POST' && argument === 'originalTransactionId' && opens === undefined
})

/** True for an operation that changes nothing. */
export const isLookUp = (name: OperationName): boolean => operations[name].method === 'GET'

/** True for an operation of the hosted checkout. */
export const isOnline = ({ path }: Pick<Operation, 'path'>): boolean => path.startsWith(`${checkout}/`)

/** True for an operation on batches. */
export const isSettlement = ({ path }: Pick<Operation, 'path'>): boolean => path.startsWith(`${settlement}/`)

/** Name of the member that is hidden before a request is logged; undefined without one. */
export const secretOf = (name: string | null): string | undefined =>
  (operations as Readonly<Record<string, Operation>>)[name ?? '']?.secret

/** Validated request of an operation. */
export type ServiceInput<N extends OperationName> = v.InferOutput<(typeof operations)[N]['input']>

/** Answer of an operation; for query the specification's record, with the sandbox's additions. */
export type ServiceAnswer<N extends OperationName> = v.InferOutput<(typeof operations)[N]['answer']>

import type * as v from 'valibot'
import { type OperationCallOptions as CallTimes, call } from '../../client/client.ts'
import { madeMembers } from '../../client/request/service-request.ts'
import type { OutcomeName } from '../../contract/built-in-names.ts'
import type { WrittenFault } from '../../contract/control/faults.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import { beginsOrder, memberSchemas } from '../../contract/operation-members.ts'
import {
  type FollowUpName,
  type OperationName,
  type OperationsWith,
  operationNames,
  type operations,
  type ServiceAnswer,
} from '../../contract/operations.ts'
import type { TransactionType } from '../../contract/statuses.ts'
import { packageVersion } from '../../shared/package-root.ts'
import { callRules, checkMembers, clientRules, InvalidOption, refuseUnknownNames } from './options.ts'

/** The service, and the application that calls it. Ids given here go with every request that takes them. */
export interface ClientOptions {
  readonly url: string
  readonly apiKey: string
  readonly appId?: string | undefined
  readonly merchantId?: string | undefined
  /** Terminal of in-person payments. */
  readonly terminalSn?: string | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
  /** Time limit of an answer in milliseconds; absent: 30,000. */
  readonly timeout?: number | undefined
}

/** Options of a call besides its fields. */
export interface CallOptions {
  /** X-Client-Request-Id; absent: a new one. */
  readonly clientRequestId?: string
  /** Outcome by name; ignored by the real service. */
  readonly outcome?: OutcomeName
  /** A fault to inject into the answer, such as `lost-answer`; ignored by the real service. */
  readonly fault?: WrittenFault
  /** Headers besides the generated ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** Time limit of the answer in milliseconds; absent: that of the client. */
  readonly timeout?: number
}

type CamelCase<S extends string> = S extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : S

type OrderName = Exclude<OperationsWith<{ readonly opens: TransactionType }>, FollowUpName>

type OrderRequest<N extends OrderName> = OtherMembers<N> & Price

export type SaleRequest = OrderRequest<'sale'>

/** An authorisation, also a forced one. */
export type AuthRequest = OrderRequest<'auth'>
export type CreateSessionRequest = OrderRequest<'create-session'>
export type DirectPaymentRequest = OrderRequest<'direct-payment'>

/** The original of a follow-up, by one of its ids. */
type Original = { readonly originalTransactionId: string } | { readonly originalTransactionRequestId: string }

/** Fields of a refund besides its amount. */
interface RefundMembers extends OtherMembers<'refund'> {}

/** The refunded part of an original. */
interface RefundedAmount extends Pick<Input<'refund'>, 'amount' | 'priceCurrency'> {}

type OriginalRefund = RefundMembers & RefundedAmount & Original
type UnlinkedRefund = RefundMembers & Price

/** A refund of an original, in its currency, or an unlinked one with its own. */
export type RefundRequest = OriginalRefund | UnlinkedRefund

/**
 * Fields of a request. Amounts in minor units. A request that starts an order needs a currency; a follow-up
 * uses that of its original.
 */
type OperationMembers<N extends OperationName> = N extends 'refund'
  ? RefundRequest
  : N extends OrderName
    ? OrderRequest<N>
    : RequestOf<Input<N>>

/**
 * A method for each operation of the service. Errors: InvalidOption for an unknown member; ServiceRefusal;
 * LostAnswer for a request that may have been carried out; Unreachable, ForeignAnswer.
 */
export type ServiceClient = {
  readonly [N in OperationName as CamelCase<N>]: (
    members: OperationMembers<N>,
    options?: CallOptions,
  ) => Promise<ServiceAnswer<N>>
}

/** Makes a client of the service or a sandbox, for a merchant's code. Errors: InvalidOption. */
export const createClient = (options: ClientOptions): ServiceClient => makeClient(options, 'tillbox-client')

/** Makes a client that names itself. `wall`: clock of its X-Timestamp. Errors: InvalidOption. */
export function makeClient(options: ClientOptions, agent: string, wall?: () => number): ServiceClient {
  checkClient(options)
  const { url: baseUrl, apiKey, ca, timeout } = options
  const target = { baseUrl, apiKey, ca, userAgent: `${agent}/${packageVersion()}`, wall }
  const method =
    (name: OperationName) =>
    async (members: Readonly<Record<string, unknown>> = {}, extra: CallOptions = {}) => {
      refuseUnknownNames(members, Object.keys(memberSchemas(name)), `a member of ${methodName(name)}`)
      const full = { ...partiesFor(name, options), ...members }
      const checked = callOptions(checkMembers(extra, callRules, 'a call'))
      return call(target, name, { ...full, ...madeMembers(name, full) }, { timeout, ...checked })
    }
  // The compiler cannot follow computed names: there is one method for each name of the table.
  const methods: object = Object.fromEntries(operationNames.map((name) => [methodName(name), method(name)]))
  return methods as ServiceClient
}

function checkClient(options: ClientOptions): void {
  const checkedOptions = checkMembers(options ?? {}, clientRules, 'a client')
  for (const name of ['url', 'apiKey'])
    if (checkedOptions[name] === undefined)
      throw new InvalidOption(name, 'is missing: createClient needs url and apiKey')
}

/** Calls an operation by its name. Errors: as its method. */
export type Operate = (
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  options?: CallOptions,
) => Promise<unknown>

/** The operations of a client by name. */
export const operateWith =
  (client: ServiceClient): Operate =>
  (name, members, options) =>
    (client as ByName)[methodName(name)]?.(members, options) as Promise<unknown>

type ByName = Readonly<Record<string, (members: object, options?: CallOptions) => Promise<unknown>>>

/** The ids of the client that an operation takes; `terminalSn` only for new payments. */
function partiesFor(name: OperationName, { appId, merchantId, terminalSn }: ClientOptions) {
  const entries = memberSchemas(name)
  const takes = (member: string, value: string | undefined) => member in entries && value !== undefined
  return {
    ...(takes('appId', appId) && { appId }),
    ...(takes('merchantId', merchantId) && { merchantId }),
    ...(beginsOrder(name) && takes('terminalSn', terminalSn) && { terminalSn }),
  }
}

const callOptions = ({ clientRequestId, outcome, fault, headers, timeout }: CallOptions): CallTimes => ({
  ...(clientRequestId !== undefined && { clientRequestId }),
  ...(timeout !== undefined && { timeout }),
  headers: {
    ...(outcome !== undefined && { [sandboxHeaders.outcome]: outcome }),
    ...(fault !== undefined && { [sandboxHeaders.fault]: fault }),
    ...headers,
  },
})

/** The method of an operation: `postAuth` for `post-auth`. */
const methodName = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Members that the client generates or knows when they are absent. */
type GeneratedMember =
  | 'appId'
  | 'merchantId'
  | 'terminalSn'
  | 'transactionRequestId'
  | 'referenceOrderId'
  | 'description'

type Input<N extends OperationName> = v.InferInput<(typeof operations)[N]['input']>

/** Fields of a request besides its amount and its original. */
type OtherMembers<N extends OperationName> = Omit<
  RequestOf<Input<N>>,
  'amount' | 'priceCurrency' | 'originalTransactionId' | 'originalTransactionRequestId'
>

/** Amount in minor units, and its currency beside it. */
interface PlainPrice {
  readonly amount: number
  readonly priceCurrency: string
}

/** The SDKs' amount object: its parts in minor units, and their currency. */
interface PricedAmount extends Omit<Extract<Input<'sale'>['amount'], object>, 'priceCurrency'> {
  readonly priceCurrency: string
}

/** An amount object in place of a plain amount. */
interface NestedPrice {
  readonly amount: PricedAmount
  readonly priceCurrency?: string | null | undefined
}

/** An amount with its currency. */
type Price = PlainPrice | NestedPrice

/** A request whose generated or known fields are optional. */
type RequestOf<T> = Omit<T, GeneratedMember> & { [M in keyof T & GeneratedMember]?: T[M] | undefined }

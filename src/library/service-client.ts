import { type OperationCallOptions as CallTimes, call } from '../client/client.ts'
import { madeMembers } from '../client/request/made-members.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import { beginsOrder, entriesOf } from '../contract/operation-members.ts'
import { type OperationName, operationNames, type ServiceAnswer } from '../contract/operations.ts'
import { packageVersion } from '../package-root.ts'
import type { OnlineRequests } from './online-requests.ts'
import type { Input, OtherMembers, Price, RequestOf } from './request-types.ts'
import { checkMembers, clientRules, InvalidOption } from './sandbox-options.ts'

/** Where the service is, and as whom it is called. Parties that are named here go with every request that takes them. */
export interface ClientOptions {
  readonly url: string
  readonly apiKey: string
  readonly appId?: string | undefined
  readonly merchantId?: string | undefined
  /** Terminal of payments in person. */
  readonly terminalSn?: string | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
  /** How long to wait for an answer; left out: 30,000 milliseconds. */
  readonly timeout?: number | undefined
}

/** Options of a call besides its fields. */
export interface CallOptions {
  /** X-Client-Request-Id; left out, a new one. */
  readonly clientRequestId?: string
  /** Outcome by name; only a sandbox obeys it. */
  readonly outcome?: string
  /** A fault to inject into the answer, such as `lost-answer`; only a sandbox obeys it. */
  readonly fault?: string
  /** Headers besides the generated ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds; left out, as for the client. */
  readonly timeout?: number
}

type CamelCase<S extends string> = S extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : S

/** Fields of a sale besides its price. */
interface SaleMembers extends OtherMembers<'sale'> {}
export type SaleRequest = SaleMembers & Price

/** Fields of an authorisation besides its price; also of a forced one. */
interface AuthMembers extends OtherMembers<'auth'> {}
export type AuthRequest = AuthMembers & Price

/** The transaction that a request acts on, by one of its ids. */
type Original = { readonly originalTransactionId: string } | { readonly originalTransactionRequestId: string }

/** Fields of a refund besides its amount. */
interface RefundMembers extends OtherMembers<'refund'> {}

/** How much of its original a refund gives back. */
interface RefundedAmount extends Pick<Input<'refund'>, 'amount' | 'priceCurrency'> {}

type OriginalRefund = RefundMembers & RefundedAmount & Original
type UnlinkedRefund = RefundMembers & Price

/** Of an original, whose currency it has; without one, with a currency. */
export type RefundRequest = OriginalRefund | UnlinkedRefund

/** Requests that have a name. */
interface NamedRequests extends OnlineRequests {
  readonly sale: SaleRequest
  readonly auth: AuthRequest
  readonly 'forced-auth': AuthRequest
  readonly refund: RefundRequest
}

/**
 * Fields of a request. Amounts in minor units. A request that starts an order names its currency; a follow-up uses that
 * of its original.
 */
type OperationMembers<N extends OperationName> = N extends keyof NamedRequests
  ? NamedRequests[N]
  : RequestOf<Input<N>>

/**
 * A method for each operation of the service. Errors: ServiceRefusal; LostAnswer where the request may have been carried
 * out; Unreachable, ForeignAnswer.
 */
export type ServiceClient = {
  readonly [N in OperationName as CamelCase<N>]: (
    members: OperationMembers<N>,
    options?: CallOptions,
  ) => Promise<ServiceAnswer<N>>
}

/** Makes a client of the service, or of a sandbox. Nothing is sent before a method is called. Errors: InvalidOption. */
export function createClient(options: ClientOptions): ServiceClient {
  checkClient(options)
  const { url: baseUrl, apiKey, ca, timeout } = options
  const target = { baseUrl, apiKey, ca, userAgent: `tillbox-library/${packageVersion()}` }
  const method =
    (name: OperationName) =>
    (members: Readonly<Record<string, unknown>> = {}, given: CallOptions = {}) => {
      const known = { ...partiesFor(name, options), ...members }
      return call(target, name, { ...known, ...madeMembers(name, known) }, { timeout, ...callOptions(given) })
    }
  // The compiler does not follow names that are made: one method for each name of the table.
  return Object.fromEntries(
    operationNames.map((name) => [camelCase(name), method(name)]),
  ) as unknown as ServiceClient
}

function checkClient(options: ClientOptions): void {
  const given = checkMembers(options ?? {}, clientRules, 'a client')
  for (const name of ['url', 'apiKey'])
    if (given[name] === undefined)
      throw new InvalidOption(name, 'is missing: createClient needs url and apiKey')
}

/** Calls the operation with that name. Errors: as its method. */
export const callNamed = (
  client: ServiceClient,
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  options?: CallOptions,
): Promise<unknown> => (client as unknown as ByName)[camelCase(name)]?.(members, options) as Promise<unknown>

type ByName = Readonly<Record<string, (members: object, options?: CallOptions) => Promise<unknown>>>

/** The parties of an operation; the terminal applies only to new payments: follow-ups go to that of the original. */
function partiesFor(name: OperationName, { appId, merchantId, terminalSn }: ClientOptions) {
  const entries = entriesOf(name)
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

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

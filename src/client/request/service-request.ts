import { createHash, randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { beginsOrder, madeDescription, memberSchemas, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { wallTime } from '../../shared/timers.ts'

/** The service to call, and the application to call it as. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: string
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  /** Token for the control interface of a sandbox. */
  readonly token?: string | undefined
  /** As in `SandboxAddress`. */
  readonly elsewhere?: string | undefined
  readonly doubt?: Error | undefined
  /** User agent, such as `tillbox/0.2.0`. */
  readonly userAgent: string
  /** Clock of X-Timestamp in milliseconds; absent: that of the process. */
  readonly wall?: (() => number) | undefined
}

/** Options of a request besides its members. */
export interface RequestOptions {
  /** X-Client-Request-Id; absent: a new one. */
  readonly clientRequestId?: string | undefined
  /** Headers besides the generated ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An HTTP request, ready to send. */
export interface ServiceRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The request of an operation. */
export function operationRequest(
  target: Target,
  name: OperationName,
  members: Members,
  options: RequestOptions,
): ServiceRequest {
  const { method, path } = operations[name]
  const { url, body } = urlAndBody(method, target.baseUrl, path, members)
  return { method, url, headers: { ...serviceHeaders(target, options), ...options.headers }, body }
}

/** The headers that the service requires. docs/api.md#authentication-1, docs/api.md#authentication-3 */
export const serviceHeaders = (
  { apiKey, userAgent, wall = wallTime }: Pick<Target, 'apiKey' | 'userAgent' | 'wall'>,
  { clientRequestId = randomUUID() }: Pick<RequestOptions, 'clientRequestId'>,
): Record<string, string> => ({
  [headerNames.authorization]: `Bearer ${apiKey}`,
  [headerNames.contentType]: 'application/json',
  [headerNames.clientRequestId]: clientRequestId,
  [headerNames.timestamp]: String(wall()),
  'User-Agent': userAgent,
})

/** The headers of a control request, which needs no API key. */
export const controlHeaders = (token: string | undefined, hasBody: boolean): Record<string, string> => ({
  ...(hasBody && { [headerNames.contentType]: 'application/json' }),
  ...(token && { [sandboxHeaders.token]: token }),
})

/** Puts members into the query of a GET, else into the body. Keeps a path prefix of the base URL. */
export function urlAndBody(method: string, baseUrl: string, path: string, members?: Members) {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  if (method !== 'GET') return { url, body: members && JSON.stringify(members) }
  for (const [key, value] of Object.entries(members ?? {}))
    if (value !== undefined) url.searchParams.set(key, inQuery(value))
  return { url, body: undefined }
}

const inQuery = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** The ids and the description of a request, generated where they are absent. assumption: cli-input */
export function madeMembers(name: OperationName, members: Members): Members {
  const transactionRequestId = members.transactionRequestId ?? randomUUID()
  const { referenceOrderId = orderIdFor(transactionRequestId), description = madeDescription(name) } = members
  return {
    ...(needs(name, 'transactionRequestId') && { transactionRequestId }),
    ...(beginsOrder(name) && { referenceOrderId }),
    ...('description' in memberSchemas(name) && { description }),
  }
}

/** The generated order id depends on the request id alone, so that a repeated request sends the same. */
const orderIdFor = (transactionRequestId: unknown): string =>
  `TBX-${createHash('sha256').update(String(transactionRequestId)).digest('hex').slice(0, 18)}`

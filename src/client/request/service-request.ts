import { randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { wallTime } from '../../timers.ts'

/** Where to send requests, and as whom. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: string
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  /** What the control interface of a sandbox wants, when it was started with a token. */
  readonly token?: string | undefined
  /** Names the caller: `tillbox/0.2.0`. */
  readonly userAgent: string
}

/** What a request has beside its members. */
export interface RequestOptions {
  /** X-Client-Request-Id; left out, a new one. */
  readonly clientRequestId?: string | undefined
  /** Added to the headers that are made. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as it goes over the wire. */
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

/** The headers that the service asks for. docs/api.md#authentication-1, docs/api.md#authentication-3 */
export const serviceHeaders = (
  { apiKey, userAgent }: Pick<Target, 'apiKey' | 'userAgent'>,
  { clientRequestId = randomUUID() }: Pick<RequestOptions, 'clientRequestId'>,
): Record<string, string> => ({
  [headerNames.authorization]: `Bearer ${apiKey}`,
  [headerNames.contentType]: 'application/json',
  [headerNames.clientRequestId]: clientRequestId,
  [headerNames.timestamp]: String(wallTime()),
  'User-Agent': userAgent,
})

/** The headers of the control interface; it needs no API key. */
export const controlHeaders = (token: string | undefined, hasBody: boolean): Record<string, string> => ({
  ...(hasBody && { [headerNames.contentType]: 'application/json' }),
  ...(token && { [sandboxHeaders.token]: token }),
})

/** Members as the method carries them: a GET in its query, any other in its body. A path prefix of the base stays. */
export function urlAndBody(method: string, baseUrl: string, path: string, members?: Members) {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  if (method !== 'GET') return { url, body: members && JSON.stringify(members) }
  for (const [key, value] of Object.entries(members ?? {})) url.searchParams.set(key, inQuery(value))
  return { url, body: undefined }
}

const inQuery = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

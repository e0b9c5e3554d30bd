import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { reject } from '../contract/errors.ts'
import { bearerPattern, limits, sandboxHeaders, timestampPattern, uuidPattern } from '../contract/headers.ts'
import type { Directory } from '../engine/directory.ts'
import { type ApplicationProfile, outcomeNamed, outcomes } from '../fixtures.ts'
import { suggestion } from '../text/suggest.ts'

/** What a request brings along: its connection, where there is one. */
export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    /** True where the caller need not be this machine. */
    mayBeRemote?: boolean
  }
}

/** Every request's context. */
export type Call = Context<Env>

/** A header by its lower-case name. Node has decoded them already where there is a connection. */
export function headerOf(call: Call, name: string): string | undefined {
  const headers = call.env?.incoming?.headers
  return headers === undefined ? call.req.header(name) : (headers[name] as string | undefined)
}

/** The origin that the caller used. */
export function originOf(call: Call): string {
  const { protocol, host } = new URL(call.req.url)
  return `${protocol}//${headerOf(call, 'host') ?? host}`
}

/** A request that passed the guard. */
export interface AuthenticatedCall {
  readonly application: ApplicationProfile
  /** X-Client-Request-Id with dashes and in lower case, however it was sent. */
  readonly clientRequestId: string
  /** Outcome by name, from X-Sandbox-Outcome. */
  readonly outcome: string | null
}

/** True for a body whose length is only known when it has been read. */
export const isChunked = (call: Call): boolean => headerOf(call, 'transfer-encoding') !== undefined

/** Errors: SBX_TOO_LARGE for a body that is announced as too long. assumption: body-limit */
export function guardLength(call: Call): void {
  const length = Number(headerOf(call, 'content-length') ?? 0)
  if (length > limits.body) reject('SBX_TOO_LARGE', { field: 'body', detail: `it has ${length} bytes` })
}

/** True when the client closed the connection before it had sent the whole request. assumption: leaving */
export function hasLeft(call: Call): boolean {
  const incoming = call.env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}

/** Counts a chunked body while it is read. Errors: SBX_TOO_LARGE. assumption: body-limit */
export async function limitChunks(call: Call): Promise<void> {
  const limit = bodyLimit({
    maxSize: limits.body,
    onError: () =>
      reject('SBX_TOO_LARGE', { field: 'body', detail: `it has more than ${limits.body} bytes` }),
  })
  await limit(call, async () => undefined)
}

/**
 * Checks the headers in their order: authorization, key, address, timestamp, request id. Times are wall-clock time.
 * spec: Authentication 1, 3, 6, 7; Limits. Errors: Refusal.
 */
export function guardHeaders(call: Call, directory: Directory, now: number): AuthenticatedCall {
  const application = directory.authenticate(keyOf(headerOf(call, 'authorization')), now)
  guardAddress(call, directory, application)
  guardTimestamp(headerOf(call, 'x-timestamp'), now)
  const clientRequestId = clientRequestIdOf(headerOf(call, 'x-client-request-id'))
  return { application, clientRequestId, outcome: outcomeOf(headerOf(call, 'x-sandbox-outcome')) }
}

/** spec: Authentication 1 */
function keyOf(header: string | undefined): string {
  if (header === undefined) reject('SBX_AUTH_MISSING', { field: 'Authorization' })
  const key = bearerPattern.exec(header)?.[1]
  return key ?? reject('SBX_AUTH_FORMAT', { field: 'Authorization' })
}

/** spec: Authentication 6 */
function guardAddress(call: Call, directory: Directory, application: ApplicationProfile): void {
  if (directory.allowListOf(application).length === 0) return
  const address = addressOf(call)
  if (!directory.allows(application, address))
    reject('SBX_IP_BLOCKED', { detail: `the address is ${address}` })
}

/** Address of the caller; a request without a connection counts as loopback. */
export const addressOf = (call: Call): string =>
  (call.env?.incoming?.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '')

/** spec: Authentication 3, X-Timestamp; Limits, Timestamp deviation */
function guardTimestamp(header: string | undefined, now: number): void {
  const field = 'X-Timestamp'
  if (header === undefined) reject('SBX_TIME_MISSING', { field })
  if (/^\d{10}$/.test(header))
    reject('SBX_TIME_FORMAT', { field, detail: 'it has 10 digits: that is seconds; send milliseconds' })
  if (!timestampPattern.test(header)) reject('SBX_TIME_FORMAT', { field, detail: 'it is not 13 digits' })
  const deviation = Number(header) - now
  if (Math.abs(deviation) > limits.timestampDeviation)
    reject('SBX_TIME_SKEW', {
      field,
      detail: `it is ${Math.round(Math.abs(deviation) / 1000)} s ${deviation > 0 ? 'ahead of' : 'behind'} service time`,
    })
}

/** spec: Authentication 3, X-Client-Request-Id */
function clientRequestIdOf(header: string | undefined): string {
  const field = 'X-Client-Request-Id'
  if (header === undefined) reject('SBX_REQ_ID_NONE', { field })
  if (!uuidPattern.test(header)) reject('SBX_REQ_ID_FORM', { field })
  const dashed = header.length === 36 ? header : header.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return dashed.toLowerCase()
}

/** assumption: outcome-order */
function outcomeOf(header: string | undefined): string | null {
  if (header === undefined) return null
  if (outcomeNamed(header) !== undefined) return header
  const detail = suggestion(
    header,
    outcomes.map(({ name }) => name),
  )
  return reject('SBX_OUTCOME', { field: sandboxHeaders.outcome, detail })
}

/** spec: Authentication 3, Content-Type. The strict form takes no parameters. assumption: content-type */
export function guardContentType(call: Call, strict: boolean): void {
  const header = headerOf(call, 'content-type')
  const accepted = strict
    ? header === 'application/json'
    : header !== undefined && /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(header)
  if (!accepted)
    reject('SBX_MEDIA_TYPE', {
      field: 'Content-Type',
      detail: header === undefined ? 'it is missing' : 'it is another type',
    })
}

import { reject } from '../contract/errors.ts'
import {
  bearerPattern,
  clientRequestIdPattern,
  limits,
  sandboxHeaders,
  timestampPattern,
  uuidPattern,
} from '../contract/headers.ts'
import { momentOf, readFault } from '../contract/sandbox/faults.ts'
import type { Directory } from '../engine/directory.ts'
import type { ApplicationProfile, Catalogue } from '../fixtures.ts'
import { addressOf, type Call, headerOf } from '../http/call.ts'
import { suggestion } from '../text/suggest.ts'

/** A request that passed the guard. */
export interface AuthenticatedCall {
  readonly application: ApplicationProfile
  /** X-Client-Request-Id: a UUID with dashes and in lower case, however it was sent; any other id as it is. */
  readonly clientRequestId: string
  /** Outcome by name, from X-Sandbox-Outcome. */
  readonly outcome: string | null
  /** A fault as it is written, from X-Sandbox-Fault. */
  readonly faultHeader: string | null
}

/**
 * Checks the headers in their order: authorization, key, address, timestamp, request id. Times are wall-clock time.
 * docs/api.md#authentication, docs/api.md#limits. Errors: Refusal.
 */
export function guardHeaders(
  call: Call,
  { catalogue, directory }: { readonly catalogue: Catalogue; readonly directory: Directory },
  now: number,
  strict: boolean,
): AuthenticatedCall {
  const application = directory.authenticate(keyOf(headerOf(call, 'authorization')), now)
  guardAddress(call, directory, application)
  guardTimestamp(headerOf(call, 'x-timestamp'), now)
  const clientRequestId = clientRequestIdOf(headerOf(call, 'x-client-request-id'), strict)
  return {
    application,
    clientRequestId,
    outcome: outcomeOf(headerOf(call, 'x-sandbox-outcome'), catalogue),
    faultHeader: faultHeaderOf(headerOf(call, 'x-sandbox-fault')),
  }
}

/** docs/api.md#authentication-1 */
function keyOf(header: string | undefined): string {
  if (header === undefined) reject('SBX_AUTH_MISSING', { field: 'Authorization' })
  const key = bearerPattern.exec(header)?.[1]
  return key ?? reject('SBX_AUTH_FORMAT', { field: 'Authorization' })
}

/** docs/api.md#authentication-6 */
function guardAddress(call: Call, directory: Directory, application: ApplicationProfile): void {
  if (directory.allowListOf(application).length === 0) return
  const address = addressOf(call)
  if (!directory.allows(application, address))
    reject('SBX_IP_BLOCKED', { detail: `the address is ${address}` })
}

/** docs/api.md#header-x-timestamp, docs/api.md#limit-timestamp */
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

/** docs/api.md#header-x-client-request-id. assumption: request-id-form */
function clientRequestIdOf(header: string | undefined, strict: boolean): string {
  const field = 'X-Client-Request-Id'
  if (header === undefined) reject('SBX_REQ_ID_NONE', { field })
  if (uuidPattern.test(header)) {
    const dashed = header.length === 36 ? header : header.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return dashed.toLowerCase()
  }
  if (!clientRequestIdPattern.test(header))
    reject('SBX_REQ_ID_FORM', {
      field,
      detail: 'it is not 1 to 64 printable ASCII characters without spaces',
    })
  if (strict) reject('SBX_REQ_ID_FORM', { field, detail: 'it is not a UUID, which --strict requires' })
  return header
}

/** Notes on headers that are accepted here and may not be by the real service. assumption: request-id-form, content-type */
export function notesOnHeaders(
  call: Call,
  { clientRequestId }: AuthenticatedCall,
  hasBody: boolean,
): readonly string[] {
  const notes: string[] = []
  if (!uuidPattern.test(clientRequestId))
    notes.push('X-Client-Request-Id: is not a UUID, which the specification asks for')
  if (hasBody && headerOf(call, 'content-type') !== plainType)
    notes.push(
      `Content-Type: is not exactly ${plainType}; the real service was reported to answer that with C17`,
    )
  return notes
}

/** assumption: outcome-order */
function outcomeOf(header: string | undefined, { outcomeNamed, outcomes }: Catalogue): string | null {
  if (header === undefined) return null
  if (outcomeNamed(header) !== undefined) return header
  const detail = suggestion(
    header,
    outcomes.map(({ name }) => name),
  )
  return reject('SBX_OUTCOME', { field: sandboxHeaders.outcome, detail })
}

/** Whether a Content-Type is required, and without parameters. */
export interface ContentTypeOptions {
  readonly strict: boolean
  readonly strictContentType: boolean
}

/**
 * Required where there is a body, or everywhere; the strict form takes no parameters.
 * docs/api.md#header-content-type. assumption: content-type. Errors: SBX_MEDIA_TYPE.
 */
export function guardContentType(
  call: Call,
  hasBody: boolean,
  { strict, strictContentType }: ContentTypeOptions,
): void {
  if (!hasBody && !strictContentType) return
  const header = headerOf(call, 'content-type')
  if (header === plainType || (!strict && header !== undefined && withCharset.test(header))) return
  reject('SBX_MEDIA_TYPE', { field: 'Content-Type', detail: whatIsWrongWith(header) })
}

const plainType = 'application/json'
const withCharset = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i

function whatIsWrongWith(header: string | undefined): string {
  if (header === undefined) return 'it is missing'
  return withCharset.test(header)
    ? 'it has parameters or capitals, which --strict refuses'
    : 'it is another type'
}

/** assumption: api-faults */
function faultHeaderOf(header: string | undefined): string | null {
  if (header === undefined) return null
  const fault = readFault(header)
  const isOfWebhooks = typeof fault === 'object' && momentOf(fault) === 'webhook'
  const detail = isOfWebhooks ? `${fault.kind} is a fault of webhooks, not of answers` : fault
  return typeof detail === 'object' ? header : reject('SBX_FAULT', { field: sandboxHeaders.fault, detail })
}

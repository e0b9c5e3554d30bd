import {
  answerFaultKinds,
  type Fault,
  faultMoment,
  isFault,
  reachOf,
  readFault,
  type WrongFault,
} from '../../contract/control/faults.ts'
import type { Behaviour } from '../../contract/control/sandbox-options.ts'
import { Refusal, reject, rejectUnknown } from '../../contract/errors.ts'
import {
  bearerPattern,
  clientRequestIdPattern,
  limits,
  sandboxHeaders,
  timestampPattern,
  uuidPattern,
} from '../../contract/headers.ts'
import type { OperationName } from '../../contract/operations.ts'
import { traceparentFrom } from '../../contract/trace-context.ts'
import type { ApplicationProfile, Catalogue } from '../../domain/fixtures.ts'
import { durationInWords } from '../../shared/text/duration-words.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import type { Directory } from '../engine/directory.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import { type Call, callerAddress, headerOf } from '../http/call.ts'

/** A request that passed the guard. */
export interface AuthenticatedCall {
  readonly application: ApplicationProfile
  /** X-Client-Request-Id: a UUID in lower case with dashes, however it was sent; any other id unchanged. */
  readonly clientRequestId: string
  /** Outcome by name, from X-Sandbox-Outcome. */
  readonly outcome: string | null
  /** Fault in its written form, from X-Sandbox-Fault. */
  readonly faultHeader: string | null
  readonly traceparent?: string | undefined
}

/** How strictly headers are read. */
export type HeaderOptions = Pick<
  Behaviour,
  'requestIds' | 'charset' | 'extras' | 'strict' | 'strictContentType'
>

/** What headers are checked against. */
interface HeaderContext {
  readonly catalogue: Catalogue
  readonly directory: Directory
  /** Keys expire by the sandbox clock; X-Timestamp is checked against the wall clock. */
  readonly clock: ReadableClock
}

/**
 * Checks the headers in this order: authorization, key, address, timestamp, request id, sandbox headers,
 * content type. The first failure is the answer; with extras it also lists the others.
 * docs/api.md#authentication, docs/api.md#limits. assumption: order-of-handling
 */
export function guardHeaders(
  call: Call,
  operation: OperationName,
  { catalogue, directory, clock }: HeaderContext,
  hasBody: boolean,
  options: HeaderOptions,
): AuthenticatedCall {
  const { extras } = options
  const checks = {
    application: () => {
      const key = requireApiKey(call, options)
      const application = directory.authenticate(key, clock.now())
      guardAddress(call, directory, application)
      return application
    },
    timestamp: () => guardTimestamp(call, clock.wall()),
    clientRequestId: () => requireClientRequestId(call, options.requestIds === 'uuid'),
    outcome: () => (extras ? parseOutcome(headerOf(call, 'x-sandbox-outcome'), catalogue) : null),
    faultHeader: () => (extras ? parseFaultHeader(headerOf(call, 'x-sandbox-fault'), operation) : null),
    contentType: () => guardContentType(call, hasBody, options),
  }
  try {
    const application = checks.application()
    checks.timestamp()
    const clientRequestId = checks.clientRequestId()
    const [outcome, faultHeader] = [checks.outcome(), checks.faultHeader()]
    checks.contentType()
    const traceparent = extras ? traceparentFrom(headerOf(call, 'traceparent')) : undefined
    return { application, clientRequestId, outcome, faultHeader, traceparent }
  } catch (error) {
    throw error instanceof Refusal && extras
      ? error.with(collectRefusals(Object.values(checks)).slice(1))
      : error
  }
}

const collectRefusals = (checks: readonly (() => unknown)[]): Refusal[] =>
  checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      if (error instanceof Refusal) return [error]
      throw error
    }
  })

/** docs/api.md#authentication-1. assumption: header-forms */
function requireApiKey(call: Call, { strict }: HeaderOptions): string {
  const header = headerOf(call, 'authorization')
  if (header === undefined) reject('SBX_AUTH_MISSING', { field: 'Authorization' })
  const detail = timesSent(call, 'authorization')
  if (detail !== undefined) reject('SBX_AUTH_FORMAT', { field: 'Authorization', detail })
  const key = bearerPattern.exec(header)?.[1]
  if (key !== undefined && strict && !isBearerAsWritten(header))
    reject('SBX_AUTH_FORMAT', { field: 'Authorization', detail: `it ${otherCase}` })
  return key ?? reject('SBX_AUTH_FORMAT', { field: 'Authorization' })
}

const isBearerAsWritten = (header: string): boolean => header.startsWith('Bearer ')
const otherCase = 'does not write Bearer as the specification does'

/** docs/api.md#authentication-6 */
function guardAddress(call: Call, directory: Directory, application: ApplicationProfile): void {
  if (directory.allowListOf(application).length === 0) return
  const address = callerAddress(call)
  if (!directory.allows(application, address))
    reject('SBX_IP_BLOCKED', { detail: `the address is ${address}` })
}

/**
 * What is wrong with a header that was sent more than once; `name` in lower case. Its values are joined with
 * commas, but of Authorization and Content-Type Node keeps the first alone. assumption: header-forms
 */
function timesSent(call: Call, name: string): string | undefined {
  const { rawHeaders = [] } = call.env?.incoming ?? {}
  const isNamed = (each: string, index: number) =>
    each.length === name.length && index % 2 === 0 && each.toLowerCase() === name
  const times = Math.max(rawHeaders.filter(isNamed).length, headerOf(call, name)?.split(', ').length ?? 0)
  return times > 1 ? `it was sent ${times} times` : undefined
}

/** docs/api.md#header-x-timestamp, docs/api.md#limit-timestamp */
function guardTimestamp(call: Call, now: number): void {
  const field = 'X-Timestamp'
  const header = headerOf(call, 'x-timestamp')
  if (header === undefined) reject('SBX_TIME_MISSING', { field })
  if (/^\d{10}$/.test(header))
    reject('SBX_TIME_FORMAT', { field, detail: 'it has 10 digits: that is seconds; send milliseconds' })
  if (!timestampPattern.test(header))
    reject('SBX_TIME_FORMAT', { field, detail: timesSent(call, 'x-timestamp') ?? 'it is not 13 digits' })
  const deviation = Number(header) - now
  if (Math.abs(deviation) > limits.timestampDeviation)
    reject('SBX_TIME_SKEW', {
      field,
      detail: `it is ${durationInWords(Math.abs(deviation))} ${deviation > 0 ? 'ahead of' : 'behind'} service time`,
    })
}

/** docs/api.md#header-x-client-request-id. assumption: request-id-form */
function requireClientRequestId(call: Call, mustBeUuid: boolean): string {
  const field = 'X-Client-Request-Id'
  const header = headerOf(call, 'x-client-request-id')
  if (header === undefined) reject('SBX_REQ_ID_NONE', { field })
  if (uuidPattern.test(header)) {
    const dashed = header.length === 36 ? header : header.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return dashed.toLowerCase()
  }
  if (!clientRequestIdPattern.test(header))
    reject('SBX_REQ_ID_FORM', {
      field,
      detail:
        timesSent(call, 'x-client-request-id') ??
        'it is not 1 to 64 printable ASCII characters without spaces',
    })
  if (mustBeUuid)
    reject('SBX_REQ_ID_FORM', { field, detail: 'it is not a UUID, which the option requestIds requires' })
  return header
}

/** Notes on headers that the real service may refuse. assumption: request-id-form, header-forms */
export function notesOnHeaders(
  call: Call,
  { clientRequestId }: AuthenticatedCall,
  hasBody: boolean,
  { extras }: HeaderOptions,
): readonly string[] {
  const notes: string[] = extras ? [] : notesOnSandboxHeaders(call)
  if (!isBearerAsWritten(headerOf(call, 'authorization') ?? '')) notes.push(`Authorization: ${otherCase}`)
  if (!uuidPattern.test(clientRequestId))
    notes.push('X-Client-Request-Id: is not a UUID, which the specification asks for')
  if (hasBody && headerOf(call, 'content-type') !== plainType)
    notes.push(
      `Content-Type: is not exactly ${plainType}; the real service was reported to answer that with C17`,
    )
  return notes
}

/** Notes on sandbox headers, which are ignored without extras. assumption: extras */
const notesOnSandboxHeaders = (call: Call): string[] =>
  [sandboxHeaders.outcome, sandboxHeaders.fault]
    .filter((name) => headerOf(call, name) !== undefined)
    .map((name) => `${name}: is ignored without extras; the real service knows no such header`)

/** The outcome that a header names; null for none. assumption: outcome-order */
export function parseOutcome(
  header: string | undefined,
  { outcomeNamed, outcomes }: Catalogue,
): string | null {
  if (header === undefined) return null
  const known = outcomeNamed(header)
  if (known !== undefined) return known.name
  const suggested = suggestion(
    header,
    outcomes.map(({ name }) => name),
  )
  const message = `There is no outcome ${header.slice(0, 64)}`
  return rejectUnknown('SBX_OUTCOME', sandboxHeaders.outcome, message, suggested)
}

/**
 * Requires Content-Type with a body, or always with `strictContentType`. docs/api.md#header-content-type.
 * assumption: header-forms
 */
function guardContentType(call: Call, hasBody: boolean, { strictContentType, charset }: HeaderOptions): void {
  if (!hasBody && !strictContentType) return
  const header = headerOf(call, 'content-type')
  const repeated = timesSent(call, 'content-type')
  if (header === plainType && repeated === undefined) return
  if (header === undefined || repeated !== undefined || !withCharset.test(header)) {
    const [, charset] = /^application\/json\s*;.*\bcharset\s*=\s*"?([\w-]+)/i.exec(header ?? '') ?? []
    const other = charset === undefined ? 'it is another type' : `its charset is ${charset}; JSON is UTF-8`
    reject('SBX_MEDIA_TYPE', {
      field: 'Content-Type',
      detail: header === undefined ? 'it is missing' : (repeated ?? other),
    })
  }
  if (charset === 'refuse')
    reject('C17', {
      field: 'Content-Type',
      detail: `'${header}' is not exactly ${plainType}`,
      remedy: `Send Content-Type: ${plainType}, without a charset`,
      message: 'Bad Request', // as it was reported of the real service
    })
}

const plainType = 'application/json'
const withCharset = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i

/** assumption: api-faults */
function parseFaultHeader(header: string | undefined, operation: OperationName): string | null {
  if (header === undefined) return null
  const wrong = wrongFault(readFault(header, answerFaultKinds), header, operation)
  return wrong === undefined ? header : reject('SBX_FAULT', { field: sandboxHeaders.fault, detail: wrong })
}

function wrongFault(fault: Fault | WrongFault, header: string, operation: OperationName): string | undefined {
  if (!isFault(fault)) return `${header.slice(0, 64)} ${fault.wrong}: ${fault.remedy}`
  if (faultMoment(fault) === 'webhook') return `${fault.kind} is a fault of webhooks, not of answers`
  if (fault.kind === 'outcome')
    return `the header ${sandboxHeaders.outcome} names the outcome of a single request`
  const reach = reachOf(fault)
  return reach.includes(operation) ? undefined : `${header} is a fault of ${reach.join(', ')}`
}

import type { HandlerResult } from '../answering/answer.ts'
import { type ErrorCode, errorTable, Refusal } from '../contract/errors.ts'
import type { OperationName } from '../contract/operations.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type IsSame, requestUnder } from '../domain/rules/duplicates.ts'
import type { RequestMark, State } from '../domain/state.ts'
import { fingerprintOf } from '../engine/identifiers.ts'
import type { ApplicationProfile } from '../fixtures.ts'
import { canonicalText } from './canonical-text.ts'
import type { AuthenticatedCall } from './guard.ts'
import type { ServiceContext } from './service-context.ts'

/** A POST whose headers passed. */
export interface SentRequest extends AuthenticatedCall {
  readonly operation: OperationName
  /** Wall-clock time in milliseconds. */
  readonly receivedAt: number
  /** The body as it came. */
  readonly body: string
  /** The checked members; null for a request that was refused before it had any. */
  input: object | null
}

/** What is kept of a POST under its X-Client-Request-Id; its fingerprint tells whether a repeated one is the same. */
export const markOf = (request: SentRequest): RequestMark => ({
  key: `${request.application.appId} ${request.clientRequestId}`,
  at: request.receivedAt,
  fingerprint: fingerprintOf(
    request.operation,
    request.outcome,
    request.input === null ? request.body : canonicalText(request.input),
  ),
})

/**
 * Tells a fingerprint of the same request: of the same members, however they are written. Up to format 3 of the state
 * fingerprints were of the body, byte for byte; one of those is found by an equal body. assumption: duplicates
 */
export const sameAs =
  ({ operation, outcome, body }: SentRequest, { fingerprint }: RequestMark): IsSame =>
  (stored) =>
    stored === fingerprint || stored === fingerprintOf(operation, outcome, body)

/**
 * A POST uses its X-Client-Request-Id up once its headers passed: one that is refused after that is remembered with its
 * refusal, durably, before the refusal is answered. Nothing else changes. assumption: duplicates
 */
export async function usingUpId(
  { engine }: ServiceContext,
  request: SentRequest,
  handle: () => Promise<HandlerResult> | HandlerResult,
): Promise<HandlerResult> {
  try {
    return await handle()
  } catch (error) {
    if (!(error instanceof Refusal) || isTransport(error.code)) throw error
    if (engine.isReloading) await engine.ready() // then the state is another one
    const mark = { ...markOf(request), refusal: refusalIn(error) }
    const home = homeOf(engine.state, request.application)
    if (home !== undefined && requestUnder(engine.state, mark) === undefined)
      await engine.rememberRequest(home, mark)
    throw error
  }
}

/** Of what never reached the service, as far as a client can tell. assumption: failed-write, api-faults */
const isTransport = (code: ErrorCode): boolean => code === 'SBX_STORE_FAIL' || code === 'SBX_INJECTED'

/** What is kept of a refusal; what its code says by itself is left out. */
const refusalIn = ({ code, field, detail, remedy }: Refusal): NonNullable<RequestMark['refusal']> => ({
  code,
  ...(field !== undefined && { field }),
  ...(detail !== undefined && { detail }),
  ...(remedy !== errorTable[code].remedy && { remedy }),
})

/**
 * The ledger whose journal keeps the mark of a refused request, whichever merchant it named: that of the application's
 * first merchant, or else any. Marks are the application's, wherever they are kept.
 */
const homeOf = ({ ledgers }: State, { merchants }: ApplicationProfile): Ledger | undefined =>
  ledgers.get(merchants[0]?.merchantId ?? '') ?? ledgers.values().next().value

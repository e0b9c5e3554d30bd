import { type ErrorCode, errorTable, Refusal, reject } from '../../contract/errors.ts'
import type { ApplicationProfile } from '../../domain/fixtures.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { requestUnder } from '../../domain/rules/duplicates.ts'
import type { RequestMark, State } from '../../domain/state.ts'
import type { HandlerResult } from '../answering/answer.ts'
import { fingerprintOf } from '../engine/identifiers.ts'
import type { GuardedRequest, ServiceContext } from './request-context.ts'

/** The mark of a POST, stored by X-Client-Request-Id; the fingerprint is that of equal members. */
export const requestMark = (request: GuardedRequest): RequestMark => ({
  key: `${request.application.appId} ${request.clientRequestId}`,
  at: request.receivedAt,
  fingerprint: fingerprintOf(
    request.operation,
    request.outcome,
    request.input === null ? request.body : canonicalText(request.input),
  ),
})

/**
 * Handles a POST, which uses up its X-Client-Request-Id once its headers have passed: a refusal after that is
 * stored durably before it is answered. Nothing else changes. assumption: duplicates
 */
export async function usingUpId(
  { engine }: ServiceContext,
  request: GuardedRequest,
  handle: () => Promise<HandlerResult> | HandlerResult,
): Promise<HandlerResult> {
  try {
    return await handle()
  } catch (error) {
    if (!(error instanceof Refusal) || isTransport(error.code)) throw error
    if (engine.isReloading) await engine.ready() // the reload replaces the state
    const mark = { ...requestMark(request), refusal: refusalIn(error) }
    const home = ledgerForMark(engine.state, request.application)
    if (home !== undefined && requestUnder(engine.state, mark) === undefined)
      await engine.rememberRequest(home, mark)
    else if (!(await engine.written())) reject('SBX_STORE_FAIL') // the first request did not happen
    throw error
  }
}

/** True if, to the client, the request never reached the service. assumption: failed-write, api-faults */
const isTransport = (code: ErrorCode): boolean => code === 'SBX_STORE_FAIL' || code === 'SBX_INJECTED'

/** The stored form of a refusal, without what the error table says anyway. */
const refusalIn = ({ code, field, message, detail, remedy }: Refusal) => ({
  code,
  ...(message !== new Refusal(code, { field, detail }).message && { message }),
  ...(field !== undefined && { field }),
  ...(detail !== undefined && { detail }),
  ...(remedy !== errorTable[code].remedy && { remedy }),
})

/**
 * The ledger whose journal keeps the mark of a refused request: that of the application's first merchant,
 * else any. A mark belongs to the application, whichever ledger keeps it.
 */
const ledgerForMark = ({ ledgers }: State, { merchants }: ApplicationProfile): Ledger | undefined =>
  ledgers.get(merchants[0]?.merchantId ?? '') ?? ledgers.values().next().value

/**
 * Canonical JSON of validated members: equal members give equal text. It has no white space and no absent
 * members, and names are sorted. The schema bounds the depth of the members.
 */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(members).sort())
    if (members[name] != null) text += `${text === '' ? '' : ','}"${name}":${canonicalText(members[name])}`
  return `{${text}}`
}

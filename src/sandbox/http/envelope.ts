import { errorTable, Refusal } from '../../contract/errors.ts'
import type { Envelope, OtherError } from '../../contract/records.ts'
import { Damage } from '../../shared/files/checked-json.ts'
import { MendableError } from '../../shared/files/store-errors.ts'
import { isReading } from '../access/grants.ts'
import type { SeenRequest } from './call.ts'

/** HTTP status of business refusals: 200, which SDKs need, or the error table's. assumption: envelope */
export type HttpStatusMode = 'sdk' | 'rest'

/** The envelope of an accepted request. public: sdk-envelope */
export const accepted = (traceId: string, data: unknown): Envelope => ({
  code: '0',
  msg: 'success',
  traceId,
  data,
})

/** HTTP status of a refusal. */
export function statusOfRefusal({ code, status: explicitStatus }: Refusal, mode: HttpStatusMode): number {
  const { kind, status } = errorTable[code]
  if (explicitStatus !== undefined) return explicitStatus
  return kind === 'business' && mode === 'sdk' ? 200 : status
}

/** The envelope of a refused request; `bare`: without the members that explain it. assumption: envelope */
export function refused(traceId: string, refusal: Refusal, bare: boolean): Envelope {
  const { code, message: msg, others } = refusal
  if (bare) return { code, msg, traceId }
  return {
    code,
    msg,
    traceId,
    ...explanation(refusal),
    ...(others.length > 0 && { others: others.map(toOtherError) }),
  }
}

const explanation = ({ field, detail, remedy }: Refusal) => ({
  ...(field && { field }),
  ...(detail && { detail }),
  remedy,
})

/** A further error of a request, as answers and the request log show it. */
export const toOtherError = (refusal: Refusal): OtherError => ({
  code: refusal.code,
  msg: refusal.message,
  ...explanation(refusal),
})

/**
 * Converts an error into a refusal; `state` is the state folder. Any error other than a refusal or a client
 * that left is a bug of the sandbox, and is reported with the trace id.
 */
export function toRefusal(
  error: unknown,
  { method, hasLeft }: SeenRequest,
  traceId: string,
  { state, report }: { readonly state: string; readonly report: (message: string) => void },
): Refusal {
  if (error instanceof Refusal) return explainStoreFailure(error, state, isReading(method))
  if (hasLeft()) return new Refusal('SBX_CLIENT_LEFT')
  const { stack, message } = error instanceof Error ? error : new Error(String(error))
  report(`${traceId}: ${stack ?? message}`)
  return new Refusal('SBX_INTERNAL')
}

/** Reasons for failed writes, by system code, with remedies. `folder`: the state folder. */
const reasons: Readonly<Record<string, (folder: string) => readonly [why: string, remedy: string]>> = {
  ENOSPC: (folder) => [`the disk of ${folder} is full`, `Free up space on the disk of ${folder}`],
  EDQUOT: (folder) => [
    `the disk quota for ${folder} is used up`,
    `Free up space, or have the quota for ${folder} raised`,
  ],
  EROFS: (folder) => [`the disk of ${folder} is read-only now`, `Mount the disk of ${folder} for writing`],
  EIO: (folder) => [`the disk of ${folder} failed`, `Check the disk of ${folder}`],
  EACCES: (folder) => [`${folder} may not be written`, `Give this user the right to write in ${folder}`],
}

/**
 * A refusal for a failed write with its reason and remedy in words; any other refusal unchanged. The same ids
 * may be sent again: a request that was not stored has used up none. `isLook`: the request was a look-up.
 * assumption: failed-write
 */
export function explainStoreFailure(refusal: Refusal, folder: string, isLook: boolean): Refusal {
  if (refusal.code !== 'SBX_STORE_FAIL') return refusal
  const { code = '' } = (refusal.cause ?? {}) as NodeJS.ErrnoException
  const [detail, first] = reasons[code]?.(folder) ?? []
  if (isLook) return lookUpRefusal(refusal, detail, first)
  if (first === undefined) return refusal
  const remedy = `${first}, then send the request again with the same ids: nothing was stored`
  return new Refusal('SBX_STORE_FAIL', { field: refusal.field, detail, remedy })
}

/** The remedy for a refused look-up: that of the underlying error, if it has one, then to ask again. */
const askAgain = ({ cause }: Refusal): string =>
  cause instanceof MendableError || cause instanceof Damage
    ? `${cause.remedy}. Then ask again`
    : 'Ask again in a second: a look-up changes nothing'

/**
 * A refusal for a failed write, reworded for a look-up, which writes nothing. Any other refusal, and one with
 * its own message, is unchanged. `first`: what to do before asking again.
 */
export function lookUpRefusal(refusal: Refusal, why = refusal.detail, first?: string): Refusal {
  const { code, field, message } = refusal
  if (code !== 'SBX_STORE_FAIL' || message !== errorTable[code].message) return refusal
  return new Refusal('SBX_STORE_FAIL', {
    field,
    detail: why,
    message: 'The sandbox cannot read its state at the moment, so there is no answer',
    remedy: first === undefined ? askAgain(refusal) : `${first}, then ask again`,
  })
}

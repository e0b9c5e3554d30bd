import { isReading } from '../access/scope-rules.ts'
import { errorTable, Refusal } from '../contract/errors.ts'
import type { Envelope, OtherError } from '../contract/records.ts'
import { type Call, isClientGone } from './call.ts'
import { explainStoreFailure } from './store-failure.ts'

/** HTTP status of business refusals: 200, which SDKs need, or that of the error table. assumption: http-status */
export type HttpStatusMode = 'sdk' | 'rest'

/** The envelope of an accepted request. */
export const accepted = (traceId: string, data: unknown): Envelope => ({
  code: '0',
  msg: 'success',
  traceId,
  data,
})

/** HTTP status of a refusal. */
export function statusOfRefusal({ code, status: own }: Refusal, mode: HttpStatusMode): number {
  const { kind, status } = errorTable[code]
  if (own !== undefined) return own
  return kind === 'business' && mode === 'sdk' ? 200 : status
}

/** The envelope of a refused request; `bare`: without the members that explain it. assumption: error-members */
export function refused(traceId: string, refusal: Refusal, bare: boolean): Envelope {
  const { code, message: msg, others } = refusal
  if (bare) return { code, msg, traceId }
  return {
    code,
    msg,
    traceId,
    ...explanation(refusal),
    ...(others.length > 0 && { others: others.map(otherErrorOf) }),
  }
}

const explanation = ({ field, detail, remedy }: Refusal) => ({
  ...(field && { field }),
  ...(detail && { detail }),
  remedy,
})

/** A further error of a request, as answers and the request log show it. */
export const otherErrorOf = (refusal: Refusal): OtherError => ({
  code: refusal.code,
  msg: refusal.message,
  ...explanation(refusal),
})

/**
 * Converts an error into a refusal; `state` is the state folder. Any error other than a refusal or a client that left
 * is a bug of the sandbox, and is reported with the trace id.
 */
export function refusalOf(
  error: unknown,
  call: Call,
  traceId: string,
  { state, report }: { readonly state: string; readonly report: (message: string) => void },
): Refusal {
  if (error instanceof Refusal) return explainStoreFailure(error, state, isReading(call.req.method))
  if (isClientGone(call)) return new Refusal('SBX_CLIENT_LEFT')
  const { stack, message } = error instanceof Error ? error : new Error(String(error))
  report(`${traceId}: ${stack ?? message}`)
  return new Refusal('SBX_INTERNAL')
}

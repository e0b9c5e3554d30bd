import { Refusal, reject } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { needs } from '../../contract/operation-members.ts'
import type { ChangeName } from '../model/commands.ts'
import type { Ledger } from '../model/ledger.ts'
import type { RequestMark, State } from '../state.ts'

/** What a duplicate gets: an error that names the first one, or the first answer again. assumption: duplicates */
export type DuplicateMode = 'reject' | 'replay'

/**
 * The request that used the same X-Client-Request-Id within 10 minutes, if it may be replayed.
 * docs/api.md#authentication-3, docs/api.md#limits. Errors: SBX_DUP_REQUEST when duplicates are refused; SBX_DUP_OTHER for another
 * request under the same id; and the first request's own refusal, replayed.
 */
export function findRepeated(state: State, mode: DuplicateMode, mark: RequestMark): RequestMark | undefined {
  const first = state.requests.get(mark.key)
  if (first === undefined || mark.at - first.at >= limits.clientRequestIdWindow) return undefined
  const field = 'X-Client-Request-Id'
  if (mode === 'reject') reject('SBX_DUP_REQUEST', { field, detail: resultOf(first) })
  if (first.fingerprint !== mark.fingerprint) reject('SBX_DUP_OTHER', { field, detail: resultOf(first) })
  if (first.refusal !== undefined) throw new Refusal(first.refusal.code, first.refusal)
  return first
}

const resultOf = ({ transactionId, refusal }: RequestMark): string => {
  if (refusal !== undefined) return `the first request was refused with ${refusal.code}`
  return transactionId === undefined
    ? 'the first request was accepted'
    : `the first request acted on transaction ${transactionId}`
}

/** A request by its operation and its members. */
interface NamedRequest {
  readonly type: ChangeName
  readonly input: object
}

const field = 'transactionRequestId'

/**
 * What the same transactionRequestId opened or closed, when it may be replayed; the id where nothing was opened is left out.
 * Errors: SBX_DUP_OTHER for another request under the same id.
 */
export function findReused(
  ledger: Ledger,
  request: NamedRequest,
  fingerprint: string,
): { readonly transactionId?: string } | undefined {
  const { id, opened, first } = earlierUse(ledger, request)
  if (first === undefined) return undefined
  if (first.fingerprint !== fingerprint) {
    const did = opened === undefined ? 'closed a batch' : `opened transaction ${opened.id}`
    reject('SBX_DUP_OTHER', { field, detail: `${id} ${did} with another request` })
  }
  return opened === undefined ? {} : { transactionId: opened.id }
}

/**
 * One transactionRequestId opens one transaction. Told before any other rule, or a retry would hear of the state that
 * its first try left. docs/api.md#ids-4, docs/api.md#ids-5, docs/api.md#errors
 */
export function refuseReused(ledger: Ledger, request: NamedRequest): void {
  const { id, opened, first } = earlierUse(ledger, request)
  if (first === undefined) return
  const did =
    opened === undefined ? 'closed a batch' : `opened transaction ${opened.id}, which is ${opened.status}`
  reject('SBX_DUP_TXN_ID', { field, detail: `${id} ${did}` })
}

/** What used the id before. An operation that need not have one names an earlier transaction by it. */
function earlierUse(ledger: Ledger, { type, input }: NamedRequest) {
  const id = needs(type, field) && field in input && typeof input[field] === 'string' ? input[field] : ''
  const opened = ledger.byTransactionRequestId.get(id)
  return { id, opened, first: opened ?? ledger.closes.get(id) }
}

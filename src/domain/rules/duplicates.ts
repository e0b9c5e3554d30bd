import { Refusal, reject } from '../../contract/errors.ts'
import { commandArgument } from '../../contract/operation-members.ts'
import { type AmendingName, isAmending } from '../../contract/operations.ts'
import type { ChangeName, Command } from '../model/commands.ts'
import type { IdUsed } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { isMarkExpired, type RequestMark, type State } from '../state.ts'
import { requireOriginal } from './originals.ts'

/**
 * The answer to a duplicate: an error that names the first request, or the first answer again. assumption:
 * duplicates
 */
export type DuplicateMode = 'reject' | 'replay'

/** The request that used the same X-Client-Request-Id within 10 minutes. docs/api.md#limit-duplicates */
export function requestUnder(state: State, { key, at }: RequestMark): RequestMark | undefined {
  const first = state.requests.get(key)
  return first === undefined || isMarkExpired(first, at) ? undefined : first
}

/**
 * The earlier request with the same X-Client-Request-Id, if it may be replayed. docs/api.md#authentication-3,
 * docs/api.md#limits.
 */
export function findRepeated(state: State, mode: DuplicateMode, mark: RequestMark): RequestMark | undefined {
  const first = requestUnder(state, mark)
  if (first === undefined) return undefined
  const field = 'X-Client-Request-Id'
  if (mode === 'reject') reject('SBX_DUP_REQUEST', { field, detail: firstResultText(first) })
  if (first.fingerprint !== mark.fingerprint)
    reject('SBX_DUP_OTHER', { field, message: usedOtherwise(field), detail: firstResultText(first) })
  if (first.refusal !== undefined) throw new Refusal(first.refusal.code, { ...first.refusal, replayed: true })
  return first
}

const usedOtherwise = (field: string): string => `The ${field} was used before with another request`

const firstResultText = ({ transactionId, refusal }: RequestMark): string => {
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
 * The transaction of the earlier request with the same transactionRequestId, if it may be replayed; a batch
 * close has none.
 */
export function findReused(
  ledger: Ledger,
  request: NamedRequest & { readonly fingerprint: string },
): { readonly transactionId?: string } | undefined {
  const first = earlierUse(ledger, request)
  if (first === undefined) return undefined
  if (first.fingerprint !== request.fingerprint)
    reject('SBX_DUP_OTHER', {
      field,
      message: usedOtherwise(field),
      detail: `${findTransactionRequestId(request)} ${first.did} with another request`,
    })
  return first.transactionId === undefined ? {} : { transactionId: first.transactionId }
}

/**
 * Refuses a transactionRequestId of an earlier request. Runs before every other rule: otherwise a retry would
 * be refused for the effect of its first try. docs/api.md#ids-4, docs/api.md#ids-5, docs/api.md#errors
 */
export function refuseReused(ledger: Ledger, request: NamedRequest): void {
  const first = earlierUse(ledger, request)
  if (first !== undefined)
    reject('SBX_DUP_TXN_ID', {
      field,
      detail: `${findTransactionRequestId(request)} ${first.did}${first.result}`,
      remedy: first.mayBePaid ? { action: 'see-first', id: first.transactionId ?? '' } : undefined,
    })
}

/** The request's own id, if it sent one; in some operations, the member names an earlier request. */
function findTransactionRequestId({ type, input }: NamedRequest): string | undefined {
  if (commandArgument(type)?.byRequest === field || !(field in input)) return undefined
  return (input[field] as string | null | undefined) ?? undefined
}

/** The earlier use of an id, in words. */
interface EarlierUse {
  readonly fingerprint: string
  readonly transactionId?: string
  readonly did: string
  readonly result: string
  /** True where the transaction is approved or pending: whoever sends it with a new id may pay twice. */
  readonly mayBePaid?: boolean
}

function earlierUse(ledger: Ledger, request: NamedRequest): EarlierUse | undefined {
  const id = findTransactionRequestId(request)
  if (id === undefined) return undefined
  const opened = ledger.transactions.withTransactionRequestId(id)
  if (opened !== undefined) {
    const { fingerprint, status } = opened
    const did = `opened transaction ${opened.id}`
    const mayBePaid = status !== 'FAIL' && status !== 'CLOSED'
    return { fingerprint, transactionId: opened.id, did, result: `, which is ${status}`, mayBePaid }
  }
  const used = ledger.usedIds.get(id)
  if (used !== undefined) {
    const { fingerprint, operation, transactionId } = used
    return {
      fingerprint,
      transactionId,
      did: `was used by ${operation} of transaction ${transactionId}`,
      result: '',
    }
  }
  const closed = ledger.closes.get(id)
  return closed && { fingerprint: closed.fingerprint, did: 'closed a batch', result: '' }
}

const isAmendment = (request: Command): request is Extract<Command, { readonly type: AmendingName }> =>
  isAmending(request.type)

/**
 * Stores the id of a request that opens and closes nothing; any other request is stored with its id.
 * assumption: duplicates
 */
export function idUsed(ledger: Ledger, request: Command): readonly IdUsed[] {
  if (!isAmendment(request)) return []
  const transactionRequestId = findTransactionRequestId(request)
  if (transactionRequestId === undefined) return []
  const { type: operation, fingerprint, input } = request
  const transactionId = requireOriginal(ledger, input).id
  return [{ type: 'id-used', transactionRequestId, fingerprint, operation, transactionId }]
}

import { Refusal, reject } from '../contract/errors.ts'
import { limits } from '../contract/headers.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Book, RequestMark } from '../domain/state.ts'

/** What a duplicate gets: an error that names the first one, or the first answer again. assumption: duplicates */
export type DuplicateMode = 'reject' | 'replay'

/**
 * The request that used the same X-Client-Request-Id within 10 minutes, if it may be replayed.
 * spec: Authentication 3; Limits. Errors: SBX_DUP_REQUEST when duplicates are refused; SBX_DUP_OTHER for another
 * request under the same id; and the first request's own refusal, replayed.
 */
export function findRepeated(book: Book, mode: DuplicateMode, mark: RequestMark): RequestMark | undefined {
  const first = book.requests.get(mark.key)
  if (first === undefined || mark.at - first.at >= limits.clientRequestIdWindow) return undefined
  const field = 'X-Client-Request-Id'
  if (mode === 'reject') reject('SBX_DUP_REQUEST', { field, detail: whatItDid(first) })
  if (first.fingerprint !== mark.fingerprint) reject('SBX_DUP_OTHER', { field, detail: whatItDid(first) })
  if (first.refusal !== undefined) throw new Refusal(first.refusal.code, first.refusal)
  return first
}

const whatItDid = ({ transactionId, refusal }: RequestMark): string => {
  if (refusal !== undefined) return `the first request was refused with ${refusal.code}`
  return transactionId === undefined
    ? 'the first request was accepted'
    : `the first request acted on transaction ${transactionId}`
}

/**
 * What the same transactionRequestId opened or closed, if it may be replayed.
 * Errors: SBX_DUP_OTHER for another request under the same id. When duplicates are refused, the domain refuses.
 */
export function findReused(
  ledger: Ledger,
  mode: DuplicateMode,
  requestId: string | undefined,
  fingerprint: string,
): { readonly transactionId?: string } | undefined {
  const opened = ledger.byTransactionRequestId.get(requestId ?? '')
  const first = opened ?? ledger.closes.get(requestId ?? '')
  if (mode === 'reject' || first === undefined) return undefined
  if (first.fingerprint !== fingerprint) {
    const did = opened === undefined ? 'closed a batch' : `opened transaction ${opened.id}`
    reject('SBX_DUP_OTHER', {
      field: 'transactionRequestId',
      detail: `${requestId} ${did} with another request`,
    })
  }
  return opened === undefined ? {} : { transactionId: opened.id }
}

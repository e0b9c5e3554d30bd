import { Refusal, reject } from '../api/errors.ts'
import { limits } from '../api/headers.ts'
import type { Ledger, Transaction } from '../domain/ledger.ts'
import type { Book, RequestMark } from './book.ts'

/** What a duplicate gets: an error that names the first one, or the first answer again. assumption: duplicates */
export type DuplicateMode = 'reject' | 'replay'

/**
 * The transaction that the same X-Client-Request-Id opened or acted on within 10 minutes, if it may be replayed.
 * spec: Authentication 3; Limits. Errors: SBX_DUP_REQUEST when duplicates are refused; SBX_DUP_OTHER for another
 * request under the same id; and the first request's own refusal, replayed.
 */
export function findRepeated(book: Book, mode: DuplicateMode, mark: RequestMark): Transaction | undefined {
  const first = book.requests.get(mark.key)
  if (first === undefined || mark.at - first.at >= limits.requestIdWindow) return undefined
  const field = 'X-Client-Request-Id'
  if (mode === 'reject') reject('SBX_DUP_REQUEST', { field, detail: whatItDid(first) })
  if (first.fingerprint !== mark.fingerprint) reject('SBX_DUP_OTHER', { field, detail: whatItDid(first) })
  if (first.refusal !== undefined) throw new Refusal(first.refusal.code, first.refusal)
  return transactionOf(book, first.transactionId ?? '')
}

function transactionOf(book: Book, id: string): Transaction | undefined {
  for (const { transactions } of book.ledgers.values()) if (transactions.has(id)) return transactions.get(id)
  return undefined
}

const whatItDid = ({ transactionId, refusal }: RequestMark): string => {
  if (refusal !== undefined) return `the first request was refused with ${refusal.code}`
  return transactionId === undefined
    ? 'the first request was accepted'
    : `the first request acted on transaction ${transactionId}`
}

/**
 * The transaction that the same transactionRequestId opened, if it may be replayed.
 * Errors: SBX_DUP_OTHER for another request under the same id. When duplicates are refused, the domain refuses.
 */
export function findReused(
  ledger: Ledger,
  mode: DuplicateMode,
  { transactionRequestId: requestId }: { readonly transactionRequestId?: string },
  fingerprint: string,
): Transaction | undefined {
  const first = ledger.byRequestId.get(requestId ?? '')
  if (mode === 'reject' || first === undefined) return undefined
  if (first.fingerprint !== fingerprint)
    reject('SBX_DUP_OTHER', {
      field: 'transactionRequestId',
      detail: `${requestId} opened transaction ${first.id} with another request`,
    })
  return first
}

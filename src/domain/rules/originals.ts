import { type ErrorCode, reject, rejectField } from '../../contract/errors.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Ledger } from '../model/ledger.ts'
import { batchStatusOf } from '../model/totals.ts'
import type { Transaction } from '../model/transaction.ts'

/** How a request names its original. */
export interface OriginalPair {
  readonly originalTransactionId?: string | null | undefined
  readonly originalTransactionRequestId?: string | null | undefined
}

/** True when the request names an original at all. */
export const hasReference = (input: OriginalPair): boolean =>
  (input.originalTransactionId ?? input.originalTransactionRequestId ?? null) !== null

/**
 * The named original; the identifier wins over the request identifier. assumption: original-pair
 * Errors: C17 when none is named, SBX_TXN_UNKNOWN when there is none.
 */
export const requireOriginal = (ledger: Ledger, input: OriginalPair): Transaction =>
  requireNamed(ledger, input, 'originalTransactionId', 'originalTransactionRequestId')

/**
 * The transaction that one of two members names: its id, or else its transaction request id.
 * Errors: C17 when neither does, SBX_TXN_UNKNOWN when there is none.
 */
export function requireNamed<M extends string>(
  ledger: Ledger,
  input: { readonly [N in M]?: string | null | undefined },
  byId: M,
  byRequestId: M,
): Transaction {
  const { [byId]: id, [byRequestId]: requestId } = input
  const find = (field: M, named: string, known: ReadonlyMap<string, Transaction>): Transaction =>
    known.get(named) ??
    reject('SBX_TXN_UNKNOWN', {
      field,
      detail: `merchant ${ledger.settings.merchantId} has no transaction ${named}`,
    })
  if (id != null) return find(byId, id, ledger.transactions)
  if (requestId != null) return find(byRequestId, requestId, ledger.byTransactionRequestId)
  return rejectField(byId, `is required, or ${byRequestId}`)
}

/** Refuses to act on an original. Errors: always throws a Refusal. */
export const refuseOriginal = (code: ErrorCode, detail: string, remedy?: string): never =>
  reject(code, { field: 'originalTransactionId', detail, remedy })

/** Refuses the state an original is in. The message is the specification's. Errors: SBX_NOT_ALLOWED. */
export const refuseState = (original: Transaction, why: string, remedy = whatToDo(original)): never =>
  refuseOriginal('SBX_NOT_ALLOWED', `transaction ${original.id} ${why}`, remedy)

/** What is left to do with an original that is not in the state for what was asked. */
function whatToDo({ id, status }: Transaction): string {
  if (status === 'SUCCESS')
    return 'Wait for what is in flight; what was voided, refunded or captured stays as it is'
  return isFinal(status)
    ? 'Nothing was charged and nothing is left to do; take a new payment if one is due'
    : `Wait until it completes: tillbox query ${id}`
}

/** Errors: SBX_NOT_ALLOWED unless the original is SUCCESS and neither voided nor about to be. */
export function requireSuccess(original: Transaction): void {
  if (original.status !== 'SUCCESS') refuseState(original, `is ${original.status}, not SUCCESS`)
  if (original.followUps?.voided) refuseState(original, 'was voided')
  if (original.followUps?.voiding) refuseState(original, 'is being voided')
}

/** Errors: SBX_WRONG_TYPE for an online payment, which the in-person operations leave alone. */
export function requireInPerson(original: Transaction): void {
  if (original.online !== null)
    refuseOriginal(
      'SBX_WRONG_TYPE',
      `transaction ${original.id} is an online payment; the operations under /v1/checkout/ act on it`,
    )
}

/** Errors: C17 for another terminal than the one that the original is on. */
export function requireTerminal(original: Transaction, terminalSn: string | null | undefined): void {
  if (terminalSn != null && terminalSn !== original.terminalSn)
    rejectField('terminalSn', `transaction ${original.id} is on terminal ${original.terminalSn}`)
}

/** Errors: SBX_WRONG_TYPE for what was paid in person. */
export function requireOnline(original: Transaction): void {
  if (original.online === null)
    refuseOriginal(
      'SBX_WRONG_TYPE',
      `transaction ${original.id} was paid in person; refund it with POST /v1/semi-integration/transaction/refund`,
    )
}

/** Errors: SBX_WRONG_TYPE unless the original is one of these types. */
export function requireType(original: Transaction, types: readonly Transaction['type'][]): void {
  if (!types.includes(original.type))
    refuseOriginal(
      'SBX_WRONG_TYPE',
      `transaction ${original.id} is of type ${original.type}; this acts on ${types.join(', ')}`,
    )
}

/** Errors: SBX_CURRENCY unless the currency is left out or the original's. */
export function requireCurrency(original: Transaction, currency: string | null): void {
  if (currency !== null && currency !== original.currency)
    reject('SBX_CURRENCY', {
      field: 'priceCurrency',
      detail: `is ${currency}; the original is in ${original.currency}`,
    })
}

/** Errors: SBX_NOT_ALLOWED when refunds of the original succeeded or are in flight. */
export function requireUnrefunded(original: Transaction): void {
  const { refunded = 0, refunding = 0 } = original.followUps ?? {}
  if (refunded + refunding > 0)
    refuseState(original, refunded > 0 ? 'has been refunded' : 'is being refunded')
}

/** Errors: SBX_NOT_ALLOWED while an incremental auth of the original is in flight. */
export function refuseWhileRaised(original: Transaction): void {
  if ((original.followUps?.incrementing ?? 0) > 0)
    refuseState(original, 'is being raised by an incremental auth')
}

/** Errors: SBX_BATCH_CLOSED once the original was settled. */
export function requireOpenBatch(ledger: Ledger, original: Transaction): void {
  if (batchStatusOf(ledger, original) === 'C')
    refuseOriginal('SBX_BATCH_CLOSED', `batch ${original.batchNo} is closed`)
}

import { type ErrorCode, reject, rejectField, rejectSaying } from '../../contract/errors.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import type { Remedy } from '../../contract/remedies.ts'
import { isFinal, paymentTypes } from '../../contract/statuses.ts'
import type { Ledger } from '../model/ledger.ts'
import { leftToCapture, leftToRefund, totalOrZero } from '../model/parts.ts'
import { batchStatusOf } from '../model/totals.ts'
import type { Transaction } from '../model/transaction.ts'

/** True when the request names an original; an empty text names none. */
export const hasReference = (input: { readonly [N in keyof OriginalReference]?: unknown }): boolean =>
  Boolean(input.originalTransactionId || input.originalTransactionRequestId)

/** The named original; its id wins over its transaction request id. assumption: named-transactions */
export const requireOriginal = (ledger: Ledger, input: OriginalReference): Transaction =>
  requireNamed(ledger, input, 'originalTransactionId', 'originalTransactionRequestId')

/** The transaction that one of two members names: its id, otherwise its transaction request id. */
export function requireNamed<M extends string>(
  ledger: Ledger,
  input: { readonly [N in M]?: string | null | undefined },
  byId: M,
  byTransactionRequestId: M,
): Transaction {
  const { [byId]: id, [byTransactionRequestId]: transactionRequestId } = input
  const { transactions, settings } = ledger
  const unknown = (field: M, named: string, remedy?: Remedy) =>
    reject('SBX_TXN_UNKNOWN', {
      field,
      remedy,
      detail: `merchant ${settings.merchantId} has no transaction ${named}`,
    })
  if (id != null) return transactions.get(id) ?? unknown(byId, id, orderLookUp(id))
  if (transactionRequestId != null)
    return (
      transactions.withTransactionRequestId(transactionRequestId) ??
      unknown(byTransactionRequestId, `with transaction request id ${transactionRequestId}`, {
        action: 'send-again',
      })
    )
  return rejectField(byId, `is required, or ${byTransactionRequestId}`)
}

/** For what is no transaction id: it may be an order's. */
export const orderLookUp = (id: string): Remedy | undefined =>
  /^(?!\d+$)[\w-]+$/.test(id) ? { action: 'look-up-order', orderId: id } : undefined

/** Refuses to act on an original. */
export const refuseOriginal = (code: ErrorCode, detail: string, remedy?: Remedy): never =>
  reject(code, { field: 'originalTransactionId', detail, remedy })

/** Refuses an original for what is said of it: `was voided`. */
export const refuseFor = (code: ErrorCode, { id }: Transaction, why: string, remedy?: Remedy): never =>
  reject(code, { field: 'originalTransactionId', detail: `transaction ${id} ${why}`, why, remedy })

/** Refuses the state an original is in. `why`: such as `was voided`. The message is the specification's. */
export const refuseState = (original: Transaction, why: string, remedy = whatToDo(original)): never =>
  refuseFor('SBX_NOT_ALLOWED', original, why, remedy)

/** The remedy for an original that did not succeed. */
const whatToDo = ({ id, status }: Transaction): Remedy =>
  isFinal(status) ? { action: 'nothing' } : { action: 'wait', id }

/** The first follow-up that is in flight; undefined: none. All of an original in flight have one type. */
export const followUpInFlight = ({ transactions }: Ledger, { followUps }: Transaction): string | undefined =>
  followUps?.children.find((id) => {
    const child = transactions.get(id)
    return child !== undefined && !isFinal(child.status)
  })

/** Refuses while a follow-up is in flight; `how`: in words. */
const refuseWhile = (ledger: Ledger, original: Transaction, how: string): never =>
  refuseState(original, `is being ${how}`, {
    action: 'wait',
    id: followUpInFlight(ledger, original) ?? '',
  })

/** Errors: SBX_NOT_ALLOWED unless the original is SUCCESS, not voided, and without a void in flight. */
export function requireSuccess(ledger: Ledger, original: Transaction): void {
  if (original.status !== 'SUCCESS') refuseState(original, `is ${original.status}, not SUCCESS`)
  if (original.followUps?.voided) refuseState(original, 'was voided', { action: 'pay-anew' })
  if (original.followUps?.voiding) refuseWhile(ledger, original, 'voided')
}

/** Refuses a captured authorisation, and one that is being captured. assumption: authorisations */
export function requireUncaptured(ledger: Ledger, auth: Transaction): void {
  if (auth.followUps?.captured) refuseState(auth, 'was captured already', undoCapture(auth))
  if (auth.followUps?.capturing) refuseWhile(ledger, auth, 'captured')
}

const undoCapture = ({ followUps }: Transaction): Remedy => ({
  action: 'undo-capture',
  id: followUps?.children.at(-1) ?? '',
})

/** What is left to refund of a payment in person, at most an amount. An online one is refunded whole. */
export function refundable(payment: Transaction, most = Number.POSITIVE_INFINITY) {
  const { id, online, currency } = payment
  const amount = Math.min(leftToRefund(payment) ?? 0, most)
  return { id, rest: online === null ? { amount, currency } : null }
}

/** What fits a transaction. */
export function whatFits(original: Transaction): Remedy {
  const { id, type, originalId, status, currency, transactionRequestId, online } = original
  if ((leftToRefund(original) ?? 0) > 0) return { action: 'refund', ...refundable(original) }
  const capturable = leftToCapture(original)
  if (capturable !== null) return { action: 'capture', id, amount: capturable, currency }
  if (original.followUps?.captured) return undoCapture(original)
  if (online?.sessionId != null && !isFinal(status)) return { action: 'expire-session', transactionRequestId }
  if (originalId !== null) return { action: 'see-payment', id: originalId }
  if (type === 'REFUND') return { action: 'see-unlinked', id }
  return status === 'SUCCESS' ? { action: 'see-result', id } : whatToDo(original)
}

/** Errors: SBX_WRONG_TYPE for an online payment. assumption: online-originals */
export function requireInPerson(original: Transaction): void {
  if (original.online !== null)
    refuseFor(
      'SBX_WRONG_TYPE',
      original,
      'is an online payment; the operations under /v1/checkout/ act on it',
      whatFits(original),
    )
}

/** Errors: C17 for a terminal other than the original's. */
export function requireSameTerminal(original: Transaction, terminalSn: string | null | undefined): void {
  if (terminalSn != null && terminalSn !== original.terminalSn)
    rejectSaying('terminalSn', `Transaction ${original.id} is on terminal ${original.terminalSn}`)
}

/** Errors: SBX_WRONG_TYPE for an in-person payment. */
export function requireOnline(original: Transaction): void {
  if (original.online === null)
    refuseFor(
      'SBX_WRONG_TYPE',
      original,
      paymentTypes.includes(original.type)
        ? 'was paid in person; refund it with POST /v1/semi-integration/transaction/refund'
        : `is a ${original.type} in person`,
      whatFits(original),
    )
}

/** Errors: SBX_WRONG_TYPE unless the original is one of these types. */
export function requireType(original: Transaction, types: readonly Transaction['type'][]): void {
  if (!types.includes(original.type))
    refuseFor(
      'SBX_WRONG_TYPE',
      original,
      `is of type ${original.type}; this acts on ${types.join(', ')}`,
      // Whoever captures or raises what is paid already does not want it back.
      (leftToRefund(original) ?? 0) > 0 ? { action: 'see-result', id: original.id } : whatFits(original),
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
export function requireUnrefunded(ledger: Ledger, original: Transaction): void {
  if (totalOrZero(original.followUps?.refunded) > 0) {
    if (leftToRefund(original) === 0) refuseState(original, 'has been refunded', { action: 'all-refunded' })
    refuseState(original, 'has been refunded in part', { action: 'refund', ...refundable(original) })
  }
  if (totalOrZero(original.followUps?.refunding) > 0) refuseWhile(ledger, original, 'refunded')
}

/** Errors: SBX_NOT_ALLOWED while an incremental auth of the original is in flight. */
export function refuseWhileRaised(ledger: Ledger, original: Transaction): void {
  if (totalOrZero(original.followUps?.raising) > 0)
    refuseWhile(ledger, original, 'raised by an incremental auth')
}

/** Errors: SBX_BATCH_CLOSED once the original was settled. */
export function requireOpenBatch(ledger: Ledger, original: Transaction, remedy: Remedy): void {
  if (batchStatusOf(ledger, original) === 'C')
    refuseOriginal('SBX_BATCH_CLOSED', `batch ${original.batchNo} is closed`, remedy)
}

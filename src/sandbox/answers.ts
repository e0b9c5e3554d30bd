import type { AbortAnswer, OpenedAnswer, TipAdjustAnswer } from '../api/answers.ts'
import { statusLetters } from '../api/statuses.ts'
import type { OpeningName } from '../domain/commands.ts'
import type { Transaction } from '../domain/ledger.ts'
import type { OriginalPair } from '../domain/rules/originals.ts'
import { outcomeNamed } from '../fixtures.ts'
import type { Reader } from './dialect.ts'

/** The original as the request named it: only what it gave. */
function pairOf({ originalTransactionId, originalTransactionRequestId }: OriginalPair) {
  return {
    ...(originalTransactionId != null && { originalTransactionId }),
    ...(originalTransactionRequestId != null && { originalTransactionRequestId }),
  }
}

/**
 * The answer to a request that opened a transaction, the first time and when replayed. What was pushed to a terminal is
 * INITIAL; what the cloud processed is as the cloud left it. Each operation has the members that every SDK accepts.
 */
export function openedAnswer(
  operation: OpeningName,
  transaction: Transaction,
  pair: OriginalPair,
  reader: Reader,
): OpenedAnswer {
  const carriesOrder = operation !== 'incremental-auth' && operation !== 'post-auth' && operation !== 'void'
  const carriesPair = !(operation === 'incremental-auth' && reader === 'strict-sdk')
  return {
    transactionId: transaction.id,
    ...(carriesOrder && transaction.orderId !== null && { referenceOrderId: transaction.orderId }),
    transactionRequestId: transaction.requestId,
    ...(carriesPair && pairOf(pair)),
    transactionStatus: statusLetters[answeredStatus(transaction)],
  }
}

function answeredStatus(transaction: Transaction): Transaction['status'] {
  if (!transaction.inCloud) return 'INITIAL'
  const late = (outcomeNamed(transaction.outcome ?? '')?.delay ?? 0) > 0
  return late ? 'PROCESSING' : transaction.status
}

/** C when the abort came in time; P when the host had been asked, and the outcome stands. */
export const abortAnswer = (transaction: Transaction, pair: OriginalPair): AbortAnswer => ({
  ...pairOf(pair),
  transactionStatus: transaction.status === 'CLOSED' ? 'C' : 'P',
})

/** The new tip. */
export const tipAdjustAnswer = (input: OriginalPair & { readonly tipAmount: number }): TipAdjustAnswer => ({
  ...pairOf(input),
  tipAmount: input.tipAmount,
})

import { isFinal, type Status } from '../contract/statuses.ts'
import { amountOf } from '../domain/model/transaction.ts'
import { waitsFor } from '../domain/wake-times.ts'
import type { EngineReader } from '../engine/engine.ts'
import type { LoggedRequest } from '../request-log/logged-request.ts'
import { transactionsOf } from '../request-log/request-views.ts'
import { transactionIn } from '../views/views.ts'

/** The transaction of a request, in its current state. */
export interface RequestTransaction {
  readonly transactionId: string
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: Status
  /** Reason for the status: `005 Do not honor`, `a person at TBX-ATTENDED-001`; empty where the status needs none. */
  readonly why: string
}

/** Reads the transaction of a request from memory; null for a refused request, or one without a transaction. */
export function requestTransaction(
  source: { readonly engine: Pick<EngineReader, 'state'> },
  entry: LoggedRequest,
): RequestTransaction | null {
  if (entry.code !== '0') return null
  const [id] = transactionsOf(source, entry)
  const found = id === undefined ? undefined : transactionIn(source.engine.state.ledgers, id)
  if (found === undefined) return null
  const { ledger, transaction } = found
  const { status, currency, resultCode, resultMsg } = transaction
  const result = status === 'FAIL' ? [resultCode, resultMsg].filter(Boolean).join(' ') : ''
  return {
    transactionId: transaction.id,
    amount: amountOf(transaction),
    currency,
    status,
    why: isFinal(status) ? result : (waitsFor(ledger, transaction) ?? ''),
  }
}

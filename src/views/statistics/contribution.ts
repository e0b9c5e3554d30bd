import type { Status, TransactionType } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../domain/transaction.ts'

/** How a transaction stands, as figures and charts tell them apart. */
export type Standing = 'success' | 'fail' | 'closed' | 'open'

/** Every standing, in the order in which charts show them. */
export const standings: readonly Standing[] = ['success', 'fail', 'closed', 'open']

const standingByStatus: Readonly<Record<Status, Standing>> = {
  SUCCESS: 'success',
  FAIL: 'fail',
  CLOSED: 'closed',
  INITIAL: 'open',
  PROCESSING: 'open',
}

/** Both statuses before the final ones count as open. */
export const standingOf = (status: Status): Standing => standingByStatus[status]

/** What one transaction adds to the figures. Amount in minor units. */
export interface Share {
  readonly standing: Standing
  readonly currency: string
  readonly amount: number
  /** Money that comes in, goes out, or does not move: an authorisation, a void. */
  readonly flow: 'payment' | 'refund' | null
  /** A successful one that no void took back. */
  readonly stands: boolean
  /** Outcome by name, once it is final; `closed` for one that was never decided. */
  readonly outcome: string | null
}

const flowOf = (type: TransactionType): Share['flow'] => {
  if (type === 'REFUND') return 'refund'
  return type === 'SALE' || type === 'FORCED_AUTH' || type === 'POST_AUTH' ? 'payment' : null
}

/** What a transaction adds as it stands now. */
export function shareOf(transaction: Transaction): Share {
  const standing = standingOf(transaction.status)
  return {
    standing,
    currency: transaction.currency,
    amount: amountOf(transaction),
    flow: flowOf(transaction.type),
    stands: standing === 'success' && transaction.after?.voided !== true,
    outcome: standing === 'open' ? null : standing === 'closed' ? 'closed' : transaction.outcome,
  }
}
